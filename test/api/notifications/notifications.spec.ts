import {
  BlocksService,
  type CredentialAccountJson,
  FollowsService,
  UsersService,
} from '../../../src/accounts/index.js';
import type { NotificationJson } from '../../../src/notifications/index.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { receivedBy, notificationsOf } from '../../support/fixtures/notifications.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/notifications';
const READ = '/api/v1/svc/notifications/read';
const UNKNOWN = '9223372036854775807';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const id = (nickname: string) => app.world.id(nickname);
const received = (query = {}, nickname = 'alice') => receivedBy(app, nickname, query);
const list = (query = {}, nickname = 'alice') => notificationsOf(app, nickname, query);

/** Gives alice notifications of a mention, a favourite, a boost and a follow, in this order. */
async function four(): Promise<NotificationJson[]> {
  const { id: hers } = await post(app, 'alice', 'tea');
  const [bob, carol] = await Promise.all([app.world.as('bob'), app.world.as('carol')]);
  await post(app, 'bob', '@alice hello', { visibility: 'unlisted' });
  await app.drain();
  await carol.post(`/api/v1/statuses/${hers}/favourite`).expect(200);
  await app.drain();
  await reblog(app, 'carol', hers);
  await app.drain();
  await bob.post(`/api/v1/accounts/${id('alice')}/follow`).expect(200);
  const all = await list();
  expect(all.map(({ type }) => type)).toEqual(['follow', 'reblog', 'favourite', 'mention']);
  return all;
}

/** Inserts notifications without a cause and returns their ids, oldest first. */
async function plant(count: number, receiver = 'alice', from = 'bob', type = 'poll'): Promise<string[]> {
  const rows = await app.sql<{ id: string }>(
    `insert into notifications (receiver_id, type, from_id)
     select $1, $2, $3 from generate_series(1, $4::int) returning id`,
    [id(receiver), type, id(from), count],
  );
  return rows.map((row) => row.id);
}

/** Follows the Link header until a page is empty; returns the ids of every page. */
async function walk(rel: 'next' | 'prev', query: Record<string, unknown>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let path = PATH, values = query; ; values = {}) {
    const answer = await alice.get(path, values).expect(200);
    const entries = answer.body as NotificationJson[];
    if (entries.length === 0) {
      expect(answer.get('link')).toBeUndefined();
      return pages;
    }
    pages.push(entries.map((entry) => entry.id));
    path = new RegExp(`<https://svc\\.test([^>]+)>; rel="${rel}"`).exec(answer.get('link') ?? '')![1]!;
  }
}

describe('a notification', () => {
  it('names its type, account and status', async () => {
    const [follow, boost] = await four();
    const show = (path: string) => ok<object>(alice.get(path));
    const status = await show(`/api/v1/statuses/${boost!.status!.id}`);
    expect(boost).toEqual({
      id: expect.stringMatching(/^\d+$/),
      type: 'reblog',
      created_at: expect.any(String),
      group_key: expect.stringMatching(`^reblog-${boost!.status!.id}-`),
      account: await show(`/api/v1/accounts/${id('carol')}`),
      status,
      svc: { is_seen: false, is_muted: false },
    });
    expect(Object.keys(follow!)).not.toContain('status');
    expect(await show(`${PATH}/${boost!.id}`)).toEqual(boost);
  });

  it('carries the configured brand', async () => {
    const branded = await startApp({ COMPAT_BRAND: 'acme' });
    try {
      await branded.world.persons('alice', 'bob');
      await branded.sql(
        `insert into notifications (receiver_id, type, from_id) values ($1, 'svc:report', $2), ($1, 'poll', $2)`,
        [branded.world.id('alice'), branded.world.id('bob')],
      );
      await branded.sql('update users set is_admin = true where account_id = $1', [branded.world.id('alice')]);
      const client = await branded.world.as('alice');
      for (const type of ['acme:report', 'svc:report']) {
        const body = await ok<unknown>(client.get(PATH, { include_types: [type] }));
        expect(body).toMatchObject([{ type: 'acme:report', acme: { is_seen: false, is_muted: false } }]);
        expect(JSON.stringify(body)).not.toContain('svc:');
      }
      const body = await ok<unknown>(client.post('/api/acme/notifications/read', { max_id: '9' }));
      expect(body).toMatchObject([{ acme: { is_seen: true } }, { acme: { is_seen: true } }]);
    } finally {
      await branded.close();
    }
  });
});

describe('the list of notifications', () => {
  it('pages in both directions without gaps; links keep the filters', async () => {
    const all = (await plant(23)).reverse();
    await plant(5, 'carol');
    expect(await walk('next', { limit: 5 })).toEqual([0, 5, 10, 15, 20].map((at) => all.slice(at, at + 5)));
    const up = await walk('prev', { limit: 5, min_id: all[22] });
    expect(up.toReversed().flat()).toEqual(all.slice(0, -1));
    expect((await list({ since_id: all[20], limit: 3 })).map((each) => each.id)).toEqual(all.slice(0, 3));
    expect((await list({ max_id: all[3], since_id: all[6] })).map((each) => each.id)).toEqual(all.slice(4, 6));
    expect((await list({ offset: 20 })).map((each) => each.id)).toEqual(all.slice(20));
    expect(await list({ limit: 41 })).toHaveLength(20);
    const { headers } = await alice.get(PATH, { limit: 1, exclude_types: ['follow'] }).expect(200);
    expect(headers['link']).toContain('exclude_types');
  });

  it('fills every page when some are muted', async () => {
    for (let round = 0; round < 12; round += 1) {
      await plant(1, 'alice', 'bob');
      await plant(2, 'alice', 'carol');
    }
    await app.get(BlocksService).mute(id('alice'), id('carol'), {});
    expect((await walk('next', { limit: 5 })).map((page) => page.length)).toEqual([5, 5, 2]);
  });

  it('filters by types, and omits optional types by default', async () => {
    const [follow, boost, favourite, mention] = (await four()).map(({ type }) => type);
    await plant(1, 'alice', 'bob', 'svc:chat_mention');
    await plant(1, 'alice', 'bob', 'svc:report');
    await app.sql('update users set is_admin = true where account_id = $1', [id('alice')]);
    const types = async (query: object) => (await list(query)).map(({ type }) => type);
    expect(await types({})).toEqual([follow, boost, favourite, mention]);
    expect(await types({ include_types: ['mention', 'follow'] })).toEqual([follow, mention]);
    expect(await types({ types: ['mention', 'follow', 'nonsense'] })).toEqual([follow, mention]);
    expect(await types({ include_types: ['nonsense'] })).toEqual([]);
    expect(await types({ include_types: ['move'] })).toEqual([]);
    expect(await types({ with_move: true })).toEqual([follow, boost, favourite, mention]);
    expect(await types({ include_types: ['svc:chat_mention', 'svc:report', 'mention'] })).toEqual([
      'svc:report',
      'svc:chat_mention',
      mention,
    ]);
    expect(await types({ exclude_types: ['mention', 'follow', 'nonsense'] })).toEqual([boost, favourite]);
    expect(await types({ types: ['mention', 'follow'], exclude_types: ['follow'] })).toEqual([mention]);
    expect(await types({ exclude_visibilities: ['unlisted', 'nonsense'] })).toEqual([follow, boost, favourite]);
    expect(await types({ exclude_visibilities: ['public', 'unlisted'] })).toEqual([follow]);
    await alice.get(`${PATH}?types=mention&exclude_types=x&limit=x&min_id=x&account_id=`).expect(200);
  });

  it('filters by one account', async () => {
    await four();
    expect(await received({ account_id: id('bob') })).toEqual(['follow bob', 'mention bob']);
    expect(await received({ account_id: id('carol'), types: ['reblog'] })).toEqual(['reblog carol']);
    await alice.get(PATH, { account_id: 'nobody' }).expect(404, { error: 'Account is not found' });
    await app.get(UsersService).setActive(id('carol'), false);
    await alice.get(PATH, { account_id: id('carol') }).expect(200, []);
    await alice.get(`${PATH}/unread_count`, { account_id: id('carol') }).expect(200, { count: 0 });
  });

  it('hides muted notifications, and includes and marks them on request', async () => {
    await four();
    await app.get(BlocksService).mute(id('alice'), id('carol'), { notifications: true });
    expect(await received()).toEqual(['follow bob', 'mention bob']);
    const shown = await list({ with_muted: true });
    expect(shown.map(({ svc }) => svc.is_muted)).toEqual([false, true, true, false]);
    await app.get(BlocksService).mute(id('alice'), id('carol'), { notifications: false });
    expect(await received()).toEqual(['follow bob', 'reblog carol', 'favourite carol', 'mention bob']);
    const thread = `insert into thread_mutes (account_id, conversation_id)
      select $1, conversation_id from statuses where author_id = $2 and conversation_id is not null`;
    await app.sql(thread, [id('alice'), id('bob')]);
    expect(await received()).toEqual(['follow bob', 'reblog carol', 'favourite carol']);
    expect(await received({ with_muted: true })).toHaveLength(4);
  });

  it('V10 V15 hides blocked, blocking and deactivated accounts, and blocked domains', async () => {
    const remote = await app.world.remote('zoe', 'far.test');
    for (const from of ['bob', 'carol', remote.nickname]) await plant(1, 'alice', from);
    const all = ['poll zoe@far.test', 'poll carol', 'poll bob'];
    expect(await received({ with_muted: true })).toEqual(all);

    const block = (by: string, target: string) =>
      app.sql('insert into blocks (account_id, target_id) values ($1, $2)', [id(by), id(target)]);
    await block('alice', 'bob');
    await block('carol', 'alice');
    expect(await received({ with_muted: true })).toEqual(all.slice(0, 1));
    await app.sql(`update blocks set expires_at = now() - interval '1 minute'`);
    expect(await received()).toEqual(all);

    await app.sql(`insert into domain_blocks (account_id, domain) values ($1, 'far.test')`, [id('alice')]);
    expect(await received({ with_muted: true })).toEqual(all.slice(1));
    await app.sql('insert into follows (follower_id, followee_id) values ($1, $2)', [id('alice'), remote.id]);
    expect(await received()).toEqual(all);

    await app.get(UsersService).setActive(id('bob'), false);
    expect(await received({ with_muted: true })).toEqual(all.slice(0, 2));
  });

  it('V3 hides posts that the receiver may no longer see', async () => {
    await app.get(FollowsService).follow(id('alice'), id('bob'), { notify: true });
    await post(app, 'bob', 'for friends', { visibility: 'private' });
    await post(app, 'bob', 'for all');
    const [open, secret] = await list();
    expect([open!.type, secret!.type]).toEqual(['status', 'status']);
    await app.get(FollowsService).unfollow(id('alice'), id('bob'));
    expect((await list({ with_muted: true })).map((each) => each.id)).toEqual([open!.id]);
    await alice.get(`${PATH}/${secret!.id}`).expect(404);
    await alice.post(READ, { id: secret!.id }).expect(404);
  });
});

describe('reading notifications', () => {
  const unread = async () => {
    const account = await ok<CredentialAccountJson>(alice.get('/api/v1/accounts/verify_credentials'));
    return account.svc.unread_notifications_count;
  };

  it('marks one as read and returns it', async () => {
    const [, boost] = await four();
    expect(await unread()).toBe(4);
    const read = await ok<NotificationJson>(alice.post(READ, { id: boost!.id }));
    expect(read).toEqual({ ...boost, svc: { is_seen: true, is_muted: false } });
    expect((await list()).map(({ svc }) => svc.is_seen)).toEqual([false, true, false, false]);
    expect(await unread()).toBe(3);
    await alice.post(READ, { id: boost!.id }).expect(200);
    expect(await unread()).toBe(3);
  });

  it('includes one of a muted account, with a status that omits reactions of muted accounts', async () => {
    const [, boost] = await four();
    const path = `/api/v1/svc/statuses/${boost!.status!.id}/reactions/☕`;
    await (await app.world.as('carol')).put(path).expect(200);
    await app.get(BlocksService).mute(id('alice'), id('carol'), {});
    const status = await ok(alice.get(`/api/v1/statuses/${boost!.status!.id}`));
    expect(status).toMatchObject({ svc: { emoji_reactions: [] } });
    const shown = { id: boost!.id, status, svc: { is_muted: true } };
    expect(await ok(alice.get(`${PATH}/${boost!.id}`))).toMatchObject(shown);
    expect(await ok(alice.post(READ, { max_id: boost!.id }))).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: boost!.id, status })]),
    );
    expect(await ok(alice.post(READ, { id: boost!.id }))).toMatchObject(shown);
  });

  it('marks all up to one as read and returns the first 80 of them', async () => {
    const ids = await plant(100);
    await alice.post(READ, { id: ids[89] }).expect(200);
    const answer = await alice.post(READ, { max_id: ids[94] }).expect(200);
    const read = (answer.body as NotificationJson[]).map((each) => each.id);
    expect(read).toEqual(
      ids
        .slice(0, 95)
        .filter((each) => each !== ids[89])
        .reverse()
        .slice(0, 80),
    );
    expect(await unread()).toBe(5);
    await alice.post(READ, { max_id: ids[94] }).expect(200, []);
    await alice.post('/api/svc/notifications/read', { max_id: UNKNOWN }).expect(200);
    expect(await unread()).toBe(0);
  });

  it('requires exactly one valid id', async () => {
    const [one] = await plant(1);
    for (const values of [
      {},
      { id: one, max_id: one },
      { id: '', max_id: '' },
      { max_id: 'x' },
      { max_id: `${UNKNOWN}0` },
    ])
      await alice.post(READ, values).expect(400);
    for (const unknown of [UNKNOWN, 'x', '-1', `${UNKNOWN}0`]) await alice.post(READ, { id: unknown }).expect(404);
    expect(await unread()).toBe(1);
  });

  it('D3 returns each notification to only one of several concurrent requests', async () => {
    const ids = await plant(60);
    const answers = await Promise.all(ids.slice(-6).map((each) => alice.post(READ, { max_id: each }).expect(200)));
    const read = answers.flatMap(({ body }) => (body as NotificationJson[]).map((each) => each.id));
    expect(read.sort()).toEqual([...ids].sort());
  });

  it('counts the unread notifications that match the query, up to a limit', async () => {
    const [follow, , , mention] = await four();
    const count = async (query = {}) => (await ok<{ count: number }>(alice.get(`${PATH}/unread_count`, query))).count;
    expect(await count()).toBe(4);
    expect(await count({ limit: 3 })).toBe(3);
    expect(await count({ limit: 1_001 })).toBe(4); // refused limits count as the default
    expect(await count({ types: ['mention', 'follow'] })).toBe(2);
    expect(await count({ exclude_types: ['mention'] })).toBe(3);
    expect(await count({ account_id: id('carol') })).toBe(2);
    await alice.get(`${PATH}/unread_count`, { account_id: 'nobody' }).expect(404);
    await alice.post(READ, { max_id: mention!.id }).expect(200);
    expect(await count()).toBe(3);
    await app.get(BlocksService).mute(id('alice'), id('carol'), { notifications: true });
    expect(await count()).toBe(1);
    await alice.post(READ, { max_id: follow!.id }).expect(200);
    await plant(101);
    expect(await count()).toBe(100);
    await app.world.anonymous.get(`${PATH}/unread_count`).expect(401);
  });

  it('counts only notifications that the list shows', async () => {
    await four();
    await plant(3, 'alice', 'bob', 'svc:report');
    expect(await unread()).toBe(4);
    await app.get(BlocksService).mute(id('alice'), id('carol'), {});
    expect(await unread()).toBe(2);
    await app.get(UsersService).setActive(id('bob'), false);
    expect(await unread()).toBe(0);
    const shown = await (await app.world.as('carol')).get(`/api/v1/accounts/${id('alice')}`).expect(200);
    expect(shown.text).not.toContain('unread');
  });
});

describe('removing notifications', () => {
  it('removes one, several or all of the own account', async () => {
    const ids = await plant(6);
    const [foreign] = await plant(1, 'bob', 'carol');
    const left = async () => (await list()).map((each) => each.id).reverse();
    await alice.post(`${PATH}/${ids[0]}/dismiss`).expect(200, {});
    await alice.post(`${PATH}/dismiss`, { id: Number(ids[1]) }).expect(200, {});
    expect(await left()).toEqual(ids.slice(2));
    await alice.delete(`${PATH}/destroy_multiple`, { ids: [ids[2], foreign, 'x', UNKNOWN] }).expect(200, {});
    await alice.delete(`${PATH}/destroy_multiple?ids[]=${ids[3]}`).expect(200, {});
    expect(await left()).toEqual(ids.slice(4));
    await alice.post(`${PATH}/clear`).expect(200, {});
    expect(await left()).toEqual([]);
    expect((await list({}, 'bob')).map((each) => each.id)).toEqual([foreign]);
  });

  it('requires valid ids', async () => {
    const [one] = await plant(1);
    await alice.post(`${PATH}/dismiss`).expect(400);
    await alice.delete(`${PATH}/destroy_multiple`).expect(400);
    await alice.delete(`${PATH}/destroy_multiple`, { ids: [] }).expect(400);
    for (const unknown of [UNKNOWN, 'x', `${UNKNOWN}0`]) {
      await alice.post(`${PATH}/${unknown}/dismiss`).expect(404);
      await alice.post(`${PATH}/dismiss`, { id: unknown }).expect(404);
      await alice.get(`${PATH}/${unknown}`).expect(404, { error: 'Record not found' });
    }
    expect((await list()).map((each) => each.id)).toEqual([one]);
  });
});

it('V8 the notifications of others return 404 for reading, marking and removing', async () => {
  const [posted] = (await makeStatuses(app, 'bob', 1)) as [string];
  const [foreign] = await plant(1, 'bob', 'carol');
  await app.sql('update notifications set status_id = $1', [posted]);
  const before = await app.sql('select * from notifications');
  const unlike = await alice.get(`${PATH}/${UNKNOWN}`).expect(404);
  const alike = await alice.get(`${PATH}/${foreign}`).expect(404);
  expect(alike.text).toBe(unlike.text);
  await alice.post(`${PATH}/${foreign}/dismiss`).expect(404);
  await alice.post(`${PATH}/dismiss`, { id: foreign }).expect(404);
  await alice.post(READ, { id: foreign }).expect(404);
  await alice.post(READ, { max_id: foreign }).expect(200, []);
  await alice.delete(`${PATH}/destroy_multiple`, { ids: [foreign] }).expect(200, {});
  await alice.post(`${PATH}/clear`).expect(200, {});
  expect(await app.sql('select * from notifications')).toEqual(before);
  expect(await app.sql('select * from markers')).toEqual([]);
  const bob = await app.world.as('bob');
  await bob.get(`${PATH}/${foreign}`).expect(200);
  await bob.post(READ, { id: foreign }).expect(200);
  await bob.post(`${PATH}/${foreign}/dismiss`).expect(200);
});
