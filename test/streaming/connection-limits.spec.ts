import { Logger } from '@nestjs/common';
import { SettingsService } from '../../src/config/index.js';
import { Database } from '../../src/platform/index.js';
import { Sessions } from '../../src/streaming/connections/sessions.js';
import { useApp } from '../support/servers/app.js';
import { eventually } from '../support/eventually.js';
import { openEvents } from '../support/servers/event-streams.js';
import { holding, waitersOf } from '../support/locks.js';
import { connect, connectAs, refused } from '../support/servers/sockets.js';
import { useOpened } from '../support/servers/use.js';

const THROTTLED = { error: 'Throttled' };

const app = useApp({ people: ['alice', 'bob'], env: { RATE_LIMITS: 'on' }, listening: true });
const opened = useOpened();

beforeEach(async () => {
  await app.get(SettingsService).update([
    { path: 'streaming.max_per_account', value: 2 },
    { path: 'streaming.max_per_address', value: 3 },
  ]);
});
afterEach(() => eventually(() => expect(app.get(Sessions).size).toBe(0)));

/** A visitor at another address, behind a proxy on this machine. */
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const tokenOf = async (name: string) => (await app.world.as(name)).token;
const left = (sessions: number) => eventually(() => expect(app.get(Sessions).size).toBe(sessions));

it('W3 handshakes at the same moment wait in line and leave a connection to the database for requests', async () => {
  const { pool } = app.get(Database);
  await holding(app, async (holder) => {
    await holder.query('lock table oauth_tokens');
    const tokens = Array.from({ length: 2 * pool.options.max }, (_, nth) => `token${nth}`);
    const refusals = Promise.all(tokens.map((token) => refused(app, { access_token: token })));
    await waitersOf(holder, pool.options.max - 1);
    await pool.query('select 1');
    await holder.query('rollback');
    for (const { status } of await refusals) expect(status).toBe(401);
  });
});

describe('W3 the limit of live streams', () => {
  it('of an account counts sockets and event streams together', async () => {
    const token = await tokenOf('alice');
    const socket = await opened(connectAs(app, 'alice'));
    await opened(openEvents(app, 'user', token));
    const refusal = await refused(app, { access_token: token });
    expect(refusal).toMatchObject({ status: 429, body: THROTTLED, headers: { 'retry-after': '30' } });
    const { response } = await opened(openEvents(app, 'user', token));
    expect(response.statusCode).toBe(429);
    expect(response.headers).toMatchObject({ 'retry-after': '30', 'content-type': 'application/json; charset=utf-8' });
    await opened(connectAs(app, 'bob'));
    await socket.close();
    await left(2);
    await opened(connectAs(app, 'alice'));
  });

  it('of visitors counts by address, without the connections of accounts at that address', async () => {
    for (const name of ['alice', 'alice', 'bob', 'bob']) await opened(connectAs(app, name));
    for (let turn = 0; turn < 3; turn += 1) await opened(connect(app, {}, from('192.0.2.1')));
    expect(await refused(app, {}, from('192.0.2.1'))).toMatchObject({ status: 429, body: THROTTLED });
    await opened(connect(app, {}, from('192.0.2.2')));
    await opened(openEvents(app, 'public'));
  });

  it('counts a socket that authenticates late for its account from then on', async () => {
    const token = await tokenOf('alice');
    const authenticate = { type: 'svc:authenticate', token };
    const [one, two, three] = [await opened(connect(app)), await opened(connect(app)), await opened(connect(app))];
    await refused(app);
    for (const socket of [one, one, two]) {
      expect(await socket.ask(authenticate)).toMatchObject({ payload: { result: 'success' } });
    }
    expect(await three.ask(authenticate)).toMatchObject({
      payload: { result: 'error', error: 'too_many_connections' },
    });
    expect((await refused(app, { access_token: token })).status).toBe(429);
    await opened(connect(app));
    await opened(connect(app)); // the visitors are below their limit again
    expect((await refused(app)).status).toBe(429);
    await one.close();
    await left(4);
    expect(await three.ask(authenticate)).toMatchObject({ payload: { result: 'success' } });
  });

  it('does not count a socket that closed while it authenticated', async () => {
    const socket = await connect(app);
    const token = await tokenOf('alice');
    await app.sql(`update users set last_active_at = now() - interval '1 day'`);
    await holding(app, async (holder) => {
      await holder.query('select from users for update');
      socket.send({ type: 'svc:authenticate', token });
      await waitersOf(holder, 1);
      await socket.close();
      await left(0);
    });
    const statuses: unknown[] = [];
    for (let turn = 0; turn < 3; turn += 1)
      statuses.push((await opened(openEvents(app, 'user', token))).response.statusCode);
    for (let turn = 0; turn < 4; turn += 1)
      statuses.push((await opened(openEvents(app, 'public'))).response.statusCode);
    expect(statuses).toEqual([200, 200, 429, 200, 200, 200, 429]);
  });

  it('holds for connections that are opened at once', async () => {
    const token = await tokenOf('alice');
    const tries = Array.from({ length: 20 }, () => opened(openEvents(app, 'user', token)));
    const statuses = (await Promise.all(tries)).map(({ response }) => response.statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(18);
  });
});

describe('H25 the limit of all live streams of a process', () => {
  const FULL = { error: 'Too many live streams' };
  /** Four fifths of the connections. */
  const STREAMS = 8;
  const small = useApp({ once: [], env: { MAX_CONNECTIONS: '10' }, listening: true });

  it('counts sockets and event streams together, and leaves room for requests and probes', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error');
    const first = await opened(connect(small));
    await opened(openEvents(small, 'public'));
    for (let turn = 1; turn < STREAMS / 2; turn += 1) {
      await opened(connect(small));
      await opened(openEvents(small, 'public'));
    }
    const refusal = await refused(small);
    expect(refusal).toMatchObject({ status: 503, body: FULL, headers: { 'retry-after': '30', connection: 'close' } });
    expect((await refused(small, { token: 'x' }, { path: '/socket/websocket' })).status).toBe(503);
    const { response } = await opened(openEvents(small, 'public'));
    expect(response.statusCode).toBe(503);
    expect(response.headers).toMatchObject({ 'retry-after': '30', 'content-type': 'application/json; charset=utf-8' });
    const head = await fetch(`${small.env.baseUrl}/api/v1/streaming/public`, { method: 'HEAD' });
    expect([head.status, head.headers.get('retry-after')]).toEqual([503, '30']);
    expect(logged).not.toHaveBeenCalled(); // else strangers fill the log
    logged.mockRestore();
    for (let turn = 0; turn < 12; turn += 1) {
      for (const path of ['/health/live', '/health/ready', '/api/v2/instance']) {
        const answer = await fetch(small.env.baseUrl + path, { headers: { connection: 'keep-alive' } });
        expect([path, answer.status]).toEqual([path, 200]);
        await answer.arrayBuffer();
      }
    }
    expect(small.get(Sessions).size).toBe(STREAMS);
    await first.close();
    await eventually(() => expect(small.get(Sessions).size).toBe(STREAMS - 1));
    await opened(connect(small));
  });
});
