import { BlocksService, FollowsService } from '../../../src/accounts/index.js';
import {
  NotificationDispatcher,
  type NotificationPolicyJson,
  NotificationPolicyShape,
  type NotificationRequestJson,
  NotificationRequestShape,
  NotificationTrimService,
} from '../../../src/notifications/index.js';
import { Subscriber } from '../../support/servers/push-service.js';
import { checkShape } from '../../support/shape.js';
import { useApp } from '../../support/servers/app.js';
import { receivedBy } from '../../support/fixtures/notifications.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const POLICY = '/api/v2/notifications/policy';
const REQUESTS = '/api/v1/notifications/requests';
const LIST = '/api/v1/notifications';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  [alice, bob] = await Promise.all([app.world.as('alice'), app.world.as('bob')]);
});

const id = (nickname: string) => app.world.id(nickname);
const received = (query = {}) => receivedBy(app, 'alice', query);
const setPolicy = (policy: Partial<NotificationPolicyJson>) => alice.patch(POLICY, policy).expect(200);
const requests = async (query = {}) => {
  await app.drain();
  const list = await ok<NotificationRequestJson[]>(alice.get(REQUESTS, query));
  for (const request of list) expect(checkShape(NotificationRequestShape, request)).toEqual([]);
  return list;
};
const unread = async () => (await ok<{ count: number }>(alice.get(`${LIST}/unread_count`))).count;

const mention = (options = {}) => post(app, 'bob', '@alice hello', options);
const FIELDS = [
  'for_not_following',
  'for_not_followers',
  'for_new_accounts',
  'for_private_mentions',
  'for_limited_accounts',
] as const;

const becomesOld = () =>
  app.sql(`update accounts set created_at = now() - interval '31 days' where id = $1`, [id('bob')]);
const isFollowedBack = async (days: number) => {
  await app.get(FollowsService).follow(id('bob'), id('alice'), {});
  await app.sql(`update follows set created_at = now() - $1 * interval '1 day'`, [days]);
  await app.drain();
  await app.sql('delete from notifications');
};
const isFollowed = () => app.world.follow('alice', 'bob');
const isLimited = () => app.sql(`update accounts set tags = '{mrf_tag:sandbox}' where id = $1`, [id('bob')]);
const isStaff = () => app.sql('update users set is_moderator = true where account_id = $1', [id('bob')]);

type Field = (typeof FIELDS)[number];
interface Case {
  readonly field: Field;
  readonly name: string;
  readonly listed: boolean;
  readonly before?: () => Promise<unknown>;
  readonly cause?: () => Promise<unknown>;
}

const direct = () => mention({ visibility: 'direct' });
const favourite = async () => {
  const { id: status } = await post(app, 'alice', 'tea');
  await bob.post(`/api/v1/statuses/${status}/favourite`).expect(200);
};
/** Alice writes to bob, who answers. */
const answered = (visibility: string) => async () => {
  const { id: first } = await post(app, 'alice', '@bob hello', { visibility });
  await mention({ visibility: 'direct', in_reply_to_id: first });
};

const CASES: readonly Case[] = [
  { field: 'for_not_following', name: 'a mention by a stranger', listed: false },
  { field: 'for_not_following', name: 'a favourite by a stranger', listed: false, cause: favourite },
  { field: 'for_not_following', name: 'a mention by a followed account', listed: true, before: isFollowed },
  { field: 'for_not_followers', name: 'a mention by an account that does not follow', listed: false },
  { field: 'for_not_followers', name: 'a mention by a follower', listed: true, before: () => isFollowedBack(4) },
  { field: 'for_not_followers', name: 'a mention by a new follower', listed: false, before: () => isFollowedBack(2) },
  { field: 'for_new_accounts', name: 'a mention by a new account', listed: false },
  { field: 'for_new_accounts', name: 'a mention by an old account', listed: true, before: becomesOld },
  { field: 'for_new_accounts', name: 'a mention by a new account that is followed', listed: true, before: isFollowed },
  { field: 'for_private_mentions', name: 'a public mention', listed: true },
  { field: 'for_private_mentions', name: 'a private mention', listed: false, cause: direct },
  {
    field: 'for_private_mentions',
    name: 'a private mention by a followed account',
    listed: true,
    before: isFollowed,
    cause: direct,
  },
  {
    field: 'for_private_mentions',
    name: 'a private answer to a private mention',
    listed: true,
    cause: answered('direct'),
  },
  {
    field: 'for_private_mentions',
    name: 'a private answer to a public mention',
    listed: false,
    cause: answered('public'),
  },
  { field: 'for_limited_accounts', name: 'a mention by an account without limits', listed: true },
  {
    field: 'for_limited_accounts',
    name: 'a mention by a limited account',
    listed: false,
    before: isLimited,
    cause: direct,
  },
  {
    field: 'for_limited_accounts',
    name: 'a mention by a limited account that is followed',
    listed: true,
    before: () => Promise.all([isLimited(), isFollowed()]),
    cause: direct,
  },
];

describe('the policy of notifications', () => {
  it('accepts everything at first, and is changed field by field', async () => {
    const first = await ok<NotificationPolicyJson>(alice.get(POLICY));
    expect(checkShape(NotificationPolicyShape, first)).toEqual([]);
    expect(first).toEqual({
      ...Object.fromEntries(FIELDS.map((field) => [field, 'accept'])),
      summary: { pending_requests_count: 0, pending_notifications_count: 0 },
    });
    for (const field of FIELDS) {
      expect(await ok(alice.put(POLICY, { [field]: 'filter' }))).toMatchObject({ [field]: 'filter' });
      expect(await ok(alice.patch(POLICY, { [field]: 'drop' }))).toMatchObject({ [field]: 'drop' });
    }
    expect(await ok(alice.get(POLICY))).toMatchObject(Object.fromEntries(FIELDS.map((field) => [field, 'drop'])));
    await alice.put(POLICY, { for_new_accounts: 'maybe' }).expect(400);
  });

  it('has an older form at /api/v1', async () => {
    const path = '/api/v1/notifications/policy';
    const summary = { pending_requests_count: 0, pending_notifications_count: 0 };
    const off = {
      filter_not_following: false,
      filter_not_followers: false,
      filter_new_accounts: false,
      filter_private_mentions: false,
      summary,
    };
    expect(await ok(alice.get(path))).toEqual(off);
    expect(await ok(alice.put(path, { filter_new_accounts: true }))).toEqual({ ...off, filter_new_accounts: true });
    expect(await ok(alice.get(POLICY))).toMatchObject({ for_new_accounts: 'filter', for_not_following: 'accept' });
    expect(await ok(alice.patch(path, { filter_new_accounts: false }))).toEqual(off);
  });

  it('drops notifications by strangers exactly while the settings block strangers', async () => {
    const settings = '/api/v1/svc/notification_settings';
    const isBlocked = async () => {
      const own = await ok<{ svc: { notification_settings: object } }>(
        alice.get('/api/v1/accounts/verify_credentials'),
      );
      return own.svc.notification_settings;
    };
    await setPolicy({ for_not_following: 'drop' });
    expect(await isBlocked()).toEqual({ block_from_strangers: true, hide_notification_contents: false });
    await alice.put(settings, { block_from_strangers: false }).expect(200);
    expect(await ok(alice.get(POLICY))).toMatchObject({ for_not_following: 'accept' });
    await setPolicy({ for_not_following: 'filter' });
    expect(await isBlocked()).toEqual({ block_from_strangers: false, hide_notification_contents: false });
    await alice.put(settings, { block_from_strangers: true }).expect(200);
    expect(await ok(alice.get(POLICY))).toMatchObject({ for_not_following: 'drop' });
  });

  it.each(CASES)('with $field lists $name: $listed', async ({ field, listed, before, cause = mention }) => {
    await before?.();
    for (const action of ['accept', 'filter', 'drop'] as const) {
      await setPolicy({ [field]: action });
      await app.sql('delete from notifications');
      await app.sql('delete from notification_requests');
      await cause();
      const isListed = action === 'accept' || listed;
      const shown = (await received()).length;
      expect([action, shown, (await requests()).length]).toEqual([
        action,
        isListed ? 1 : 0,
        isListed || action === 'drop' ? 0 : 1,
      ]);
      expect(await unread()).toBe(isListed ? 1 : 0);
    }
  });

  it('accepts mentions by the staff', async () => {
    await setPolicy({ for_not_following: 'drop', for_not_followers: 'drop', for_private_mentions: 'drop' });
    await isStaff();
    await direct();
    expect(await received()).toEqual(['mention bob']);
  });
});

describe('filtered notifications', () => {
  beforeEach(() => setPolicy({ for_not_following: 'filter' }));

  it('are neither pushed nor marked as read, and are listed on request', async () => {
    const { endpoint, keys } = new Subscriber('https://push.example/send/abc');
    const data = { alerts: { mention: true } };
    await alice.post('/api/v1/push/subscription', { subscription: { endpoint, keys }, data }).expect(200);
    const pushes = async () => {
      const { id: status } = await mention();
      await app.get(NotificationDispatcher).ofPost({ statusId: status });
      return (await app.sql(`delete from jobs where name = 'push.send' returning id`)).length;
    };
    expect(await pushes()).toBe(0);
    await setPolicy({ for_not_following: 'accept' });
    expect(await pushes()).toBe(1);
    await app.drain();
    await alice.post(`${LIST}/clear`).expect(200);
    await setPolicy({ for_not_following: 'filter' });
    await mention();
    expect(await received()).toEqual([]);
    expect(await received({ include_filtered: true })).toEqual(['mention bob']);
    const groups = async (query = {}) =>
      (await ok<{ notification_groups: unknown[] }>(alice.get('/api/v2/notifications', query))).notification_groups;
    expect(await groups()).toEqual([]);
    expect(await groups({ include_filtered: true })).toHaveLength(1);
    const ofSender = { account_id: id('bob') }; // apps open a request by it alone
    expect([await received(ofSender), (await groups(ofSender)).length]).toEqual([['mention bob'], 1]);
    expect(await received({ ...ofSender, include_filtered: false })).toEqual([]);
    expect(await received({ account_id: id('carol') })).toEqual([]);
    await alice.post('/api/v1/svc/notifications/read', { max_id: '9223372036854775807' }).expect(200, []);
    const [request] = await requests();
    await alice.post(`${REQUESTS}/${request!.id}/accept`).expect(200, {});
    expect(await unread()).toBe(1);
  });

  it('are in a request of their account, with the newest post', async () => {
    await mention();
    const { id: newest } = await mention();
    await post(app, 'carol', '@alice hello');
    const [carols, bobs] = await requests();
    expect(bobs).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      account: await ok(alice.get(`/api/v1/accounts/${id('bob')}`)),
      notifications_count: '2',
      last_status: await ok(alice.get(`/api/v1/statuses/${newest}`)),
    });
    expect(await ok(alice.get(`${REQUESTS}/${bobs!.id}`))).toEqual(bobs);
    expect((await requests({ limit: 1 })).map((each) => each.id)).toEqual([carols!.id]);
    expect((await requests({ max_id: carols!.id })).map((each) => each.id)).toEqual([bobs!.id]);
    expect((await requests({ min_id: bobs!.id })).map((each) => each.id)).toEqual([carols!.id]);
    expect(await ok(alice.get(POLICY))).toMatchObject({
      summary: { pending_requests_count: 2, pending_notifications_count: 3 },
    });
    await app.get(BlocksService).block(id('alice'), id('bob'), {});
    expect((await requests()).map((each) => each.id)).toEqual([carols!.id]);
  });

  it.each(['one', 'many'])('are listed when the request is accepted, like later ones: %s', async (how) => {
    await mention();
    const [request] = await requests();
    await bob.post(`${REQUESTS}/${request!.id}/accept`).expect(404);
    await (how === 'one'
      ? alice.post(`${REQUESTS}/${request!.id}/accept`).expect(200, {})
      : alice.post(`${REQUESTS}/accept`, { id: [request!.id, '987654321'] }).expect(200, {}));
    expect(await received()).toEqual(['mention bob']);
    expect(await requests()).toEqual([]);
    await mention();
    expect(await received()).toEqual(['mention bob', 'mention bob']);
    expect(await ok(alice.get(`${REQUESTS}/merged`))).toEqual({ merged: true });
    await alice.post(`${REQUESTS}/${request!.id}/accept`).expect(404);
    await setPolicy({ for_not_following: 'drop' });
    await mention();
    expect(await received()).toHaveLength(3);
  });

  it.each(['one', 'many'])(
    'are removed when the request is dismissed, and later notifications wait again: %s',
    async (how) => {
      await mention();
      const [request] = await requests();
      await (how === 'one'
        ? alice.post(`${REQUESTS}/${request!.id}/dismiss`).expect(200, {})
        : alice.post(`${REQUESTS}/dismiss`, { id: [request!.id] }).expect(200, {}));
      expect(await requests()).toEqual([]);
      expect(await received({ include_filtered: true })).toEqual([]);
      await alice.get(`${REQUESTS}/${request!.id}`).expect(404);
      await app.get(NotificationTrimService).trim();
      await mention();
      expect(await requests()).toHaveLength(1);
    },
  );

  it('leave no request behind when their causes are undone', async () => {
    const { id: status } = await mention();
    expect(await requests()).toHaveLength(1);
    await bob.delete(`/api/v1/statuses/${status}`).expect(200);
    expect(await requests()).toEqual([]);
    const left = () => app.sql('select from notification_requests');
    await app.get(NotificationTrimService).trim();
    expect(await left()).toHaveLength(1);
    await app.sql(`update notification_requests set updated_at = now() - interval '2 days'`);
    await app.get(NotificationTrimService).trim();
    expect(await left()).toEqual([]);
  });
});
