import { UsersService } from '../../../src/accounts/index.js';
import { RemotePostsService } from '../../../src/statuses/index.js';
import { type Decoder } from '../../support/decoders/decoder.js';
import { iceCubes } from '../../support/decoders/ice-cubes.js';
import { mastodonAndroid } from '../../support/decoders/mastodon-android.js';
import { tusky } from '../../support/decoders/tusky.js';
import { picture } from '../../support/fixtures/media-files.js';
import { ok, post, reblog, remotePost, REMOTE_PICTURE } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { Subscriber } from '../../support/servers/push-service.js';
import { checkShape } from '../../support/shape.js';

const APPS: readonly [name: string, agent: string, decoder: Decoder][] = [
  ['Tusky', 'Tusky/28.0 Android/15 OkHttp/4.12.0', tusky],
  ['Mastodon for Android', 'MastodonAndroid/2.11.0', mastodonAndroid],
  ['IceCubesApp', 'IceCubesApp/1 CFNetwork/1498 Darwin/23.6.0', iceCubes],
];

let app: TestApp;
let thread: string;

/** A server with posts of each visibility and kind, notifications and staff. */
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
  const media = await upload(app, 'bob', await picture('png', 60, 40));
  await post(app, 'bob', 'a picture', { media_ids: [media.id] });
  await post(app, 'bob', 'a poll', { poll: { options: ['a', 'b'], expires_in: 3600 } });
  const own = await post(app, 'alice', 'mine', { visibility: 'public' });
  await post(app, 'bob', 'a quote', { quote_id: own.id });
  await post(app, 'bob', 'an answer', { in_reply_to_id: own.id });
  await reblog(app, 'bob', own.id);
  await bob.post(`/api/v1/statuses/${own.id}/favourite`).expect(200);
  await bob.put(`/api/v1/svc/statuses/${own.id}/reactions/${encodeURIComponent('🍵')}`).expect(200);
  await app.world.follow('bob', 'alice');
  const zoe = await app.world.remote('zoe', 'far.test');
  const uri = 'https://far.test/objects/1';
  await app.get(RemotePostsService).create(remotePost({ uri, authorId: zoe.id }, { attachments: [REMOTE_PICTURE] }));
  await alice.post('/api/v2/filters', {
    title: 'tea',
    context: ['home', 'public'],
    filter_action: 'warn',
    keywords_attributes: [{ keyword: 'tea', whole_word: true }],
  });
  await app.drain();
  thread = own.id;
}

beforeAll(async () => {
  app = await startApp();
  await seed();
});
afterAll(() => app.close());

const endpoint = 'https://push.example/a';
const subscription = { endpoint, keys: new Subscriber(endpoint).keys };

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
  ['notification', () => '/api/v1/notifications'],
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

describe.each(APPS)('%s (%s) reads', (name, agent, decoder) => {
  it.each(ANSWERS)('each %s', async (kind, path) => {
    const client = await app.world.asWith(name, 'alice');
    await client.post('/api/v1/markers', { home: { last_read_id: thread } }).expect(200);
    const answer = await ok<unknown>(client.get(path()).set('user-agent', agent));
    const items: unknown[] = Array.isArray(answer) ? answer : [answer];
    expect(items.length).toBeGreaterThan(0);
    expect(items.flatMap((item) => checkShape(decoder[kind], item))).toEqual([]);
  });

  it('a push subscription', async () => {
    const client = await app.world.asWith(name, 'alice');
    const answer = await ok<unknown>(client.post('/api/v1/push/subscription', { subscription }));
    expect(checkShape(decoder.push, answer)).toEqual([]);
  });
});

it('Tusky would not read the shapes of the specification', async () => {
  const client = await app.world.asWith('Other', 'alice');
  const answer = await ok<unknown>(client.get('/api/v1/accounts/verify_credentials'));
  expect(checkShape(tusky.account, answer)).not.toEqual([]);
});
