import { BlocksService } from '../../../src/accounts/index.js';
import { SettingsService, VapidKeys } from '../../../src/config/index.js';
import { hashToken, newToken, Outbound } from '../../../src/platform/index.js';
import { useApp } from '../../support/servers/app.js';
import { eventually } from '../../support/eventually.js';
import { notificationsOf } from '../../support/fixtures/notifications.js';
import { PushService, type Subscriber, usePushService, vapidClaims } from '../../support/servers/push-service.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';

const PATH = '/api/v1/push/subscription';
const EVERYTHING = {
  mention: true,
  status: true,
  reblog: true,
  favourite: true,
  follow: true,
  follow_request: true,
  poll: true,
  update: true,
  quote: true,
  quoted_update: true,
  'svc:chat_mention': true,
};

const service = usePushService();
const app = useApp({ people: ['alice', 'bob', 'carol'], env: { ALLOWED_PRIVATE_ADDRESSES: PushService.HOST } });
let device: Subscriber;

beforeEach(async () => {
  device = await subscribe();
  service.take();
});

const id = (nickname: string) => app.world.id(nickname);

/** Subscribes a device of alice; `data` as the app sends it. */
async function subscribe(data: object = { alerts: EVERYTHING }, name = 'device', options: object = {}) {
  const subscriber = service.subscriber(name);
  const { endpoint, keys } = subscriber;
  const client = await app.world.as('alice', ...(name === 'device' ? [] : ['push', 'read']));
  await ok(client.post(PATH, { subscription: { endpoint, keys, ...options }, data }));
  return subscriber;
}

/** Runs all due jobs and returns the pushes that alice's device got. */
async function pushed(): Promise<Record<string, unknown>[]> {
  await app.drain();
  return service.take().map((push) => device.open(push));
}

const subscriptions = () => app.sql('select from push_subscriptions');
/** Makes all jobs due that wait for another try. */
const hurry = () => app.sql('update jobs set run_at = now() where parked_at is null');
const waiting = () =>
  app.sql<{ attempts: number; last_error: string; wait: number }>(
    `select attempts, last_error, extract(epoch from run_at - now())::int as wait from jobs where name = 'push.send'`,
  );

describe('a push', () => {
  it('V12 contains the data that an app shows, readable for this app only', async () => {
    const { token } = await app.world.as('alice');
    const { id: postId, content } = await post(app, 'bob', '@alice  see you\nat five', { visibility: 'unlisted' });
    await app.drain();
    const [push] = service.take();
    const [notification] = await notificationsOf(app, 'alice');
    expect(device.open(push!)).toEqual({
      access_token: token,
      preferred_locale: 'en',
      notification_id: Number(notification!.id),
      notification_type: 'mention',
      icon: notification!.account.avatar,
      title: 'New Mention',
      body: '@bob: @alice see you at five',
      svc: { activity_id: postId, direct_conversation_id: null },
    });
    expect(content).toContain('at five');
    expect(JSON.stringify(push!.headers) + push!.body.toString('latin1')).not.toMatch(/at five|@bob|alice/);
    expect(push).toMatchObject({ path: '/push/device' });
    expect(push!.headers).toMatchObject({
      ttl: '172800',
      urgency: 'normal',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      'content-encoding': 'aesgcm',
      'content-length': String(push!.body.length),
    });
  });

  it('is signed with the key that apps know, for this push service and a short time', async () => {
    await app.get(SettingsService).update([{ path: 'instance.email', value: 'us@svc.test' }]);
    await post(app, 'bob', '@alice hello');
    await app.drain();
    const [push] = service.take();
    const claims = vapidClaims(push!, await app.get(VapidKeys).publicKey());
    expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:us@svc.test' });
    const left = claims.exp - Date.now() / 1000;
    expect(left > 0 && left <= 86_400).toBe(true);
    await app.get(SettingsService).reset('instance.email');
  });

  it('uses the standard encryption if the app or the operator chooses it, else the older one', async () => {
    device = await subscribe({ alerts: EVERYTHING }, 'device', { standard: true });
    await post(app, 'bob', '@alice one');
    await app.drain();
    const [push] = service.take();
    expect(push!.headers['content-encoding']).toBe('aes128gcm');
    expect(device.open(push!)).toMatchObject({ body: '@bob: @alice one' });
    expect(vapidClaims(push!, await app.get(VapidKeys).publicKey())).toMatchObject({ aud: service.origin });
    const encoding = async (options: object) => {
      await subscribe({ alerts: EVERYTHING }, 'device', options);
      await post(app, 'bob', '@alice two');
      await app.drain();
      return service.take().map(({ headers }) => headers['content-encoding']);
    };
    expect([await encoding({}), await encoding({ standard: false })]).toEqual([['aesgcm'], ['aesgcm']]);
    await app.get(SettingsService).update([{ path: 'push.legacy_encryption', value: false }]);
    expect([await encoding({}), await encoding({ standard: false })]).toEqual([['aes128gcm'], ['aesgcm']]);
    await app.get(SettingsService).reset('push.legacy_encryption');
  });

  it('has a title and a text for its type', async () => {
    const texts = async () =>
      (await pushed()).map(({ notification_type, title, body }) => [notification_type, title, body]);
    const { id: hers } = await post(app, 'alice', 'tea time');
    await post(app, 'bob', '@alice psst', { visibility: 'direct' });
    expect(await texts()).toEqual([['mention', 'New Direct Message', '@bob: @alice psst']]);
    await post(app, 'bob', `@alice ${'x'.repeat(200)}`, { spoiler_text: 'long' });
    expect(await texts()).toEqual([['mention', 'New Mention', '@bob: long']]);
    await post(app, 'bob', `@alice ${'é'.repeat(200)}`);
    expect(await texts()).toEqual([['mention', 'New Mention', `@bob: @alice ${'é'.repeat(72)}…`]]);
    await ok((await app.world.as('bob')).post(`/api/v1/statuses/${hers}/favourite`));
    expect(await texts()).toEqual([['favourite', 'New Favorite', '@bob has favorited your post']]);
    await reblog(app, 'carol', hers);
    expect(await texts()).toEqual([['reblog', 'New Repeat', '@carol repeated: tea time']]);
    const { id: quote } = await post(app, 'carol', 'so true', { quote_id: hers });
    expect(await texts()).toEqual([['quote', 'New Quote', '@carol: so true']]);
    await Promise.all([reblog(app, 'alice', quote), post(app, 'alice', 'see', { quote_id: quote })]);
    await app.drain();
    await ok((await app.world.as('carol')).put(`/api/v1/statuses/${quote}`, { status: 'so false' }));
    const edits = (await texts()).map(([, , text]) => text).toSorted();
    expect(edits).toEqual(['@carol edited a post that you quoted', '@carol: so false']);
    await app.world.follow('carol', 'alice');
    expect(await texts()).toEqual([['follow', 'New Follower', '@carol has followed you']]);
    await app.world.remote('mallory', 'far.test');
    await app.world.follow('mallory@far.test', 'alice');
    expect(await texts()).toEqual([['follow', 'New Follower', '@mallory@far.test has followed you']]);
    await app.sql('update accounts set locked = true, version = version + 1 where id = $1', [id('alice')]);
    await app.world.follow('bob', 'alice');
    expect(await texts()).toEqual([['follow_request', 'New Follow Request', '@bob wants to follow you']]);
    await app.sql(`update users set locale = 'de-AT'`);
    await post(app, 'bob', '@alice Servus');
    expect(await pushed()).toMatchObject([
      { preferred_locale: 'de', title: 'Neue Erwähnung', body: '@bob: @alice Servus' },
    ]);
  });

  it('names the status, and the conversation of a direct message', async () => {
    const { id: direct } = await post(app, 'bob', '@alice psst', { visibility: 'direct' });
    const [conversation] = await ok<{ id: string }[]>((await app.world.as('alice')).get('/api/v1/conversations'));
    const place = { activity_id: direct, direct_conversation_id: conversation!.id };
    expect(await pushed()).toMatchObject([{ svc: place }]);
    await app.world.follow('bob', 'alice');
    expect(await pushed()).toMatchObject([{ svc: { activity_id: null, direct_conversation_id: null } }]);
  });

  it('hides contents if the receiver chose so', async () => {
    await ok((await app.world.as('alice')).put('/api/svc/notification_settings', { hide_notification_contents: true }));
    await post(app, 'bob', '@alice my secret', { spoiler_text: 'secret too' });
    const [push] = await pushed();
    // Some apps drop a push without a title.
    expect(push).toMatchObject({ title: 'New Mention', body: 'New Mention', notification_type: 'mention' });
    expect(JSON.stringify(push)).not.toMatch(/secret|@bob/);
  });

  it('carries the new token after a renewal', async () => {
    const { token } = await app.world.as('alice');
    const renewal = { grant_type: 'refresh_token', refresh_token: newToken() };
    const [client] = await app.sql<{ client_id: string; client_secret: string }>(
      `with t as (update oauth_tokens set refresh_hash = $2 where token_hash = $1 returning app_id)
       select client_id, client_secret from oauth_apps, t where id = app_id`,
      [hashToken(token), hashToken(renewal.refresh_token)],
    );
    const renewed = await ok<{ access_token: string }>(
      app.world.anonymous.post('/oauth/token', { ...client, ...renewal }),
    );
    await eventually(async () => {
      await post(app, 'bob', '@alice hello');
      expect(await pushed()).toMatchObject([{ access_token: renewed.access_token }]);
    });
  });

  it('omits an invalid token', async () => {
    await app.sql(`update oauth_tokens set token_hash = '\\x00' where account_id = $1`, [id('alice')]);
    await post(app, 'bob', '@alice hello');
    const [push] = await pushed();
    expect(push).not.toHaveProperty('access_token');
    expect(push).toMatchObject({ body: '@bob: @alice hello' });
  });

  it('goes to each device that asks for its type, and to no other', async () => {
    const phone = await subscribe({ alerts: { mention: true } }, 'phone');
    const bob = service.subscriber('bob');
    await ok(
      (await app.world.as('bob')).post(PATH, {
        subscription: { endpoint: bob.endpoint, keys: bob.keys },
        data: { alerts: EVERYTHING },
      }),
    );
    const { id: hers } = await post(app, 'alice', 'tea');
    await post(app, 'carol', '@alice hello');
    await app.drain();
    const first = service.take();
    expect(first.map(({ path }) => path).sort()).toEqual(['/push/device', '/push/phone']);
    expect(phone.open(first.find(({ path }) => path === '/push/phone')!)).toMatchObject({
      body: '@carol: @alice hello',
    });
    expect(() => phone.open(first.find(({ path }) => path === '/push/device')!)).toThrow();
    await ok((await app.world.as('carol')).post(`/api/v1/statuses/${hers}/favourite`));
    await app.drain();
    expect(service.take().map(({ path }) => path)).toEqual(['/push/device']);
  });

  it('goes to at most twenty devices of one account', async () => {
    await app.sql(
      `with t as (
         insert into oauth_tokens (app_id, account_id, token_hash, scopes, expires_at)
         select app_id, account_id, decode(md5(n::text), 'hex'), scopes, expires_at
         from oauth_tokens, generate_series(1, 30) n where account_id = $1 returning id)
       insert into push_subscriptions (token_id, account_id, endpoint, p256dh, auth, alerts, policy, token_sealed)
       select t.id, account_id, endpoint, p256dh, auth, alerts, policy, token_sealed from push_subscriptions, t`,
      [id('alice')],
    );
    await post(app, 'bob', '@alice hello');
    for (let round = 0; round < 3; round += 1) await app.drain();
    const [counted] = await app.sql<{ count: number }>(`select count(*)::int from jobs where name = 'push.send'`);
    expect(service.take().length + counted!.count).toBe(20);
  });
});

/** Makes a push of a mention by bob whose first try fails. */
async function waitingPush(answer: readonly [number, Record<string, string>?] = [503]) {
  service.answer(answer);
  const status = await post(app, 'bob', '@alice hello');
  await app.drain();
  expect(service.take()).toHaveLength(1);
  return status;
}

describe('no push is sent', () => {
  const blocks = () => app.get(BlocksService);
  const deactivate = (nickname: string) =>
    app.sql('update accounts set deactivated_at = now() where id = $1', [id(nickname)]);

  it.each<[string, () => Promise<unknown>]>([
    ['about a blocked account', () => blocks().block(id('alice'), id('bob'), {})],
    ['about a blocking account', () => blocks().block(id('bob'), id('alice'), {})],
    ['about a muted account', () => blocks().mute(id('alice'), id('bob'), {})],
    ['about a deactivated account', () => deactivate('bob')],
    [
      'about a post that a filter hides',
      async () => {
        const words = [{ keyword: 'hello' }, { keyword: 'again' }];
        const filter = {
          title: 'quiet',
          context: ['notifications'],
          filter_action: 'hide',
          keywords_attributes: words,
        };
        await ok((await app.world.as('alice')).post('/api/v2/filters', filter));
      },
    ],
    ['to a deactivated account', () => deactivate('alice')],
    [
      'after the sign-in expired',
      () => app.sql('update oauth_tokens set expires_at = now() where account_id = $1', [id('alice')]),
    ],
    ['after the sign-in ended', () => app.sql('delete from oauth_tokens where account_id = $1', [id('alice')])],
    ['when only other alerts are on', () => subscribe({ alerts: { ...EVERYTHING, mention: false } })],
    ['when no alert is named', () => subscribe({})],
    ['with the policy none', () => subscribe({ alerts: EVERYTHING, policy: 'none' })],
    ['about strangers with the policy followed', () => subscribe({ alerts: EVERYTHING, policy: 'followed' })],
    ['about strangers with the policy follower', () => subscribe({ alerts: EVERYTHING, policy: 'follower' })],
  ])('%s, neither for new nor for waiting notifications', async (_case, change) => {
    await waitingPush();
    await change();
    await hurry();
    expect(await pushed()).toEqual([]);
    await app.world.as('bob').then((bob) => bob.post('/api/v1/statuses', { status: '@alice again' }));
    expect(await pushed()).toEqual([]);
  });

  it('about notifications that were deleted, read or dismissed meanwhile', async () => {
    const alice = await app.world.as('alice');
    const { id: deleted } = await waitingPush();
    await ok((await app.world.as('bob')).delete(`/api/v1/statuses/${deleted}`));
    await waitingPush();
    await ok(alice.post('/api/v1/notifications/clear'));
    await waitingPush();
    await ok(alice.post('/api/v1/svc/notifications/read', { max_id: '9223372036854775806' }));
    await hurry();
    expect(await pushed()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('about accounts outside the policy', async () => {
    await app.world.follow('bob', 'alice');
    await app.world.follow('alice', 'carol');
    await app.drain();
    service.take();
    const received = async (policy: string) => {
      device = await subscribe({ alerts: EVERYTHING, policy });
      await post(app, 'bob', '@alice hello');
      await post(app, 'carol', '@alice hello');
      return (await pushed()).map(({ body }) => body).sort();
    };
    const [bob, carol] = ['@bob: @alice hello', '@carol: @alice hello'];
    expect([await received('follower'), await received('followed'), await received('all')]).toEqual([
      [bob],
      [carol],
      [bob, carol],
    ]);
  });
});

describe('a push service', () => {
  it.each([404, 410])('that answers %d is never used again', async (status) => {
    await waitingPush([status]);
    expect(await subscriptions()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it.each([400, 401, 403, 413, 302])('that answers %d loses this push and keeps its subscription', async (status) => {
    await waitingPush([status, { location: `${service.origin}/elsewhere` }]);
    expect(await waiting()).toEqual([]);
    expect(await subscriptions()).toHaveLength(1);
    await post(app, 'bob', '@alice again');
    expect(await pushed()).toMatchObject([{ body: '@bob: @alice again' }]);
  });

  it.each([500, 503, 429, 408])('that answers %d gets the push again with the same topic', async (status) => {
    service.answer([status]);
    await post(app, 'bob', '@alice hello');
    await app.drain();
    const [first] = service.take();
    expect(await waiting()).toMatchObject([{ attempts: 1, last_error: `the push service answered ${status}` }]);
    await hurry();
    await app.drain();
    const [second] = service.take();
    expect(device.open(second!)).toEqual(device.open(first!));
    expect(second!.headers.topic).toBe(first!.headers.topic);
    expect(second!.body.equals(first!.body)).toBe(false);
    expect(await waiting()).toEqual([]);
  });

  it('can delay the next try by up to an hour', async () => {
    await waitingPush([429, { 'retry-after': '600' }]);
    const waits = async () => (await waiting()).map(({ wait }) => Math.round(wait / 60));
    expect(await waits()).toEqual([10]);
    await waitingPush([429, { 'retry-after': '90000' }]);
    expect((await waits()).sort()).toEqual([10, 60]);
  });

  it('that stays unavailable gets no further try after half an hour', async () => {
    await waitingPush();
    await app.sql(`update notifications set created_at = now() - interval '31 minutes'`);
    service.answer([503]);
    await hurry();
    expect(await pushed()).toHaveLength(1);
    expect(await waiting()).toEqual([]);
    expect(await subscriptions()).toHaveLength(1);
  });

  it('that is unreachable gets another try', async () => {
    const other = await PushService.start();
    const { endpoint } = other.subscriber();
    await other.close();
    await app.sql('update push_subscriptions set endpoint = $1', [endpoint]);
    await post(app, 'bob', '@alice hello');
    await app.drain();
    expect(await waiting()).toMatchObject([{ last_error: 'network' }]);
  });

  it('S1 S2 whose name resolves to a private address is never contacted', async () => {
    app.get(Outbound).configure({ resolve: () => Promise.resolve([{ address: '10.0.0.8', family: 4 }]) });
    await app.sql(`update push_subscriptions set endpoint = 'https://push.example/secret'`);
    await post(app, 'bob', '@alice hello');
    await app.drain();
    expect(await waiting()).toEqual([]);
  });
});
