import { BlocksService, UsersService } from '../../../src/accounts/index.js';
import { type GroupedNotificationsJson, GroupedNotificationsShape } from '../../../src/notifications/index.js';
import { checkShape } from '../../support/shape.js';
import { useApp } from '../../support/servers/app.js';
import { makeFans, makeStatuses } from '../../support/fixtures/factories.js';
import { notificationsOf } from '../../support/fixtures/notifications.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v2/notifications';
/** A moment in the middle of a span of groups. */
const NOON = '2026-03-01T06:00:00Z';

const app = useApp({ people: ['alice', 'bob', 'carol', 'dan'] });
let alice: Client;
let posts: string[];

beforeEach(async () => {
  alice = await app.world.as('alice');
  posts = await makeStatuses(app, 'alice', 3);
});

const id = (nickname: string) => app.world.id(nickname);
const groupsOf = async (query = {}) => {
  const answer = await ok<GroupedNotificationsJson>(alice.get(PATH, query));
  expect(checkShape(GroupedNotificationsShape, answer)).toEqual([]);
  return answer;
};

interface Planted {
  readonly type?: string;
  readonly from?: string;
  readonly post?: number | null;
  readonly at?: string;
}

/** Inserts one notification of alice and returns its id. */
async function plant({ type = 'favourite', from = 'bob', post = 0, at = NOON }: Planted): Promise<string> {
  const rows = await app.sql<{ id: string }>(
    `insert into notifications (receiver_id, type, from_id, status_id, created_at) values ($1, $2, $3, $4, $5) returning id`,
    [id('alice'), type, id(from), post === null ? null : posts[post], at],
  );
  return rows[0]!.id;
}

const favourites = async (...names: string[]) => {
  for (const from of names) await plant({ from });
};

/** Type, number and accounts of each group. */
const shortOf = async (query = {}) => {
  const { notification_groups: groups } = await groupsOf(query);
  const names = new Map(['alice', 'bob', 'carol', 'dan'].map((name) => [id(name), name]));
  return groups.map(
    ({ type, notifications_count, sample_account_ids }) =>
      `${type} ${notifications_count} ${sample_account_ids.map((each) => names.get(each)).join(' ')}`,
  );
};

/** Follows the Link header until a page is empty; returns the keys of every page. */
async function walk(rel: 'next' | 'prev', query: Record<string, unknown>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let path = PATH, values = query; ; values = {}) {
    const answer = await alice.get(path, values).expect(200);
    const { notification_groups: groups } = answer.body as GroupedNotificationsJson;
    if (groups.length === 0) {
      expect(answer.get('link')).toBeUndefined();
      return pages;
    }
    pages.push(groups.map((group) => group.group_key));
    path = new RegExp(`<https://svc\\.test([^>]+)>; rel="${rel}"`).exec(answer.get('link') ?? '')![1]!;
  }
}

describe('a group of notifications', () => {
  it('names its accounts and its post once, beside the groups', async () => {
    await favourites('bob', 'carol');
    const newest = (await notificationsOf(app, 'alice'))[0]!.id;
    const show = (path: string) => ok<object>(alice.get(path));
    const account = (name: string) => show(`/api/v1/accounts/${id(name)}`);
    const group = {
      group_key: expect.stringMatching(new RegExp(`^favourite-${posts[0]}-\\d+$`)),
      notifications_count: 2,
      type: 'favourite',
      most_recent_notification_id: Number(newest),
      sample_account_ids: [id('carol'), id('bob')],
      status_id: posts[0],
    };
    const page = { page_min_id: newest, page_max_id: newest, latest_page_notification_at: '2026-03-01T06:00:00.000Z' };
    const answer = await groupsOf();
    expect(answer).toEqual({
      accounts: [await account('carol'), await account('bob')],
      statuses: [await show(`/api/v1/statuses/${posts[0]}`)],
      notification_groups: [{ ...group, ...page }],
    });
    const { group_key } = answer.notification_groups[0]!;
    expect((await notificationsOf(app, 'alice')).map((each) => each.group_key)).toEqual([group_key, group_key]);
    expect(await show(`${PATH}/${group_key}`)).toEqual({ ...answer, notification_groups: [group] });
    expect(await show(`${PATH}/${group_key}/accounts`)).toEqual(answer.accounts);
  });

  it.each<[string, Planted[], string[]]>([
    ['favourites of one post', [{}, { from: 'carol' }], ['favourite 2 carol bob']],
    ['favourites of two posts', [{}, { from: 'carol', post: 1 }], ['favourite 1 carol', 'favourite 1 bob']],
    ['boosts beside favourites', [{}, { type: 'reblog', from: 'carol' }], ['reblog 1 carol', 'favourite 1 bob']],
    [
      'follows',
      [
        { type: 'follow', post: null },
        { type: 'follow', from: 'carol', post: null },
      ],
      ['follow 2 carol bob'],
    ],
    [
      'follow requests',
      [
        { type: 'follow_request', post: null },
        { type: 'follow_request', from: 'carol', post: null },
      ],
      ['follow_request 1 carol', 'follow_request 1 bob'],
    ],
    ['mentions', [{ type: 'mention' }, { type: 'mention', from: 'carol' }], ['mention 1 carol', 'mention 1 bob']],
    ['half a day later', [{}, { from: 'carol', at: '2026-03-01T18:00:00Z' }], ['favourite 1 carol', 'favourite 1 bob']],
    ['a day later', [{}, { from: 'carol', at: '2026-03-02T06:00:00Z' }], ['favourite 1 carol', 'favourite 1 bob']],
    ['hours later', [{}, { from: 'carol', at: '2026-03-01T09:00:00Z' }], ['favourite 2 carol bob']],
    ['others between', [{}, { type: 'mention' }, { from: 'dan' }], ['favourite 2 dan bob', 'mention 1 bob']],
  ])('is formed by type, post and time: %s', async (_, planted, groups) => {
    for (const each of planted) await plant(each);
    expect(await shortOf()).toEqual(groups);
  });

  it('names at most eight accounts, the newest, and counts all', async () => {
    const fans = await makeFans(app, 11);
    await app.sql(
      `insert into notifications (receiver_id, type, from_id, status_id, created_at)
       select $1, 'favourite', fan, $2, $3 from unnest($4::text[]) with ordinality as f(fan, n) order by n`,
      [id('alice'), posts[0], NOON, fans],
    );
    const [group] = (await groupsOf()).notification_groups;
    expect(group).toMatchObject({ notifications_count: 11, sample_account_ids: fans.toReversed().slice(0, 8) });
    const partial = await groupsOf({ expand_accounts: 'partial_avatars' });
    expect(partial.accounts.map((each) => each.id)).toEqual([fans[10]]);
    expect(partial.partial_accounts!.map((each) => each.id)).toEqual(fans.toReversed().slice(1, 8));
    expect(Object.keys(partial.partial_accounts![0]!).sort()).toEqual([
      'acct',
      'avatar',
      'avatar_static',
      'bot',
      'id',
      'locked',
      'url',
    ]);
    const accounts: string[] = [];
    for (let maxId: string | undefined; accounts.length < 11;) {
      const answer = await alice.get(`${PATH}/${group!.group_key}/accounts`, { limit: 4, max_id: maxId }).expect(200);
      accounts.push(...(answer.body as { id: string }[]).map((each) => each.id));
      maxId = /max_id=(\d+)/.exec(answer.get('link')!)![1];
    }
    expect(accounts).toEqual(fans.toReversed());
  });

  it('has only the types that the app groups', async () => {
    await favourites('bob', 'carol');
    await plant({ type: 'follow', post: null });
    await plant({ type: 'follow', post: null, from: 'dan' });
    const alone = ['follow 1 dan', 'follow 1 bob'];
    expect(await shortOf({ grouped_types: ['favourite', 'mention', 'nonsense'] })).toEqual([
      ...alone,
      'favourite 2 carol bob',
    ]);
    const { notification_groups: groups } = await groupsOf({ grouped_types: ['mention'] });
    expect(groups.map((each) => each.group_key)).toEqual(groups.map((each) => `ungrouped-${each.page_max_id}`));
    expect(await ok(alice.get(`${PATH}/${groups[3]!.group_key}`))).toMatchObject({
      notification_groups: [{ group_key: groups[3]!.group_key, sample_account_ids: [id('bob')] }],
    });
  });

  it('shows only what the list of notifications shows', async () => {
    await favourites('bob', 'carol', 'dan');
    await plant({ type: 'mention', from: 'dan' });
    await plant({ type: 'svc:report', post: null });
    expect(await shortOf()).toEqual(['mention 1 dan', 'favourite 3 dan carol bob']);
    await app.get(BlocksService).mute(id('alice'), id('dan'), {});
    expect(await shortOf()).toEqual(['favourite 2 carol bob']);
    const [{ group_key: key, most_recent_notification_id: newest }] = (await groupsOf()).notification_groups as [
      GroupedNotificationsJson['notification_groups'][0],
    ];
    expect((await notificationsOf(app, 'alice'))[0]!.id).toBe(String(newest));
    await app.sql('insert into blocks (account_id, target_id) values ($1, $2)', [id('carol'), id('alice')]);
    expect(await shortOf()).toEqual(['favourite 1 bob']);
    expect(await ok<unknown[]>(alice.get(`${PATH}/${key}/accounts`))).toMatchObject([{ acct: 'bob' }]);
    await app.get(UsersService).setActive(id('bob'), false);
    expect(await shortOf()).toEqual([]);
    await alice.get(`${PATH}/${key}`).expect(404);
    await alice.get(`${PATH}/${key}/accounts`).expect(404);
  });

  it('is dismissed as a whole, and only by its receiver', async () => {
    await favourites('bob', 'carol');
    await plant({ type: 'mention', from: 'dan' });
    const [mention, group] = (await groupsOf()).notification_groups.map((each) => each.group_key);
    const bob = await app.world.as('bob');
    await bob.post(`${PATH}/${group}/dismiss`).expect(404);
    await alice.post(`${PATH}/${group}/dismiss`).expect(200, {});
    await alice.post(`${PATH}/${group}/dismiss`).expect(404);
    expect(await shortOf()).toEqual(['mention 1 dan']);
    await alice.post(`${PATH}/${mention}/dismiss`).expect(200, {});
    await favourites('bob');
    await alice.post(`${PATH}/clear`).expect(200, {});
    expect(await shortOf()).toEqual([]);
  });
});

describe('a group with notifications that the policy filters', () => {
  const filter = (name: string) =>
    app.sql('update notifications set filtered = true where from_id = $1', [app.world.id(name)]);
  const keyOf = async () => (await groupsOf({ include_filtered: true })).notification_groups[0]!.group_key;

  it('is shown by its key, with its accounts, and is dismissed', async () => {
    await favourites('bob', 'carol');
    await Promise.all([filter('bob'), filter('carol')]);
    const path = `${PATH}/${await keyOf()}`;
    const { notification_groups: groups } = await ok<GroupedNotificationsJson>(alice.get(path));
    expect(groups).toMatchObject([{ notifications_count: 2, sample_account_ids: [id('carol'), id('bob')] }]);
    expect(await ok(alice.get(`${path}/accounts`))).toMatchObject([{ acct: 'carol' }, { acct: 'bob' }]);
    await alice.post(`${path}/dismiss`).expect(200, {});
    await alice.post(`${path}/dismiss`).expect(404);
    expect(await shortOf({ include_filtered: true })).toEqual([]);
  });

  it('is shown and dismissed without them, as long as it has others', async () => {
    await favourites('bob', 'carol', 'dan');
    await filter('dan');
    const path = `${PATH}/${await keyOf()}`;
    expect(await ok(alice.get(`${path}/accounts`))).toMatchObject([{ acct: 'carol' }, { acct: 'bob' }]);
    await alice.post(`${path}/dismiss`).expect(200, {});
    expect(await shortOf({ include_filtered: true })).toEqual(['favourite 1 dan']);
    expect(await ok(alice.get(`${path}/accounts`))).toMatchObject([{ acct: 'dan' }]);
  });

  it('is dismissed as it is shown where its others are hidden', async () => {
    await favourites('bob', 'dan');
    await filter('dan');
    await app.get(BlocksService).block(id('alice'), id('bob'));
    const path = `${PATH}/${await keyOf()}`;
    expect(await ok(alice.get(`${path}/accounts`))).toMatchObject([{ acct: 'dan' }]);
    await alice.post(`${path}/dismiss`).expect(200, {});
    expect(await shortOf({ include_filtered: true })).toEqual([]);
  });
});

describe('the list of groups', () => {
  /** Notifications of three groups in turn, and a mention after each round. Returns the keys, newest first. */
  async function turns(): Promise<string[]> {
    for (const from of ['bob', 'carol', 'dan']) {
      for (const post of [0, 1, 2]) await plant({ from, post });
      await plant({ type: 'mention', from });
    }
    return (await groupsOf({ limit: 40 })).notification_groups.map((each) => each.group_key);
  }

  it.each([1, 2, 3, 4, 5, 40])('pages in both directions without gap or repetition, %d at a time', async (limit) => {
    const all = await turns();
    expect(all).toHaveLength(6);
    expect((await walk('next', { limit })).flat()).toEqual(all);
    expect((await walk('prev', { limit, min_id: 0 })).toReversed().flat()).toEqual(all);
  });

  it('pages by the ids that groups name, as apps do', async () => {
    const all = await turns();
    const keys: string[] = [];
    for (let maxId: string | undefined; ;) {
      const { notification_groups: groups } = await groupsOf({ limit: 2, max_id: maxId });
      if (groups.length === 0) break;
      keys.push(...groups.map((each) => each.group_key));
      maxId = groups.at(-1)!.page_min_id;
    }
    expect(keys).toEqual(all);
  });

  it('shows a group again to an app that asks for newer ones when another notification joins it', async () => {
    await favourites('bob');
    await plant({ type: 'mention' });
    const [newest] = (await groupsOf()).notification_groups;
    await favourites('carol');
    expect(await shortOf({ since_id: newest!.page_max_id })).toEqual(['favourite 2 carol bob']);
    expect(await shortOf({ min_id: newest!.page_max_id })).toEqual(['favourite 2 carol bob']);
    expect(await shortOf({ max_id: newest!.page_max_id })).toEqual([]);
  });

  it('fills its pages despite hidden notifications between', async () => {
    await turns();
    await app.get(BlocksService).mute(id('alice'), id('carol'), {});
    expect((await walk('next', { limit: 2 })).map((page) => page.length)).toEqual([2, 2, 1]);
    await app.get(BlocksService).mute(id('alice'), id('dan'), {});
    expect((await walk('next', { limit: 3 })).map((page) => page.length)).toEqual([3, 1]);
  });

  it('filters by types and by one account', async () => {
    await turns();
    expect(await shortOf({ types: ['mention', 'nonsense'] })).toEqual([
      'mention 1 dan',
      'mention 1 carol',
      'mention 1 bob',
    ]);
    expect(await shortOf({ exclude_types: ['favourite'], account_id: id('bob') })).toEqual(['mention 1 bob']);
    expect(await shortOf({ types: ['favourite'], account_id: id('bob'), limit: 1 })).toEqual(['favourite 1 bob']);
    const { headers } = await alice.get(PATH, { limit: 1, grouped_types: ['follow'] }).expect(200);
    expect(headers['link']).toContain('grouped_types');
  });

  it('counts groups with unread notifications, up to a limit', async () => {
    const count = async (query = {}) => (await ok<{ count: number }>(alice.get(`${PATH}/unread_count`, query))).count;
    await turns();
    expect(await count()).toBe(6);
    expect(await count({ limit: 4 })).toBe(4);
    expect(await count({ grouped_types: ['follow'] })).toBe(12);
    expect(await count({ types: ['mention'] })).toBe(3);
    expect(await count({ exclude_types: ['mention'], account_id: id('bob') })).toBe(3);
    const [, , newest] = (await groupsOf()).notification_groups;
    await alice.post('/api/v1/svc/notifications/read', { max_id: newest!.page_max_id }).expect(200);
    expect(await count()).toBe(2);
  });
});
