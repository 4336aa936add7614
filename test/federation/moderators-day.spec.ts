import {
  type FiledReportJson,
  type ReportPageJson,
  ReportsService,
  type StaffReportJson,
} from '../../src/admin/index.js';
import type { ChatJson } from '../../src/chats/index.js';
import { SettingsService } from '../../src/config/index.js';
import { ReportReceived } from '../../src/federation/index.js';
import type { PlainStatusJson } from '../../src/statuses/index.js';
import { type Member, usePair } from '../support/federation/servers.js';
import { ok } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';
import { connect } from '../support/servers/sockets.js';

const ADMIN = '/api/v1/svc/admin';
const REPORTS = `${ADMIN}/reports`;
const MAY = ['reports', 'statuses'].flatMap((part) => [`admin:read:${part}`, `admin:write:${part}`]);

const pair = usePair();
/** On our server: alice, who is reported, her neighbour carol, and an administrator. */
let alice: Member;
let carol: Member;
let root: Client;
/** The moderator mary, as a user and with staff rights. */
let mary: Member;
let staff: Client;
/** On the other server: a user and an administrator. */
let bob: Member;
let there: Client;

beforeEach(async () => {
  await pair.reset();
  const { alpha, beta } = pair;
  [alice, carol, mary] = await Promise.all([alpha.member('alice'), alpha.member('carol'), alpha.member('mary')]);
  bob = await beta.member('bob');
  await Promise.all([alpha.world.person('root', { admin: true }), beta.world.person('boss', { admin: true })]);
  await alpha.sql('update users set is_moderator = true where account_id = $1', [mary.id]);
  await alpha.get(SettingsService).update([{ path: 'instance.moderator_privileges', value: MAY }]);
  [root, there] = await Promise.all([alpha.world.as('root', 'admin'), beta.world.as('boss', 'admin')]);
  staff = await alpha.world.as('mary', ...MAY);
  await carol.follow(alice);
  await bob.follow(alice);
  await alice.follow(bob);
  await pair.settle();
});

/** The places that show a post of alice to local users, visitors and the other server. */
async function shownAt(post: PlainStatusJson): Promise<string[]> {
  const { world, http, url } = pair.alpha;
  const visitor = world.anonymous;
  const has = async (path: string) => JSON.stringify((await visitor.get(path)).body).includes(post.uri);
  const page = (path: string) => http.get(path).set('Accept', 'text/html').redirects(0);
  const object = (address: string) => http.get(address.slice(url.length)).set('Accept', 'application/activity+json');
  const places: Record<string, boolean> = {
    actor: (await object(alice.uri)).status === 200,
    feed: (await http.get('/users/alice/feed.atom')).text.includes(post.uri),
    home: (await carol.home()).some(({ uri }) => uri === post.uri),
    object: (await object(post.uri)).status === 200,
    page: (await page(`/notice/${post.id}`)).status === 200,
    post: (await visitor.get(`/api/v1/statuses/${post.id}`)).status === 200,
    profile: (await visitor.get(`/api/v1/accounts/${alice.id}`)).status === 200,
    'profile page': (await page('/@alice')).status === 200,
    search: JSON.stringify((await carol.get('/api/v2/search', { q: 'shouting' })).body).includes(post.uri),
    statuses: await has(`/api/v1/accounts/${alice.id}/statuses`),
    timeline: await has('/api/v1/timelines/public?local=true'),
  };
  return Object.keys(places).filter((place) => places[place]);
}

const EVERYWHERE = ['actor', 'feed', 'home', 'object', 'page', 'post', 'profile', 'profile page', 'search'].concat(
  'statuses',
  'timeline',
);
const OF_THE_PERSON = ['actor', 'profile', 'profile page'];

/** The messages of the moderation log since the last call, the oldest first. */
let read = 0;
async function logged(): Promise<string[]> {
  const { items } = await ok<{ items: { message: string }[] }>(root.get(`${ADMIN}/moderation_log`, { page_size: 50 }));
  const messages = items.map(({ message }) => message).reverse();
  return messages.slice(read, (read = messages.length));
}

const openReports = async (client: Client) =>
  (await ok<ReportPageJson>(client.get(REPORTS, { state: 'open' }))).reports;

it('a moderator handles a report, from its arrival to the reactivation of the account', async () => {
  read = 0;
  const post = await alice.write('SHOUTING at everybody');
  const other = await alice.write('shouting again, less');
  await pair.settle();
  expect(await shownAt(post)).toEqual(EVERYWHERE);

  // Another server reports our post, and a local user reports a post of that server.
  const copy = (await bob.copyOf(post))!;
  const report = { account_id: copy.account.id, status_ids: [copy.id], comment: 'too loud', forward: true };
  await ok(bob.post('/api/v1/reports', report));
  const reply = await bob.write('no, YOU are too loud');
  await pair.settle();
  const answer = (await carol.copyOf(reply)) ?? (await alice.copyOf(reply))!;
  const back = { account_id: answer.account.id, status_ids: [answer.id], comment: 'rude', forward: true };
  const filed = await ok<FiledReportJson>(carol.post('/api/v1/reports', back));
  await pair.settle();
  expect(await openReports(there)).toMatchObject([
    { account: { acct: 'bob' }, content: 'rude', statuses: [{ uri: reply.uri }] },
    { account: { acct: alice.handle }, content: 'too loud' },
  ]);

  // Triage: the staff see both reports.
  const [ours, theirs] = await openReports(staff);
  expect([ours, theirs]).toMatchObject([
    { id: filed.id, account: { acct: bob.handle }, actor: { acct: 'carol' }, content: 'rude' },
    { account: { acct: 'alice', email: null }, content: 'too loud', statuses: [{ id: post.id }] },
  ]);
  await staff.post(`${REPORTS}/assign_account`, { reports: [{ id: theirs!.id, nickname: 'mary' }] }).expect(204);
  expect(await logged()).toEqual([`@mary assigned report #${theirs!.id} about @alice to @mary`]);
  await staff.post(`${REPORTS}/${theirs!.id}/notes`, { content: 'second time' }).expect(204);
  expect(await logged()).toEqual([`@mary added a note to report #${theirs!.id} about @alice: second time`]);

  // The moderator sends a warning.
  const { id: chat } = await ok<ChatJson>(mary.post(`/api/v1/svc/chats/by-account-id/${alice.id}`));
  await ok(mary.post(`/api/v1/svc/chats/${chat}/messages`, { content: 'Please be quiet' }));
  expect(await ok<ChatJson[]>(alice.get('/api/v1/svc/chats'))).toMatchObject([
    { account: { acct: 'mary' }, last_message: { content: 'Please be quiet' } },
  ]);

  // The post is deleted on both servers; the report keeps its text.
  await staff.delete(`${ADMIN}/statuses/${post.id}`).expect(200);
  await pair.settle();
  expect(await shownAt(post)).toEqual(OF_THE_PERSON);
  expect(await bob.copyOf(post)).toBeUndefined();
  expect(await shownAt(other)).toEqual(EVERYWHERE);
  expect(await logged()).toEqual([`@mary deleted status #${post.id}`]);
  await staff.patch(REPORTS, { reports: [{ id: theirs!.id, state: 'resolved' }] }).expect(204);
  expect(await ok<StaffReportJson>(staff.get(`${REPORTS}/${theirs!.id}`))).toMatchObject({
    state: 'resolved',
    statuses: [{ content: '<p>SHOUTING at everybody</p>' }],
    assigned_account: { acct: 'mary' },
    notes: [{ content: 'second time', user: { acct: 'mary' } }],
  });
  expect(await logged()).toEqual([`@mary set the state of report #${theirs!.id} about @alice to resolved`]);

  // An administrator deactivates the account, which moderators may not do.
  const stream = await connect(pair.alpha, { stream: 'user', access_token: alice.token });
  await staff.patch(`${ADMIN}/users/deactivate`, { nicknames: ['alice'] }).expect(403);
  await ok(root.patch(`${ADMIN}/users/deactivate`, { nicknames: ['alice'] }));
  expect((await stream.closed).code).toBe(1008);
  await pair.settle();
  expect(await shownAt(other)).toEqual([]);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(401);
  expect(await logged()).toEqual(['@root deactivated users: @alice']);

  // A neighbour speaks for alice, and an administrator activates her account again.
  await carol.write('@mary alice is sorry', { visibility: 'direct' });
  await pair.settle();
  expect(await mary.notifications('mention')).toMatchObject([
    { status: { content: expect.stringContaining('alice is sorry') } },
  ]);
  await ok(root.patch(`${ADMIN}/users/activate`, { nicknames: ['alice'] }));
  await pair.settle();
  expect(await shownAt(other)).toEqual(EVERYWHERE);
  expect(await shownAt(post)).toEqual(OF_THE_PERSON);
  await ok(alice.get('/api/v1/accounts/verify_credentials'));
  const quiet = await alice.write('sorry');
  await pair.settle();
  expect(await bob.copyOf(quiet)).toBeDefined();
  expect(await logged()).toEqual(['@root activated users: @alice']);
});

it('what the staff delete and change of a deactivated account ends on the other server too', async () => {
  const [deleted, changed] = [await alice.write('SHOUTING'), await alice.write('shouting, less')];
  const boosted = await bob.write('a quiet post');
  await pair.settle();
  const boost = await alice.act(boosted, 'reblog');
  await pair.settle();
  expect(await bob.act(boosted, 'bookmark')).toMatchObject({ reblogs_count: 1 });

  await ok(root.patch(`${ADMIN}/users/deactivate`, { nicknames: ['alice'] }));
  for (const { id } of [deleted, boost]) await staff.delete(`${ADMIN}/statuses/${id}`).expect(200);
  await ok(staff.put(`${ADMIN}/statuses/${changed.id}`, { sensitive: true, visibility: 'private' }));
  await pair.settle();
  expect(await bob.copyOf(deleted)).toBeUndefined();
  expect(await bob.copyOf(changed)).toMatchObject({ sensitive: true });
  expect(await bob.act(boosted, 'unbookmark')).toMatchObject({ reblogs_count: 0 });
});

it('a report of another server shows the posts that accounts there may read, and no others', async () => {
  const direct = await alice.write(`@${bob.handle} go away`, { visibility: 'direct' });
  const forFollowers = await alice.write('they are fools', { visibility: 'private' });
  const forOthers = await alice.write('@carol only for you', { visibility: 'direct' });
  await pair.settle();
  const copies = await Promise.all([direct, forFollowers].map((post) => bob.copyOf(post)));
  const report = { account_id: copies[0]!.account.id, status_ids: copies.map((copy) => copy!.id), forward: true };
  await ok(bob.post('/api/v1/reports', report));
  await pair.settle();
  expect((await openReports(staff))[0]?.statuses.map(({ id }) => id).sort()).toEqual(
    [direct.id, forFollowers.id].sort(),
  );
  const [row] = await pair.alpha.sql<{ actor_id: string }>('select actor_id from reports');
  await pair.alpha
    .get(ReportsService)
    .fileReceived(new ReportReceived('AReport00000000002', row!.actor_id, alice.id, [direct.id, forOthers.id], 'rude'));
  const again = await ok<StaffReportJson>(staff.get(`${REPORTS}/AReport00000000002`));
  expect(again.statuses.map(({ id }) => id)).toEqual([direct.id]);
});
