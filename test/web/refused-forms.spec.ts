import { type ApiRequest, TooManyRequests } from '../../src/common/index.js';
import { BodyGuard } from '../../src/common/input/body.guard.js';
import { SettingsService } from '../../src/config/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { makeChat } from '../support/fixtures/chats.js';
import { builtEndpoints } from '../support/fixtures/endpoints.js';
import { picture } from '../support/fixtures/media-files.js';
import { ok } from '../support/fixtures/statuses.js';
import { wordsOf } from '../support/pages.js';
import { useApp } from '../support/servers/app.js';

const WAIT_SECONDS = 4_711;
const HOUR_MS = 3_600_000;
const LARGE = Buffer.alloc(5_000, 'x');

const app = useApp({ people: ['alice', 'bob'], env: { RATE_LIMITS: 'on' } });
let visit: BrowserVisit;

const changed: string[] = [];
async function set(path: string, value: unknown): Promise<void> {
  changed.push(path);
  await app.get(SettingsService).update([{ path, value }]);
}

beforeEach(async () => {
  visit = await new BrowserVisit(app).signIn('alice');
});
afterEach(async () => {
  for (const path of changed.splice(0)) await app.get(SettingsService).reset(path);
});

const posts = async () =>
  ok<unknown[]>((await app.world.as('alice')).get(`/api/v1/accounts/${app.world.id('alice')}/statuses`));
const files = async () => Number((await app.sql<{ count: string }>('select count(*) from attachments'))[0]!.count);

/** Opens the form of a post, and stores a file with it. */
async function begun(): Promise<Readonly<Record<string, string>>> {
  await visit.get('/app/compose');
  const image = await picture('png');
  await set('instance.upload_limit', image.length);
  const fields = { ...visit.fields, text: 'about <tea>', visibility: 'unlisted' };
  await visit.postFiles('/app/compose', { ...fields, action: 'preview', description_1: 'a cup' }, { file_1: image });
  expect(visit.field('media[0][id]')).toBeDefined();
  return { ...fields, ...visit.fields };
}

/** What was typed is on the page, with the file that was stored. */
function expectKept(page: { readonly text: string }, fields: Readonly<Record<string, string>>): void {
  expect(page.text).toContain('about &lt;tea&gt;</textarea>');
  expect(page.text).toMatch(/value="unlisted" selected/);
  expect(visit.field('media[0][id]')).toBe(fields['media[0][id]']);
  expect(page.text).toMatch(/class="alarm" role="alert"/);
}

describe('a form with a file that is too large', () => {
  it('of a post is shown again with 413, the reason and what was typed', async () => {
    const fields = await begun();
    const before = await files();
    const image = await picture('png');
    const page = await visit.postFiles('/app/compose', fields, { file_1: Buffer.concat([image, LARGE]) });
    expect(page.status).toBe(413);
    expect(wordsOf(page)).toContain('A file is larger than this server takes.');
    expectKept(page, fields);
    expect([await posts(), await files()]).toEqual([[], before]);
    const sent = await visit.submit({ text: 'about <tea>', visibility: 'public', 'media[0][description]': 'a cup' });
    expect([sent.status, await posts()]).toEqual([
      303,
      [expect.objectContaining({ media_attachments: [expect.anything()] })],
    ]);
  });

  it('of a message and of the profile keep their texts', async () => {
    await set('instance.upload_limit', 1_000);
    await set('instance.avatar_upload_limit', 1_000);
    const { chat } = await makeChat(app, 'alice', 'bob');
    await visit.get(`/app/chats/${chat}`);
    const message = await visit.postFiles(
      `/app/chats/${chat}`,
      { ...visit.fields, content: 'my words' },
      { file: LARGE },
    );
    expect([message.status, message.text.includes('my words</textarea>')]).toEqual([413, true]);
    await visit.get('/auth/account/profile');
    const profile = await visit.postFiles(
      '/auth/account/profile',
      { ...visit.fields, note: 'my story' },
      { avatar: LARGE },
    );
    expect([profile.status, profile.text.includes('my story</textarea>')]).toEqual([413, true]);
  });

  it('is 403 without the token of the session', async () => {
    const fields = { ...(await begun()), _csrf: 'wrong' };
    expect((await visit.postFiles('/app/compose', fields, { file_1: Buffer.alloc(100_000) })).status).toBe(403);
  });
});

describe('a request that is refused before its handler', () => {
  it('does nothing at any route of signed-in people: each refuses it', async () => {
    await app.world.person('root', { admin: true });
    const root = await new BrowserVisit(app).signIn('root');
    await root.get('/app/home');
    const { _csrf = '' } = root.fields;
    const guards = jest.spyOn(BodyGuard.prototype, 'canActivate').mockImplementation((context) => {
      const request = context.switchToHttp().getRequest<ApiRequest>();
      request.refusal = new TooManyRequests(WAIT_SECONDS);
      request.input = request.sent = { _csrf };
      return Promise.resolve(true);
    });
    const routes = builtEndpoints().filter(({ method, access }) => method === 'POST' && access === 'session');
    const others: string[] = [];
    for (const { path } of routes) {
      const answer = await root.post(path.replace(/:\w+/g, 'nothing'), {});
      // The page of the form may be missing for this path (404), but its handler was not reached.
      if (answer.headers['retry-after'] !== String(WAIT_SECONDS)) others.push(`${path}: ${answer.status}`);
    }
    guards.mockRestore();
    expect(others).toEqual([]);
    expect(routes.length).toBeGreaterThan(50);
  });
});

describe('a form that is sent too fast', () => {
  it('of a post is shown again with 429, the reason and what was typed, and stores no file', async () => {
    const fields = await begun();
    const before = await files();
    await set('rate_limit.posts', [HOUR_MS, 1]);
    await visit.post('/app/compose', { ...fields, action: 'options' });
    const page = await visit.postFiles('/app/compose', fields, { file_1: await picture('png') });
    expect([page.status, Number(page.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(wordsOf(page)).toMatch(/That was too much for now\. Try again in \d+ minutes?\./);
    expectKept(page, fields);
    expect([await posts(), await files()]).toEqual([[], before]);
  });

  it.each([
    ['favourite', 'unfavourite'],
    ['reblog', 'unreblog'],
  ])('counts with what apps did to the same post: %s', async (act, undo) => {
    const alice = await app.world.as('alice');
    const { id } = await ok<{ id: string }>(alice.post('/api/v1/statuses', { status: 'tea' }));
    const { id: another } = await ok<{ id: string }>(alice.post('/api/v1/statuses', { status: 'milk' }));
    await set('rate_limit.status_id_action', [HOUR_MS, 2]);
    for (const action of [act, undo]) await alice.post(`/api/v1/statuses/${id}/${action}`).expect(200);
    await visit.get('/app/home');
    const { fields } = visit;
    const press = async (post: string, action: string) =>
      (await visit.post(`/app/posts/${post}/actions/${action}`, fields)).status;
    expect([await press(id, act), await press(id, 'bookmark'), await press(another, act)]).toEqual([429, 303, 303]);
    expect([await press(another, undo), await press(another, act)]).toEqual([303, 429]);
  });

  it('is the page of a failure for a button, which leads back', async () => {
    const { id } = await ok<{ id: string }>((await app.world.as('alice')).post('/api/v1/statuses', { status: 'tea' }));
    await visit.get('/app/home');
    await set('rate_limit.statuses_actions', [HOUR_MS, 1]);
    await visit.press(`/app/posts/${id}/actions/reblog?at=${id}`);
    await visit.get('/app/home');
    const page = await visit.press(`/app/posts/${id}/actions/favourite?at=${id}`);
    expect(page.status).toBe(429);
    expect(page.text).toMatch(/<a href="\/app\/home[^"]*">&larr;/);
    expect(await ok((await app.world.as('alice')).get(`/api/v1/statuses/${id}`))).toMatchObject({ favourited: false });
  });
});
