import { UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { AnnouncementsService } from '../../../src/instance/index.js';
import { NOTIFICATION_TYPES } from '../../../src/notifications/model/notification.types.js';
import { RemoteStatusesService } from '../../../src/statuses/index.js';
import { type Decoder } from '../../support/decoders/decoder.js';
import { iceCubes } from '../../support/decoders/ice-cubes.js';
import { mastodonAndroid } from '../../support/decoders/mastodon-android.js';
import { mastodonWeb } from '../../support/decoders/mastodon-web.js';
import { tusky } from '../../support/decoders/tusky.js';
import { mp4, picture, wav } from '../../support/fixtures/media-files.js';
import { ok, post, reblog, remoteStatus, REMOTE_PICTURE } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import { useApp } from '../../support/servers/app.js';
import { Subscriber } from '../../support/servers/push-service.js';
import { useWebHost, WEB_HOST_ADDRESS } from '../../support/servers/web-host.js';
import { checkShape } from '../../support/shape.js';

const APPS: readonly [name: string, agent: string, decoder: Decoder, listed?: string[]][] = [
  ['Tusky', 'Tusky/28.0 Android/15 OkHttp/4.12.0', tusky],
  ['Mastodon for Android', 'MastodonAndroid/2.11.0', mastodonAndroid],
  ['IceCubesApp', 'IceCubesApp/1 CFNetwork/1498 Darwin/23.6.0', iceCubes],
  ['Mastodon 4.6', 'Mozilla/5.0', mastodonWeb, ['*']],
];

const web = useWebHost();
const app = useApp({ once: [], env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let thread: string;

/** A server with posts of each visibility and kind, notifications of each type, and staff. */
async function seed(): Promise<void> {
  await app.world.persons('alice', 'bob');
  await app.get(UsersService).setRole(app.world.id('alice'), { isAdmin: true });
  await app.get(UsersService).setRole(app.world.id('bob'), { isModerator: true });
  await app.world.follow('alice', 'bob');
  const alice = await app.world.as('alice');
  const bob = await app.world.as('bob');
  await alice.patch('/api/v1/accounts/update_credentials', { source: { privacy: 'local' } }).expect(200);
  const { id: listId } = await ok<{ id: string }>(bob.post('/api/v1/lists', { title: 'Friends' }));
  await alice.post('/api/v1/lists', { title: 'Friends' }).expect(200);
  for (const visibility of ['public', 'unlisted', 'private', 'direct', 'local', `list:${listId}`])
    await post(app, 'bob', `@alice ${visibility} #tea`, { visibility });
  for (const file of [await picture('png', 60, 40), mp4(), wav()]) {
    const { id } = await upload(app, 'bob', file);
    await post(app, 'bob', 'a file', { media_ids: [id] });
  }
  web.page(
    '/tea',
    '<meta property="og:title" content="Tea"><meta name="author" content="Zoe"><meta property="og:image" content="/a.png">',
  );
  await post(app, 'bob', `a page: ${web.origin}/tea`);
  const poll = await post(app, 'bob', 'a poll', { poll: { options: ['a', 'b'], expires_in: 3600 } });
  await alice.post(`/api/v1/polls/${poll.poll!.id}/votes`, { choices: [0] }).expect(200);
  const own = await post(app, 'alice', 'mine', { visibility: 'public' });
  await post(app, 'bob', 'a quote', { quote_id: own.id });
  await post(app, 'bob', 'an answer', { in_reply_to_id: own.id });
  await reblog(app, 'bob', own.id);
  await bob.post(`/api/v1/statuses/${own.id}/favourite`).expect(200);
  await bob.put(`/api/v1/svc/statuses/${own.id}/reactions/${encodeURIComponent('🍵')}`).expect(200);
  await app.world.follow('bob', 'alice');
  const zoe = await app.world.remote('zoe', 'far.test');
  const uri = 'https://far.test/objects/1';
  await app
    .get(RemoteStatusesService)
    .create(remoteStatus({ uri, authorId: zoe.id }, { attachments: [REMOTE_PICTURE] }));
  await alice.post('/api/v2/filters', {
    title: 'tea',
    context: ['home', 'public'],
    filter_action: 'warn',
    keywords_attributes: [{ keyword: 'tea', whole_word: true }],
  });
  await seedNotifications(own.id);
  thread = own.id;
}

/** Notifications of the types that {@link seed} does not cause. */
async function seedNotifications(ownId: string): Promise<void> {
  const alice = await app.world.as('alice');
  const bob = await app.world.as('bob');
  await app.world.person('carol');
  const carol = await app.world.as('carol');
  await alice.patch('/api/v1/accounts/update_credentials', { locked: true }).expect(200);
  await carol.post(`/api/v1/accounts/${app.world.id('alice')}/follow`).expect(200);
  await alice.post(`/api/v1/accounts/${app.world.id('bob')}/follow`, { notify: true }).expect(200);
  const { id } = await post(app, 'bob', 'as it was');
  await reblog(app, 'alice', id);
  await bob.put(`/api/v1/statuses/${id}`, { status: 'as it is' }).expect(200);
  await post(app, 'alice', 'a quote', { quote_id: id });
  await bob.put(`/api/v1/statuses/${id}`, { status: 'as it will be' }).expect(200);
  await app.sql(`update polls set expires_at = now() - interval '1 minute'`);
  await app.sql('update jobs set run_at = now() where run_at > now()');
  await carol.post('/api/v1/reports', { account_id: app.world.id('bob'), status_ids: [id], comment: 'x' }).expect(200);
  await alice.post('/api/v1/statuses', { status: 'later', scheduled_at: new Date(Date.now() + 3_600_000) }).expect(200);
  await app.get(AnnouncementsService).create({ content: `@bob #tea ${ownId}` });
  await app.drain();
}

beforeAll(() => seed());

const endpoint = 'https://push.example/a';
const subscription = { endpoint, keys: new Subscriber(endpoint).keys };

const TYPES: readonly string[] = NOTIFICATION_TYPES.filter((type) => type !== 'move' && type !== 'svc:chat_mention');

it('the notifications of these tests have every type', async () => {
  const alice = await app.world.as('alice');
  const list = await ok<{ type: string }[]>(alice.get('/api/v1/notifications', { limit: 40, types: TYPES }));
  expect(list.map(({ type }) => type).sort()).toEqual(expect.arrayContaining([...TYPES].sort()));
});

/** The answers by path; those in lists are read one by one. */
const ANSWERS: readonly [kind: keyof Decoder, path: () => string][] = [
  ['account', () => '/api/v1/accounts/verify_credentials'],
  ['account', () => `/api/v1/accounts/${app.world.id('bob')}`],
  ['account', () => `/api/v1/accounts/${app.world.id('zoe@far.test')}`],
  ['account', () => `/api/v1/accounts/${app.world.id('alice')}/followers`],
  ['status', () => '/api/v1/timelines/home'],
  ['status', () => '/api/v1/timelines/public'],
  ['status', () => `/api/v1/accounts/${app.world.id('bob')}/statuses`],
  ['status', () => `/api/v1/accounts/${app.world.id('zoe@far.test')}/statuses`],
  ['notification', () => `/api/v1/notifications?limit=40${TYPES.map((type) => `&types[]=${type}`).join('')}`],
  ['groups', () => '/api/v2/notifications?limit=40'],
  ['policy', () => '/api/v2/notifications/policy'],
  ['profile', () => '/api/v1/profile'],
  ['conversation', () => '/api/v1/conversations'],
  ['announcement', () => '/api/v1/announcements'],
  ['tag', () => '/api/v1/tags/tea'],
  ['tag', () => '/api/v1/tags/unused'],
  ['scheduled', () => '/api/v1/scheduled_statuses'],
  ['relationship', () => `/api/v1/accounts/relationships?id[]=${app.world.id('bob')}`],
  ['instanceV1', () => '/api/v1/instance'],
  ['instanceV2', () => '/api/v2/instance'],
  ['filter', () => '/api/v2/filters'],
  ['list', () => '/api/v1/lists'],
  ['markers', () => '/api/v1/markers?timeline[]=home'],
  ['context', () => `/api/v1/statuses/${thread}/context`],
  ['search', () => '/api/v2/search?q=tea'],
  ['search', () => '/api/v2/search?q=alice'],
];

describe.each(APPS)('%s (%s) reads', (name, agent, decoder, listed) => {
  beforeAll(async () => {
    if (listed) await app.get(SettingsService).update([{ path: 'apps.reference_shapes', value: listed }]);
  });

  it.each(ANSWERS.filter(([kind]) => decoder[kind]))('each %s', async (kind, path) => {
    const client = await app.world.asWith(name, 'alice');
    await client.post('/api/v1/markers', { home: { last_read_id: thread } }).expect(200);
    const answer = await ok<unknown>(client.get(path()).set('user-agent', agent));
    const items: unknown[] = Array.isArray(answer) ? answer : [answer];
    expect(items.length).toBeGreaterThan(0);
    expect(items.flatMap((item) => checkShape(decoder[kind]!, item))).toEqual([]);
  });

  it('a push subscription', async () => {
    const client = await app.world.asWith(name, 'alice');
    const answer = await ok<unknown>(client.post('/api/v1/push/subscription', { subscription }));
    expect(checkShape(decoder.push, answer)).toEqual([]);
  });
});

it('Tusky cannot read the shapes of the specification', async () => {
  await app.get(SettingsService).update([{ path: 'apps.reference_shapes', value: [] }]);
  const client = await app.world.asWith('Other', 'alice');
  const answer = await ok<unknown>(client.get('/api/v1/accounts/verify_credentials'));
  expect(checkShape(tusky.account, answer)).not.toEqual([]);
});
