import { VapidKeys } from '../../../src/config/index.js';
import { type PushSubscriptionJson, PushSubscriptionShape } from '../../../src/notifications/index.js';
import { PushSubscriptionRepository } from '../../../src/notifications/push/push-subscription.repository.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { Subscriber } from '../../support/servers/push-service.js';
import { checkShape } from '../../support/shape.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/push/subscription';
const ENDPOINT = 'https://push.example/send/abc';
const ALL_OFF = {
  mention: false,
  status: false,
  reblog: false,
  favourite: false,
  follow: false,
  follow_request: false,
  poll: false,
  update: false,
  quote: false,
  quoted_update: false,
  'svc:chat_mention': false,
  'svc:emoji_reaction': false,
};

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const { keys } = new Subscriber(ENDPOINT);
const subscription = { endpoint: ENDPOINT, keys };
const subscribe = async (data?: object, client = alice) => {
  const body = await ok<PushSubscriptionJson>(client.post(PATH, { subscription, ...(data && { data }) }));
  expect(checkShape(PushSubscriptionShape, body)).toEqual([]);
  return body;
};
const stored = () => app.sql<{ id: string; endpoint: string }>('select id, endpoint from push_subscriptions');

describe('a subscription whose push service ended it', () => {
  it('is removed, unless its app has set another endpoint meanwhile', async () => {
    const { id } = await subscribe();
    const subscriptions = app.get(PushSubscriptionRepository);
    await subscriptions.removeGone(id, 'https://push.example/send/before');
    expect(await stored()).toEqual([{ id, endpoint: ENDPOINT }]);
    await subscriptions.removeGone(id, ENDPOINT);
    expect(await stored()).toEqual([]);
  });
});

describe('a subscription to web push', () => {
  it.each([
    [{ follow: true }, true],
    [{ follow: true, follow_request: false }, false],
    [{ follow: false, follow_request: true }, true],
    [{ follow: false }, false],
    [{ mention: true }, false],
  ])('has the switch of follows for follow requests until it states one: %j', async (alerts, isOn) => {
    expect(await subscribe({ alerts })).toMatchObject({ alerts: { follow_request: isOn } });
    await alice.put(PATH, { data: { alerts: {} } }).expect(200);
    expect(await ok(alice.put(PATH, { data: { alerts } }))).toMatchObject({ alerts: { follow_request: isOn } });
  });

  it('can be created, read, changed and deleted', async () => {
    const made = await subscribe({ alerts: { mention: true, follow: '1', reblog: 'false', nonsense: true } });
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      endpoint: ENDPOINT,
      standard: false,
      server_key: await app.get(VapidKeys).publicKey(),
      policy: 'all',
      alerts: { ...ALL_OFF, mention: true, follow: true, follow_request: true },
    });
    expect(await ok<object>(alice.get(PATH))).toEqual(made);
    expect(await ok<object>(alice.get(`${PATH}/`))).toEqual(made);
    const changed = { ...made, policy: 'followed', alerts: { ...ALL_OFF, 'svc:emoji_reaction': true } };
    const data = { alerts: { 'svc:emoji_reaction': true }, policy: 'followed' };
    expect(await ok<object>(alice.put(PATH, { data, subscription: { endpoint: 'https://evil.example/' } }))).toEqual(
      changed,
    );
    expect(await ok<object>(alice.put(PATH))).toEqual(changed);
    expect(await ok<object>(alice.put(PATH, { policy: 'none' }))).toEqual({ ...changed, policy: 'none' });
    await alice.delete(PATH).expect(200, {});
    for (const request of [alice.get(PATH), alice.put(PATH, { data }), alice.delete(PATH)]) {
      await request.expect(404, { error: 'Record not found' });
    }
  });

  it('accepts form data and branded names of types', async () => {
    const branded = await startApp({ COMPAT_BRAND: 'acme' });
    try {
      await branded.world.person('alice');
      const { token } = await branded.world.as('alice');
      const form = new URLSearchParams({
        'subscription[endpoint]': ENDPOINT,
        'subscription[keys][p256dh]': Buffer.from(keys.p256dh, 'base64url').toString('base64'),
        'subscription[keys][auth]': Buffer.from(keys.auth, 'base64url').toString('base64'),
        'subscription[standard]': 'true',
        'data[alerts][acme:chat_mention]': 'true',
        'data[alerts][svc:emoji_reaction]': 'on',
        'data[policy]': 'follower',
      });
      const answer = await branded.http
        .post(`${PATH}/`)
        .auth(token, { type: 'bearer' })
        .type('form')
        .send(form.toString())
        .expect(200);
      expect(answer.body).toMatchObject({
        standard: true,
        policy: 'follower',
        alerts: { mention: false, 'acme:chat_mention': true, 'acme:emoji_reaction': true },
      });
      expect(JSON.stringify(answer.body)).not.toContain('svc:');
      const [row] = await branded.sql<{ p256dh: string; auth: string }>('select p256dh, auth from push_subscriptions');
      expect(row).toEqual(keys);
    } finally {
      await branded.close();
    }
  });

  it('belongs to a token: a new one replaces it, and another token has its own subscription', async () => {
    const first = await subscribe({ alerts: { mention: true } });
    const other = await app.world.as('alice', 'push');
    await other.get(PATH).expect(404);
    await subscribe(undefined, other);
    const second = await ok<PushSubscriptionJson>(
      alice.post(PATH, { subscription: { ...subscription, endpoint: 'https://push.example/new' } }),
    );
    expect(second).toEqual({ ...first, endpoint: 'https://push.example/new', alerts: ALL_OFF });
    expect(await stored()).toHaveLength(2);
  });

  it('is stored once by concurrent requests', async () => {
    await Promise.all(Array.from({ length: 6 }, () => subscribe({ alerts: { mention: true } })));
    expect(await stored()).toHaveLength(1);
  });

  it('is deleted with its token, even at the moment of its creation', async () => {
    await subscribe();
    await app.world.anonymous.post('/oauth/revoke', { token: alice.token }).expect(200);
    expect(await stored()).toEqual([]);
    const bob = await app.world.as('bob');
    const [answer] = await Promise.all([
      bob.post(PATH, { subscription }),
      app.world.anonymous.post('/oauth/revoke', { token: bob.token }),
    ]);
    expect([200, 401]).toContain(answer.status);
    expect(await stored()).toEqual([]);
  });

  it('stores no readable token in the database', async () => {
    await subscribe();
    const [row] = await app.sql<{ row: string }>('select row_to_json(s)::text as row from push_subscriptions s');
    expect(row!.row).not.toContain(alice.token);
    expect(row!.row).not.toContain(Buffer.from(alice.token).toString('hex'));
  });
});

describe('POST push/subscription', () => {
  const at = (endpoint: string) => ({ subscription: { endpoint, keys } });
  const withKey = (p256dh: string) => ({ subscription: { endpoint: ENDPOINT, keys: { ...keys, p256dh } } });
  const withSecret = (auth: string) => ({ subscription: { endpoint: ENDPOINT, keys: { ...keys, auth } } });
  const refusals: [string, number, Record<string, unknown>][] = [
    ['no values', 400, {}],
    ['no endpoint', 400, { subscription: { keys } }],
    ['no keys', 400, { subscription: { endpoint: ENDPOINT } }],
    ['no key', 400, { subscription: { endpoint: ENDPOINT, keys: { auth: keys.auth } } }],
    ['no secret', 400, { subscription: { endpoint: ENDPOINT, keys: { p256dh: keys.p256dh } } }],
    ['an unknown policy', 400, { subscription, data: { policy: 'some' } }],
    ['alerts that are a list', 400, { subscription, data: { alerts: ['mention'] } }],
    ['plain http', 422, at('http://push.example/')],
    ['another scheme', 422, at('ftp://push.example/')],
    ['a text that is no URL', 422, at('push.example')],
    ['no host', 422, at('https://')],
    ['credentials in the URL', 422, at('https://me:you@push.example/')],
    ['H13 a line break', 422, at('https://push.example/\r\nHost: evil.example')],
    ['blanks around the URL', 422, at(' https://push.example/ ')],
    ['S1 loopback', 422, at('https://127.0.0.1/push')],
    ['S1 loopback of IPv6', 422, at('https://[::1]/push')],
    ['S1 a private address', 422, at('https://10.0.0.8/push')],
    ['S1 the address of cloud metadata', 422, at('https://169.254.169.254/push')],
    ['S2 a hexadecimal address', 422, at('https://0x7f000001/push')],
    ['S2 a decimal address', 422, at('https://2130706433/push')],
    ['S2 a mapped address', 422, at('https://[::ffff:10.0.0.1]/push')],
    ['a long endpoint', 422, at(`https://push.example/${'x'.repeat(2_048)}`)],
    ['a short key', 422, withKey(keys.p256dh.slice(0, -4))],
    ['a long key', 422, withKey(`${keys.p256dh}AAAA`)],
    ['a key that is no point of the curve', 422, withKey(`B${'B'.repeat(86)}`)],
    ['a key of another kind', 422, withKey(`C${keys.p256dh.slice(1)}`)],
    ['a key that is no base64', 422, withKey('not base64!')],
    ['a short secret', 422, withSecret(keys.auth.slice(0, -2))],
    ['a long secret', 422, withSecret(`${keys.auth}AAAA`)],
    ['a secret that is no base64', 422, withSecret('??')],
  ];

  it.each(refusals)('refuses %s with %d', async (_case, status, body) => {
    const answer = await alice.post(PATH, body);
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([status, ['error']]);
    expect(await stored()).toEqual([]);
  });

  it('leaves the earlier subscription unchanged after a refusal', async () => {
    const before = await subscribe({ alerts: { mention: true } });
    await alice.post(PATH, { subscription: { ...subscription, endpoint: 'https://127.0.0.1/' } }).expect(422);
    await alice.put(PATH, { data: { alerts: {}, policy: 'some' } }).expect(400);
    expect(await ok<object>(alice.get(PATH))).toEqual(before);
  });

  it('requires the scope and an active account', async () => {
    for (const [client, status] of [
      [app.world.anonymous, 401],
      [await app.world.asApp('push'), 401],
      [await app.world.as('alice', 'read', 'write'), 403],
    ] as const) {
      await client.get(PATH).expect(status);
      await client.post(PATH, { subscription }).expect(status);
    }
    await subscribe();
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('alice')]);
    await alice.get(PATH).expect(401);
  });
});
