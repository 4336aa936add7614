import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { makeFollows, makeStatuses } from '../support/fixtures/factories.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { postsOn, wordsOf } from '../support/pages.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let visit: BrowserVisit;

beforeEach(async () => {
  visit = await new BrowserVisit(app).signIn('alice');
});

const pathOf = (name: string) => `/app/people/${app.world.id(name)}`;
const inApp = (id: string) => `/app/posts/${id}`;
const posts = async (path: string) => postsOn(await visit.get(path));
const words = async (path: string) => wordsOf(await visit.get(path));
const people = async (path: string) =>
  Array.from((await visit.get(path)).text.matchAll(/class="whom" href="\/app\/people\/(\w+)"/g), ([, id]) => id);

/** Alice's relationship to an account. */
async function relation(name: string): Promise<Record<string, unknown>> {
  const alice = await app.world.as('alice');
  const [shown] = await ok<Record<string, unknown>[]>(
    alice.get('/api/v1/accounts/relationships', { id: [app.world.id(name)] }),
  );
  return shown!;
}

/** Sends a form with the token of the session. */
async function send(path: string, fields: Record<string, string> = {}) {
  await visit.get('/app/lists');
  return visit.post(path, { _csrf: visit.field('_csrf')!, ...fields });
}

describe('the page of an account', () => {
  it('shows the posts that the API shows, by tabs and pages, with the pinned ones first', async () => {
    const ids = await makeStatuses(app, 'bob', 22);
    const bob = await app.world.as('bob');
    await ok(bob.post(`/api/v1/statuses/${ids[0]}/pin`));
    const answer = await post(app, 'bob', '@carol hello', { in_reply_to_id: (await post(app, 'carol', 'hi')).id });
    const secret = await post(app, 'bob', 'for followers', { visibility: 'private' });
    const newest = ids.toReversed().map(inApp);
    expect(await posts(pathOf('bob'))).toEqual([inApp(ids[0]!), ...newest.slice(0, 20)]);
    const next = /rel="next" href="([^"]*)"/.exec((await visit.get(`${pathOf('bob')}?tab=replies`)).text)![1]!;
    expect(await posts(`${pathOf('bob')}?tab=replies`)).toEqual([inApp(answer.id), ...newest.slice(0, 19)]);
    expect(await posts(`${pathOf('bob')}${next.replace('&amp;', '&')}`)).toEqual(newest.slice(19));
    expect(await posts(`${pathOf('bob')}?tab=media`)).toEqual([]);
    await app.world.follow('alice', 'bob');
    expect(await posts(`${pathOf('bob')}?limit=1`)).toEqual([inApp(ids[0]!), inApp(secret.id)]);
  });

  it('is found by handle too, and returns 404 for unknown and deactivated accounts', async () => {
    const remote = await app.world.remote('zoe', 'far.test');
    await app.sql(`update accounts set deactivated_at = now(), version = version + 1 where nickname = 'carol'`);
    for (const [name, status] of [
      ['bob', 200],
      ['@bob', 200],
      ['zoe@far.test', 200],
      [remote.id, 200],
      ['nobody', 404],
      [app.world.id('carol'), 404],
    ] as const)
      expect([name, (await visit.get(`/app/people/${name}`)).status]).toEqual([name, status]);
  });

  it('shows the relationship, and the private note only to its author', async () => {
    await app.world.follow('bob', 'alice');
    const alice = await app.world.as('alice');
    await ok(alice.post(`/api/v1/accounts/${app.world.id('bob')}/note`, { comment: 'met at the <tea> house' }));
    const page = await words(pathOf('bob'));
    expect(page).toContain('follows you');
    expect(page).toContain('met at the &lt;tea&gt; house');
    const carol = await new BrowserVisit(app).signIn('carol');
    expect((await carol.get(pathOf('bob'))).text).not.toContain('house');
  });

  it('links its owner to the form of the profile, without the buttons of other profiles', async () => {
    const { text } = await visit.get(pathOf('alice'));
    expect(text).toContain('href="/auth/account/profile"');
    expect(text).not.toMatch(/formaction="[^"]*\/(follow|actions\/block)"/);
  });

  it('hides followers that the owner hides', async () => {
    await makeFollows(app, app.world.id('carol'), app.world.id('bob'));
    expect(await people(`${pathOf('bob')}/followers`)).toEqual([app.world.id('carol')]);
    expect(await people(`${pathOf('carol')}/following`)).toEqual([app.world.id('bob')]);
    const bob = await app.world.as('bob');
    await ok(bob.patch('/api/v1/accounts/update_credentials', { hide_followers: true }));
    expect(await people(`${pathOf('bob')}/followers`)).toEqual([]);
    expect(await words(`${pathOf('bob')}/followers`)).toContain('This account does not show this list.');
  });
});

describe('the buttons of a profile', () => {
  it('follow with options, and unfollow', async () => {
    await visit.get(pathOf('bob'));
    const pressed = await visit.press(`${pathOf('bob')}/follow`);
    expect([pressed.status, pressed.headers['location']]).toEqual([303, pathOf('bob')]);
    expect(await relation('bob')).toMatchObject({ following: true, notifying: false, showing_reblogs: true });
    await visit.get(pathOf('bob'));
    await visit.press(`${pathOf('bob')}/follow`, { notify: '1' });
    await visit.get(pathOf('bob'));
    await visit.press(`${pathOf('bob')}/follow`, { reblogs: '0' });
    expect(await relation('bob')).toMatchObject({ following: true, notifying: true, showing_reblogs: false });
    await visit.get(pathOf('bob'));
    await visit.press(`${pathOf('bob')}/unfollow`);
    expect(await relation('bob')).toMatchObject({ following: false });
  });

  it('request to follow a locked account, withdraw the request, and decide on requests', async () => {
    await app.world.person('locked', { locked: true });
    await visit.get(pathOf('locked'));
    await visit.press(`${pathOf('locked')}/follow`);
    expect(await relation('locked')).toMatchObject({ requested: true });
    await visit.get(pathOf('locked'));
    await visit.press(`${pathOf('locked')}/unfollow`);
    expect(await relation('locked')).toMatchObject({ requested: false });
    await app.sql(`update accounts set locked = true, version = version + 1 where nickname = 'alice'`);
    await ok((await app.world.as('bob')).post(`/api/v1/accounts/${app.world.id('alice')}/follow`));
    await visit.get(pathOf('bob'));
    await visit.press(`${pathOf('bob')}/actions/accept`);
    expect(await relation('bob')).toMatchObject({ followed_by: true, requested_by: false });
  });

  it('mute and block for a time, and undo both', async () => {
    const steps = [
      ['mute', { duration: '3600', notifications: '0' }, { muting: true, muting_notifications: false }],
      ['unmute', {}, { muting: false }],
      ['block', { duration: '3600' }, { blocking: true, block_expires_at: expect.any(String) }],
      ['unblock', {}, { blocking: false }],
      ['note', { comment: 'a friend' }, { note: 'a friend' }],
    ] as const;
    for (const [action, fields, expected] of steps) {
      await send(`${pathOf('bob')}/actions/${action}`, fields);
      expect([action, await relation('bob')]).toEqual([action, expect.objectContaining(expected)]);
    }
    expect((await relation('bob'))['muting_expires_at']).toBeNull();
  });

  it('block a server, endorse an account, and add it to lists', async () => {
    await app.world.remote('zoe', 'far.test');
    await visit.get(pathOf('zoe@far.test'));
    await visit.press(`${pathOf('zoe@far.test')}/actions/block-server`);
    expect(await relation('zoe@far.test')).toMatchObject({ domain_blocking: true });
    expect((await send(`${pathOf('bob')}/actions/block-server`)).status).toBe(404);
    await app.world.follow('alice', 'bob');
    const alice = await app.world.as('alice');
    const { id } = await ok<{ id: string }>(alice.post('/api/v1/lists', { title: 'Friends' }));
    await visit.get(pathOf('bob'));
    await visit.press(`${pathOf('bob')}/actions/endorse`);
    await visit.get(pathOf('bob'));
    await visit.press(`${pathOf('bob')}/actions/list`, { list: id });
    expect(await relation('bob')).toMatchObject({ endorsed: true });
    expect(await ok(alice.get(`/api/v1/accounts/${app.world.id('bob')}/lists`))).toMatchObject([{ id }]);
  });

  it('do nothing for unknown actions, and show why an action failed', async () => {
    for (const action of ['nothing', 'constructor'])
      expect((await send(`${pathOf('bob')}/actions/${action}`)).status).toBe(404);
    const failed = await send(`${pathOf('bob')}/actions/endorse`);
    expect([failed.status, wordsOf(failed)]).toEqual([400, expect.stringContaining('You have to follow')]);
  });
});

describe('a report', () => {
  interface Reported {
    readonly reports: readonly { readonly content: string; readonly statuses: readonly { readonly id: string }[] }[];
  }
  const reports = async () => {
    await app.world.person('root', { admin: true });
    return (await ok<Reported>((await app.world.as('root', 'admin:read:reports')).get('/api/v1/svc/admin/reports')))
      .reports;
  };

  it('reaches the staff with the chosen posts', async () => {
    const { id } = await post(app, 'bob', 'buy this');
    await post(app, 'bob', 'and something else');
    const secret = await post(app, 'bob', 'a secret', { visibility: 'private' });
    const page = await visit.get(`${pathOf('bob')}/report?status_id=${id}`);
    expect(page.text).toMatch(new RegExp(`value="${id}"\\s+checked`));
    expect(page.text).not.toContain(secret.id);
    const sent = await visit.submit({ status_ids: id, category: 'spam', comment: 'spam again' });
    expect(sent.headers['location']).toBe(`${pathOf('bob')}/report?sent=1`);
    expect(await words(sent.headers['location']!)).toContain('Thank you');
    expect(await reports()).toMatchObject([{ content: 'spam again', statuses: [{ id }] }]);
  });

  it('keeps the typed text when it is refused', async () => {
    const { id } = await post(app, 'bob', 'buy this');
    await visit.get(`${pathOf('bob')}/report`);
    const refused = await visit.submit({ status_ids: id, category: 'legal', comment: 'x'.repeat(5_001) });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('x'.repeat(5_001));
    expect(refused.text).toMatch(/value="legal"\s+checked/);
    expect(refused.text).toMatch(new RegExp(`value="${id}"\\s+checked`));
    expect(await reports()).toEqual([]);
  });
});

describe('the search', () => {
  it('finds accounts, posts and hashtags, page by page', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.unshift((await post(app, 'bob', `moss ${n} #moss`)).id);
    await post(app, 'bob', 'moss for followers', { visibility: 'private' });
    expect(await people('/app/search?q=bob')).toEqual([app.world.id('bob')]);
    expect(await posts('/app/search?q=moss')).toEqual(ids.slice(0, 5).map(inApp));
    expect((await visit.get('/app/search?q=moss')).text).toContain('href="/app/tags/moss"');
    expect(await posts('/app/search?q=moss&type=statuses&limit=4&offset=4')).toEqual(ids.slice(4).map(inApp));
    expect(await posts(`/app/search?q=${encodeURIComponent(`https://svc.test/notice/${ids[0]}`)}`)).toEqual([
      inApp(ids[0]!),
    ]);
    expect(await words('/app/search?q=nothing-like-it')).toContain('Nothing was found');
    expect((await visit.get('/app/search')).status).toBe(200);
  });

  it('shows the searched words as plain text', async () => {
    const { text } = await visit.get(`/app/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(text).not.toContain('<script>alert');
  });
});

describe('lists', () => {
  const LISTS = '/app/lists';
  const stored = async () => ok<{ id: string; title: string }[]>((await app.world.as('alice')).get('/api/v1/lists'));

  it('are created, changed, filled and deleted', async () => {
    await app.world.follow('alice', 'bob');
    await visit.get(LISTS);
    const created = await visit.submit({ title: 'Friends', replies_policy: 'none', exclusive: '1' });
    const [list] = await stored();
    expect(list).toMatchObject({ title: 'Friends', replies_policy: 'none', exclusive: true });
    const members = `${LISTS}/${list!.id}/members`;
    expect(created.headers['location']).toBe(members);
    await send(members, { handle: '@bob' });
    expect(await people(members)).toEqual([app.world.id('bob')]);
    await send(`${LISTS}/${list!.id}`, { title: 'Close friends', replies_policy: 'list', exclusive: '0' });
    expect(await stored()).toMatchObject([{ title: 'Close friends', replies_policy: 'list', exclusive: false }]);
    await visit.get(members);
    await visit.press(`${members}/remove`, { account: app.world.id('bob') });
    expect(await people(members)).toEqual([]);
    await send(`${LISTS}/${list!.id}/delete`);
    expect(await stored()).toEqual([]);
  });

  it('refuse accounts that are not followed, and keep the typed text', async () => {
    await visit.get(LISTS);
    const blank = await visit.submit({ title: ' ', replies_policy: 'followed' });
    expect([blank.status, /value="followed"\s+selected/.test(blank.text)]).toEqual([422, true]);
    await visit.submit({ title: 'Friends' });
    const [list] = await stored();
    const members = `${LISTS}/${list!.id}/members`;
    const refused = await send(members, { handle: 'carol' });
    expect([refused.status, /id="handle"[^>]*value="carol"/.test(refused.text)]).toEqual([422, true]);
    expect(await people(members)).toEqual([]);
  });

  it('V8 of other accounts return 404', async () => {
    const bob = await app.world.as('bob');
    const { id } = await ok<{ id: string }>(bob.post('/api/v1/lists', { title: 'Mine' }));
    expect((await visit.get(`${LISTS}/${id}/members`)).status).toBe(404);
    for (const path of [`${LISTS}/${id}`, `${LISTS}/${id}/members`])
      expect([path, (await send(path, { title: 'Yours', handle: 'alice' })).status]).toEqual([path, 404]);
    expect((await send(`${LISTS}/${id}/delete`)).status).toBe(404);
    expect(await ok(bob.get(`/api/v1/lists/${id}`))).toMatchObject({ title: 'Mine' });
  });
});
