import { Logger } from '@nestjs/common';
import { SettingsService } from '../../../src/config/index.js';
import { type TestApp, useApp } from '../../support/servers/app.js';
import { useMails } from '../../support/servers/mails.js';
import { type ClientKeys, OauthClient } from '../../support/fixtures/oauth.js';
import { describeWithRedis, RedisServer } from '../../support/servers/redis.js';
import { Scratch } from '../../process/scratch.js';
import { PASSWORD } from '../../support/fixtures/world.js';

/** The allowed number of wrong passwords from an address, or for a login from a network. */
const LIMIT = 4;
/** The number of wrong passwords for a login after which unknown networks have few guesses left. */
const MASSIVE = 10 * LIMIT;
const STRANGER_GUESSES = 3;
const HOME = '192.0.2.7';
const HOME_NEIGHBOUR = '192.0.2.8';

let app: TestApp;
let client: ClientKeys;
let last = 0;

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** The server of a `describe`. */
function useLimits(env: () => Record<string, string> = () => ({})): void {
  const limits = { RATE_LIMITS: 'auth-only', TRUSTED_PROXIES: '127.0.0.1,::1' };
  const limited = useApp({ once: [], env: () => ({ ...limits, ...env() }) });
  beforeAll(async () => {
    app = limited;
    await app.get(SettingsService).update([{ path: 'rate_limit.authentication', value: [3_600_000, LIMIT] }]);
    client = await new OauthClient(app).register();
  });
}

/** The first three numbers of a new network. */
const newNetwork = () => {
  last += 1;
  return `100.${64 + (last >> 8)}.${last & 255}`;
};
const newAddress = () => `${newNetwork()}.1`;
const signIn = (username: string, password: string, address: string) =>
  app.http
    .post('/oauth/token')
    .set('x-forwarded-for', address)
    .send({ ...client, grant_type: 'password', username, password });
const guess = async (username: string, address: string) => (await signIn(username, 'wrong', address)).status;

/** Sends wrong passwords for a login, each from another network. */
async function guessFromEverywhere(username: string, count = MASSIVE): Promise<void> {
  const statuses = await Promise.all(Array.from({ length: count }, () => guess(username, newAddress())));
  expect(statuses.filter((status) => status !== 400)).toEqual([]);
}

function guessing(): void {
  it('O27 from many networks does not lock out the owner', async () => {
    await app.world.person('alice');
    await signIn('alice', PASSWORD, HOME).expect(200);
    await guessFromEverywhere('alice');
    await signIn('alice', PASSWORD, HOME).expect(200);
    await signIn('alice', PASSWORD, HOME_NEIGHBOUR).expect(200);
    await signIn('Alice', PASSWORD, newAddress()).expect(200);
    for (let i = 1; i < LIMIT; i += 1) await signIn('alice', 'mistyped', HOME).expect(400);
    await signIn('alice', PASSWORD, HOME).expect(200);
  });

  it('O27 is limited for networks that never signed in, even for simultaneous guesses', async () => {
    await app.world.person('bob');
    await guessFromEverywhere('bob');
    const network = newNetwork();
    const statuses = await Promise.all(Array.from({ length: 9 }, (_, i) => guess('BOB', `${network}.${i}`)));
    expect(statuses.filter((status) => status === 400)).toHaveLength(STRANGER_GUESSES);
    await signIn('bob', PASSWORD, `${network}.99`).expect(429, { error: 'Throttled' });
    await signIn('bob', PASSWORD, newAddress()).expect(200);
  });
}

describe('guessing passwords', () => {
  let address: string;

  useLimits();
  beforeEach(() => {
    address = newAddress();
  });

  guessing();

  it.each([
    ['198.19.1.1', '198.19.1.200', '198.19.2.1'],
    ['2001:db8:7:1::1', '2001:db8:7:2::1', '2001:db8:8::1'],
  ])(
    'O27 is stopped after several wrong passwords for a login from the network of %s',
    async (first, neighbour, other) => {
      const name = `carol${first.length}`;
      await app.world.persons(name, `${name}2`);
      for (let i = 0; i < LIMIT; i += 1) expect(await guess(name, i % 2 ? first : neighbour)).toBe(400);
      const { headers } = await signIn(name.toUpperCase(), PASSWORD, first).expect(429, { error: 'Throttled' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      await signIn(name, PASSWORD, other).expect(200);
      await signIn(`${name}2`, PASSWORD, first).expect(200);
    },
  );

  it('O27 by neighbours does not lock out an address that signed in before', async () => {
    const network = newNetwork();
    await app.world.person('dave');
    await signIn('dave', PASSWORD, `${network}.1`).expect(200);
    for (let i = 0; i < LIMIT; i += 1) expect(await guess('dave', `${network}.2`)).toBe(400);
    await signIn('dave', PASSWORD, `${network}.3`).expect(429);
    await signIn('dave', PASSWORD, `${network}.1`).expect(200);
  });

  it('O12 is stopped equally soon for an unknown login', async () => {
    const network = newNetwork();
    for (let i = 0; i < LIMIT; i += 1) expect(await guess('nobody', `${network}.${i}`)).toBe(400);
    expect(await guess('nobody', `${network}.99`)).toBe(429);
  });

  it('O14 is stopped after several wrong passwords from an address, for any names', async () => {
    await app.world.person('erin');
    for (let i = 0; i < LIMIT; i += 1) expect(await guess(`name${i}`, address)).toBe(400);
    await signIn('erin', PASSWORD, address).expect(429, { error: 'Throttled' });
    await signIn('erin', PASSWORD, newAddress()).expect(200);
  });

  it('O14 is stopped equally soon for simultaneous guesses', async () => {
    const statuses = await Promise.all(Array.from({ length: 3 * LIMIT }, () => guess('frank', address)));
    expect(statuses.filter((status) => status === 400)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * LIMIT);
  });

  it('O14 includes passwords by HTTP Basic', async () => {
    await app.world.person('judy');
    const basic = (password: string) => `Basic ${Buffer.from(`judy:${password}`).toString('base64')}`;
    const send = (password: string) =>
      app.http
        .get('/api/v1/accounts/verify_credentials')
        .set({ authorization: basic(password), 'x-forwarded-for': address });
    for (let i = 0; i < LIMIT; i += 1) await send('wrong').expect(401);
    await send(PASSWORD).expect(429, { error: 'Throttled' });
    await signIn('judy', PASSWORD, address).expect(429);
    await signIn('judy', PASSWORD, newAddress()).expect(200);
  });

  it('does not include successful sign-ins', async () => {
    await app.world.person('grace');
    for (let i = 0; i <= LIMIT; i += 1) await signIn('grace', PASSWORD, address).expect(200);
  });

  it('P8 stores no address in the database', async () => {
    await app.world.person('heidi');
    await signIn('heidi', PASSWORD, HOME).expect(200);
    const rows = await app.sql<{ row: string }>(
      `select k::text as row from known_networks k where account_id = $1 order by network_hash`,
      [app.world.id('heidi')],
    );
    expect(rows).toHaveLength(2);
    for (const { row } of rows) expect(row).not.toContain('192.0.2'); // the digits alone occur in many hashes
    const others = await app.sql(
      `select from known_networks group by network_hash having count(distinct account_id) > 1`,
    );
    expect(others).toEqual([]);
  });

  it('O27 is logged for the operator when the server sends no mail', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    try {
      await app.world.person('ivan');
      await guessFromEverywhere('ivan');
      await app.drain();
      expect(warn.mock.calls.filter(([text]) => String(text).includes('ivan'))).toHaveLength(1);
    } finally {
      warn.mockRestore();
    }
  });
});

describe('O27 the owner of an account', () => {
  const mails = useMails();
  useLimits(() => ({ SMTP_URL: mails.url }));

  it('gets a mail about many wrong passwords, at most once a day', async () => {
    await app.world.person('alice');
    await guessFromEverywhere('alice', MASSIVE - 1);
    await signIn('alice', PASSWORD, newAddress()).expect(200);
    await app.drain();
    expect(mails.all).toEqual([]);
    await guessFromEverywhere('alice', 3);
    await app.drain();
    expect(mails.to('alice@mail.test').map(({ headers }) => headers.get('subject'))).toEqual([
      'Someone is guessing your password on svc',
    ]);
    expect(mails.all[0]!.text).toContain('@alice');
    await app.sql(`update users set guessing_notified_at = guessing_notified_at - interval '25 hours'`);
    await guessFromEverywhere('alice', 2);
    await app.drain();
    expect(mails.to('alice@mail.test')).toHaveLength(2);
  });

  it('gets no mail at an unconfirmed address', async () => {
    await app.world.person('bob');
    await app.drain();
    await app.sql(`update users set is_confirmed = false where account_id = $1`, [app.world.id('bob')]);
    await guessFromEverywhere('bob');
    await app.drain();
    expect(mails.to('bob@mail.test')).toEqual([]);
  });
});

describe('O14 H15 a forged address', () => {
  useLimits(() => ({ TRUSTED_PROXIES: '' }));

  it('allows no more guesses', async () => {
    for (let i = 0; i < LIMIT; i += 1) expect(await guess(`name${i}`, newAddress())).toBe(400);
    expect(await guess(`name${LIMIT}`, newAddress())).toBe(429);
  });
});

describeWithRedis('guessing passwords, counted in Redis', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await RedisServer.start(scratch);
  });
  useLimits(() => ({ REDIS_URL: redis.url }));
  afterAll(() => redis.kill());

  guessing();
});
