import { type AccountJson, type CredentialAccountJson, UsersService } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import { startWebHost, WEB_HOST_ADDRESS, type WebHost } from '../../support/servers/web-host.js';
import type { Client } from '../../support/fixtures/world.js';

const UPDATE = '/api/v1/accounts/update_credentials';
const PROFILE = 'https://svc.test/users/alice';

const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let web: WebHost;
let alice: Client;

beforeEach(async () => {
  await app.world.person('alice');
  alice = await app.world.as('alice');
  web = await startWebHost();
});
afterEach(() => web.close());

const save = (values: Record<string, unknown>) => ok<CredentialAccountJson>(alice.patch(UPDATE, values));
const saveLinks = (...values: string[]) =>
  save({ fields_attributes: values.map((value, n) => ({ name: `field ${n}`, value })) });

/** The times at which the fields were verified, as other viewers see them. */
async function marks(): Promise<(string | null)[]> {
  const { fields } = (await app.http.get('/api/v1/accounts/alice').expect(200)).body as AccountJson;
  return fields.map(({ verified_at }) => verified_at);
}

/** Makes jobs due that wait for a later hour, and runs them. */
async function later(): Promise<void> {
  await app.sql('update jobs set run_at = now() where run_at > now()');
  await app.drain();
}

describe('the mark of a verified field', () => {
  it('appears when the page links back, in its text or in its head', async () => {
    web.page('/a', `<p><a href="${PROFILE}" rel="nofollow me">me</a></p>`);
    web.page('/link', `<link rel="me" href="${PROFILE}">`);
    web.page('/not', `<a href="${PROFILE}">me</a>`);
    web.page('/other', `<a rel="me" href="https://svc.test/users/bob">bob</a>`);
    await saveLinks(...['/a', '/link', '/not', '/other'].map((path) => web.origin + path));
    expect(await marks()).toEqual([null, null, null, null]);
    await app.drain();
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await marks()).toEqual([moment, moment, null, null]);
    const { fields } = await ok<CredentialAccountJson>(alice.get('/api/v1/accounts/verify_credentials'));
    expect(fields[0]).toMatchObject({ verified_at: moment });
  });

  it.each([
    ['https://svc.test/users/Alice', true],
    ['https://SVC.test/USERS/ALICE/', true],
    ['https://svc.test/users/alice2', false],
    ['https://svc.test/users/alic%C3%A9', false],
  ])('compares names without case: %s', async (href, isMarked) => {
    web.page('/', `<a rel="me" href="${href}">me</a>`);
    await saveLinks(`${web.origin}/`);
    await app.drain();
    expect((await marks()).map((mark) => mark !== null)).toEqual([isMarked]);
  });

  it('keeps its time while the link is there', async () => {
    web.page('/', `<a rel="me" href="${PROFILE}#me">me</a>`);
    await saveLinks(`${web.origin}/`);
    await app.drain();
    const before = await marks();
    expect(await saveLinks(`${web.origin}/`)).toMatchObject({ fields: [{ verified_at: before[0] }] });
    await save({ note: 'something else' });
    await app.drain();
    expect(await marks()).toEqual(before);
  });

  it('disappears with an edit after the link or the page is gone', async () => {
    const link = `<a rel="me" href="${PROFILE}">me</a>`;
    web.page('/', link);
    web.page('/page', link);
    await saveLinks(`${web.origin}/`, `${web.origin}/page`);
    await app.drain();
    expect(await marks()).not.toContain(null);
    web.page('/', 'nothing');
    web.at('/page');
    await save({ display_name: 'Alice' });
    await app.drain();
    expect(await marks()).toEqual([null, null]);
  });

  it('does not appear for a text with more than the link, or after the link was changed', async () => {
    web.page('/', `<a rel="me" href="${PROFILE}">me</a>`);
    await saveLinks(`${web.origin}/`);
    await app.drain();
    await saveLinks(`see ${web.origin}/`);
    await app.drain();
    expect(await marks()).toEqual([null]);
    await saveLinks(`${web.origin}/elsewhere`);
    expect(await marks()).toEqual([null]);
    await app.drain();
    expect(await marks()).toEqual([null]);
  });

  it('does not appear for a page that redirects to another host', async () => {
    const other = await startWebHost();
    other.page('/', `<a rel="me" href="${PROFILE}">me</a>`);
    web.at('/go', (_request, response) => response.writeHead(302, { location: `${other.origin}/` }).end());
    web.at('/moved', (_request, response) => response.writeHead(301, { location: '/new' }).end());
    web.page('/new', `<a rel="me" href="${PROFILE}">me</a>`);
    await saveLinks(`${web.origin}/go`, `${web.origin}/moved`);
    await app.drain();
    expect(await marks()).toEqual([null, expect.any(String)]);
    await other.close();
  });

  it('S1 S5 S6 does not appear for other media types, large pages and addresses that are not public', async () => {
    const link = `<a rel="me" href="${PROFILE}">me</a>`;
    web.at('/text', (_request, response) => response.setHeader('content-type', 'text/plain').end(link));
    web.page('/large', link + ' '.repeat(1_100_000));
    const { port } = new URL(web.origin);
    await saveLinks(`${web.origin}/text`, `${web.origin}/large`, `http://127.0.0.2:${port}/`, 'https://10.0.0.1/');
    await app.drain();
    expect(await marks()).toEqual([null, null, null, null]);
    expect(web.asked().sort()).toEqual(['/large', '/text']);
    expect(await app.sql(`select name from jobs where name = 'accounts.verify-links'`)).toEqual([]);
  });
});

describe('an unreachable page', () => {
  beforeEach(async () => {
    web.page('/', `<a rel="me" href="${PROFILE}">me</a>`);
    await saveLinks(`${web.origin}/`);
    await app.drain();
  });

  it('is asked again before its field loses the mark', async () => {
    const before = await marks();
    web.at('/', (_request, response) => response.writeHead(503).end());
    await save({ note: 'a' });
    await app.drain();
    expect(await marks()).toEqual(before);
    await later();
    expect(await marks()).toEqual(before);
    await later();
    expect(await marks()).toEqual([null]);
    expect(await app.sql(`select name from jobs where name = 'accounts.verify-links'`)).toEqual([]);
  });

  it('keeps the mark when it is back in time', async () => {
    const before = await marks();
    web.at('/', (request) => request.socket.destroy());
    await save({ note: 'a' });
    await app.drain();
    web.page('/', `<a rel="me" href="${PROFILE}">me</a>`);
    await later();
    await later();
    expect(await marks()).toEqual(before);
  });
});

describe('verification', () => {
  it('asks each page once, and only after an edit of the profile', async () => {
    await saveLinks(`${web.origin}/a`, `${web.origin}/a`, `${web.origin}/b`, 'no link');
    await app.drain();
    expect(web.asked().sort()).toEqual(['/a', '/b']);
    await save({ svc_settings_store: { fe: {} }, default_scope: 'private' });
    await app.drain();
    expect(web.asked()).toEqual([]);
    await save({ locked: true });
    await app.drain();
    expect(web.asked().sort()).toEqual(['/a', '/b']);
  });

  it('V13 ignores claims of the owner', async () => {
    const field = { name: 'n', value: `${web.origin}/`, source: 'x', verified_at: '2020-01-01T00:00:00.000Z' };
    await save({ fields_attributes: [field], verified_at: '2020-01-01', fields: [field] });
    expect(await marks()).toEqual([null]);
    await app.drain();
    expect(await marks()).toEqual([null]);
  });

  it('S9 limits requests, however often the profile is edited', async () => {
    for (let edit = 0; edit < 12; edit += 1) {
      await saveLinks(`${web.origin}/${edit}`);
      await app.drain();
    }
    expect(web.asked()).toEqual(Array.from({ length: 10 }, (_, edit) => `/${edit}`));
    expect(await app.sql(`select run_at > now() as waits from jobs where name = 'accounts.verify-links'`)).toEqual([
      { waits: true },
    ]);
  });

  it('skips fields that were edited in the meantime', async () => {
    const page = `<a rel="me" href="${PROFILE}">`;
    web.at('/', (_request, response) => {
      web.page('/', page); // later requests get the page without another edit
      void saveLinks(`${web.origin}/other`).then(() => response.setHeader('content-type', 'text/html').end(page));
    });
    await saveLinks(`${web.origin}/`);
    await app.drain();
    const { fields } = await ok<CredentialAccountJson>(alice.get('/api/v1/accounts/verify_credentials'));
    expect(fields).toMatchObject([{ value: expect.stringContaining('/other'), verified_at: null }]);
  });

  it('raises the version only when a mark changes', async () => {
    web.page('/', `<a rel="me" href="${PROFILE}">`);
    const version = async () => (await app.sql<{ version: number }>('select version from accounts'))[0]?.version;
    await saveLinks(`${web.origin}/`);
    const before = await version();
    await app.drain();
    expect(await version()).toBe(before! + 1);
    await save({ note: 'x' });
    await app.drain();
    expect(await version()).toBe(before! + 2);
  });

  it('does not fail for a deleted account', async () => {
    await saveLinks(`${web.origin}/`);
    await app.get(UsersService).setActive(app.world.id('alice'), false);
    await app.drain();
    await app.sql(`update jobs set run_at = now()`);
    await app.sql('delete from oauth_tokens');
    await app.sql('delete from accounts');
    await app.drain();
    expect(await app.sql('select name from jobs where attempts > 0')).toEqual([]);
  });
});

describe('F14 a post with a rel="me" link', () => {
  const HTML = `<p><a href="${PROFILE}" rel="ugc me">x</a></p>`;
  const VOUCHES = /rel=\\?["'][^"']*\bme\b|rel=(&quot;|&#34;)[^&]*\bme\b/;
  const fetched = async (path: string, accept = 'text/html') =>
    (await app.http.get(path).set('Accept', accept).expect(200)).text;
  let id: string;

  /** Bob answers Alice, who boosts the answer; posts and bios were stored before links lost the type. */
  beforeEach(async () => {
    await app.world.person('bob');
    const { id: mine } = await post(app, 'alice', 'tea?');
    ({ id } = await post(app, 'bob', HTML, { content_type: 'text/html', in_reply_to_id: mine }));
    const bob = await app.world.as('bob');
    await ok(bob.put(`/api/v1/statuses/${id}`, { status: `${HTML} #tea`, content_type: 'text/html' }));
    await app.sql('update statuses set content_html = $2, source = null, version = version + 1 where id = $1', [
      id,
      HTML,
    ]);
    await app.sql('update status_edits set content_html = $1', [HTML]);
    await app.sql('update accounts set note_html = $2, version = version + 1 where id = $1', [
      app.world.id('bob'),
      HTML,
    ]);
    await reblog(app, 'alice', id);
  });

  it.each([
    ['the page of the post', () => fetched(`/notice/${id}`)],
    ['the page of the booster', () => fetched('/@alice')],
    ['the page of the author, in the bio', () => fetched('/@bob')],
    ['the feed of the booster', () => fetched('/users/alice/feed.rss')],
    ['the other feed', () => fetched('/users/alice/feed.atom')],
    ['the page of the tag', () => fetched('/tags/tea')],
    [
      'the document of the post',
      async () =>
        fetched(new URL((await ok(alice.get(`/api/v1/statuses/${id}`))).uri).pathname, 'application/activity+json'),
    ],
    ['the document of the author', () => fetched('/users/bob', 'application/activity+json')],
    ['the post', () => fetched(`/api/v1/statuses/${id}`)],
    ['its history', () => fetched(`/api/v1/statuses/${id}/history`)],
    ['its author', () => fetched('/api/v1/accounts/bob')],
  ])('is shown nowhere with rel="me": %s', async (_page, read) => {
    const text = await read();
    expect(text).toContain('users/alice');
    expect(text).not.toMatch(VOUCHES);
  });

  it('does not change the fields of the profile', async () => {
    await saveLinks('https://x.example');
    expect(await fetched('/@alice')).toContain('<a href="https://x.example" rel="me ugc">');
  });

  it('verifies no field of its author', async () => {
    web.page('/', await fetched(`/notice/${id}`));
    await saveLinks(`${web.origin}/`);
    await app.drain();
    expect(await marks()).toEqual([null]);
  });
});
