import type { GroupedNotificationsJson } from '../../src/notifications/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { makeChat } from '../support/fixtures/chats.js';
import { notificationsOf } from '../support/fixtures/notifications.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { wordsOf } from '../support/pages.js';
import { useApp } from '../support/servers/app.js';

const PATH = '/app/notifications';

const app = useApp({ people: ['alice', 'bob', 'carol', 'dave'] });
let visit: BrowserVisit;

beforeEach(async () => {
  visit = await new BrowserVisit(app).signIn('alice');
});

const as = (name: string) => app.world.as(name);
const api = async () => ok<GroupedNotificationsJson>((await as('alice')).get('/api/v2/notifications'));
/** The ids of the notifications on a page, newest first. */
const idsOn = ({ text }: { readonly text: string }) =>
  Array.from(text.matchAll(/id="notice-(\d+)"/g), ([, id]) => Number(id));
const unreadOn = ({ text }: { readonly text: string }) => text.split('notification unread').length - 1;

async function favourited(names: readonly string[]): Promise<string> {
  const { id } = await post(app, 'alice', 'about tea');
  for (const name of names) await ok((await as(name)).post(`/api/v1/statuses/${id}/favourite`));
  await app.drain();
  return id;
}

/** Lets people ask to follow alice. */
async function requested(...names: readonly string[]): Promise<void> {
  await ok((await as('alice')).patch('/api/v1/accounts/update_credentials', { locked: true }));
  for (const name of names) await ok((await as(name)).post(`/api/v1/accounts/${app.world.id('alice')}/follow`));
  await app.drain();
}

describe('the page of notifications', () => {
  it('shows the groups of the API with their posts', async () => {
    const id = await favourited(['bob', 'carol', 'dave']);
    const mention = await post(app, 'bob', 'hello @alice');
    await app.drain();
    const page = await visit.get(PATH);
    expect(wordsOf(page)).toMatch(/dave and 2 others favourited your post/);
    expect(page.text).toContain(`<a href="/app/posts/${id}"><bdi>about tea</bdi></a>`);
    expect(page.text).toContain(`/app/posts/${mention.id}/actions/favourite`);
    const { notification_groups: groups } = await api();
    expect(idsOn(page)).toEqual(groups.map((group) => group.most_recent_notification_id));
  });

  it.each(['all', 'mentions', 'others'])('leads from page to page of the kind %s', async (kind) => {
    for (let n = 0; n < 3; n += 1) await post(app, 'bob', `hello @alice ${n}`);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift(await favourited(['bob']));
    const expected = { all: 6, mentions: 3, others: 3 }[kind];
    const found: number[] = [];
    for (let path: string | undefined = `${PATH}?kind=${kind}&limit=2`; path !== undefined && found.length < 10;) {
      const page = await visit.get(path);
      found.push(...idsOn(page));
      const next = /rel="next" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
      path = next && `${next}&limit=2`;
    }
    expect(found).toHaveLength(expected!);
    expect(found).toEqual([...new Set(found)].sort((a, b) => b - a));
  });

  it('hides notifications that the API hides, and texts behind a warning', async () => {
    await post(app, 'bob', 'secret words @alice', { spoiler_text: 'plot' });
    const edited = await post(app, 'carol', 'first words');
    await ok((await as('alice')).post(`/api/v1/statuses/${edited.id}/reblog`));
    await ok(
      (await as('carol')).put(`/api/v1/statuses/${edited.id}`, { status: 'hidden words', spoiler_text: 'cake' }),
    );
    await app.drain();
    const page = await visit.get(PATH);
    expect(wordsOf(page)).toContain('carol edited a post');
    expect(page.text).toContain('<bdi>cake</bdi>');
    expect(page.text).not.toContain('hidden words');
    await ok((await as('alice')).post(`/api/v1/accounts/${app.world.id('bob')}/block`));
    expect((await visit.get(PATH)).text).not.toContain('secret words');
  });

  it('names the account and its action, and leaves messages to the page of chats', async () => {
    const { id } = await post(app, 'alice', 'mine');
    const bob = await as('bob');
    await ok(bob.put(`/api/v1/svc/statuses/${id}/reactions/${encodeURIComponent('🍵')}`));
    await ok(bob.post(`/api/v1/accounts/${app.world.id('alice')}/follow`));
    await ok(bob.post(`/api/v1/statuses/${id}/reblog`));
    await app.drain();
    const before = await visit.get(PATH);
    for (const said of ['boosted your post', 'follows you', 'reacted to your post with 🍵'])
      expect(wordsOf(before)).toContain(`bob ${said}`);
    await makeChat(app, 'alice', 'bob');
    await app.drain();
    expect(idsOn(await visit.get(PATH))).toEqual(idsOn(before));
  });
});

describe('the buttons of notifications', () => {
  it('mark only the shown notifications as read, and viewing the page marks none', async () => {
    await favourited(['bob']);
    expect(unreadOn(await visit.get(PATH))).toBe(1);
    const [newest] = idsOn(await visit.get(PATH));
    await favourited(['carol']);
    const { status, headers } = await visit.press(`${PATH}/read`, { max_id: String(newest) });
    expect([status, headers['location']]).toEqual([303, PATH]);
    expect(unreadOn(await visit.get(PATH))).toBe(1);
    await visit.press(`${PATH}/read`, { max_id: String(idsOn(await visit.get(PATH))[0]) });
    const read = await visit.get(PATH);
    expect([unreadOn(read), read.text.includes(`${PATH}/read`)]).toEqual([0, false]);
  });

  it('dismiss a group, and delete all after a question', async () => {
    await favourited(['bob', 'carol']);
    await post(app, 'bob', 'hello @alice');
    await app.drain();
    const { notification_groups: groups } = await api();
    const key = groups.find(({ type }) => type === 'favourite')!.group_key;
    await visit.get(PATH);
    await visit.press(`${PATH}/${key}/dismiss`);
    expect((await notificationsOf(app, 'alice')).map(({ type }) => type)).toEqual(['mention']);
    await visit.get(`${PATH}/clear`);
    expect(await notificationsOf(app, 'alice')).toHaveLength(1);
    expect((await visit.submit()).headers['location']).toBe(PATH);
    expect(await notificationsOf(app, 'alice')).toEqual([]);
  });

  it('do nothing to notifications of other accounts', async () => {
    await favourited(['bob']);
    const { notification_groups: groups } = await api();
    const other = await new BrowserVisit(app).signIn('bob');
    await other.get(PATH);
    const token = other.field('_csrf')!;
    expect((await other.post(`${PATH}/${groups[0]!.group_key}/dismiss`, { _csrf: token })).status).toBe(404);
    await other.post(`${PATH}/read`, { _csrf: token, max_id: String(groups[0]!.most_recent_notification_id) });
    expect(unreadOn(await visit.get(PATH))).toBe(1);
  });
});

describe('follow requests', () => {
  const relation = async (name: string) =>
    (
      await ok<{ followed_by: boolean; requested_by: boolean }[]>(
        (await as('alice')).get('/api/v1/accounts/relationships', { id: [app.world.id(name)] }),
      )
    )[0];
  const path = (name: string, answer: string) => `/app/follow-requests/${app.world.id(name)}/${answer}`;

  it('are accepted and rejected on their page', async () => {
    await requested('bob', 'carol');
    expect((await visit.get(PATH)).text).toContain('href="/app/follow-requests"');
    await visit.get('/app/follow-requests');
    expect((await visit.press(path('bob', 'accept'))).headers['location']).toBe('/app/follow-requests');
    await visit.get('/app/follow-requests');
    await visit.press(path('carol', 'reject'));
    expect(await relation('bob')).toMatchObject({ followed_by: true, requested_by: false });
    expect(await relation('carol')).toMatchObject({ followed_by: false, requested_by: false });
    await app.drain();
    expect((await visit.get(PATH)).text).not.toContain('/app/follow-requests');
  });

  it('are answered in their notification, while they wait', async () => {
    await requested('bob');
    await visit.get(PATH);
    await visit.press(path('bob', 'accept'));
    expect(await relation('bob')).toMatchObject({ followed_by: true });
    const page = await visit.get(PATH);
    expect(page.text).not.toContain(path('bob', 'accept'));
    const again = await visit.post(path('bob', 'accept'), { _csrf: visit.field('_csrf')! });
    expect(again.status).toBe(404);
  });
});
