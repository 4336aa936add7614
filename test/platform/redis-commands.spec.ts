import type { NestExpressApplication } from '@nestjs/platform-express';
import { Outbound, Worker } from '../../src/platform/index.js';
import { createApp } from '../../src/server.js';
import { Scratch } from '../process/scratch.js';
import { eventually } from '../support/eventually.js';
import { cavageHeaders, newKey, type RawActor, usePeer } from '../support/federation/raw-peer.js';
import { post } from '../support/fixtures/statuses.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { describeWithRedis, RedisServer } from '../support/servers/redis.js';

const ROUNDS = 3;
const FOLLOWERS = Array.from({ length: 20 }, (_, at) => `reader${at}`);
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
/** What the servers send; `publish` is also called by Bull's scripts. Waits for a wake-up are left out: they end by the clock. */
const COUNTED = ['ping', 'eval', 'evalsha', 'publish', 'multi', 'exec'];
/** A wake-up: Bull's scripts add it, take it, remove it, and find no other one; each publishes. */
const WAKE_UP = { evalsha: 4, publish: 4 };

/* ADR 3: the costs of one of several servers in commands to Redis. */
describeWithRedis('the commands to Redis', () => {
  const scratch = new Scratch();
  const peer = usePeer();
  let redis: RedisServer;
  let app: TestApp;
  let worker: NestExpressApplication | undefined;
  let mo: RawActor;

  beforeAll(async () => {
    redis = await RedisServer.start(scratch);
    mo = peer.actor('mo', newKey());
  });
  afterEach(async () => {
    await worker?.close();
    worker = undefined;
    await app.close();
  });
  afterAll(() => scratch.remove());

  async function open(role: 'web' | 'all'): Promise<void> {
    const DATABASE_URL = 'postgres://postgres@localhost/svc';
    const shared = { REDIS_URL: redis.url, DATABASE_URL, RATE_LIMITS: 'on', ALLOWED_PRIVATE_ADDRESSES: peer.host };
    app = await startApp({ ...shared, ROLE: role });
    if (role === 'web') worker = await createApp({ ...app.env, role: 'worker' }, app.address);
    const works = worker ?? app.nest;
    works.get(Outbound).configure({ resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });
    app.get(Outbound).configure({ resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });
    await works.get(Worker).enqueueRecurring();
    await app.sql(`update jobs set run_at = now() + interval '1 minute'`); // a start hastens what is much later
    const clock = jest.spyOn(globalThis, 'setInterval').mockImplementation(() => setTimeout(() => undefined, 0));
    await works.get(Worker).start();
    clock.mockRestore();
    await app.sql(`update jobs set run_at = now() + interval '1 day'`);
    await app.world.persons('ada', ...FOLLOWERS);
    for (const follower of FOLLOWERS) await app.world.follow(follower, 'ada');
  }

  async function counts(): Promise<Record<string, number>> {
    const stats = String(await redis.command('INFO', 'commandstats'));
    const calls = [...stats.matchAll(/^cmdstat_(\w+):calls=(\d+)/gm)].map(
      ([, name, count]) => [name!, Number(count)] as const,
    );
    return Object.fromEntries(calls.filter(([name]) => COUNTED.includes(name)));
  }

  /** Waits until all jobs are done and Bull waits for the next wake-up. */
  const done = () =>
    eventually(async () => {
      expect(await app.sql(`select name from jobs where run_at < now() + interval '1 hour'`)).toEqual([]);
      expect(await redis.command('INFO', 'clients')).toContain('blocked_clients:1');
    });

  /** Acts several times, and expects these counts for each. */
  async function expectEach(act: () => Promise<unknown>, each: Record<string, number>): Promise<void> {
    await act();
    await done();
    const before = await counts();
    for (let round = 0; round < ROUNDS; round += 1) {
      await act();
      await done();
    }
    await eventually(async () => {
      const after = await counts();
      const made = Object.keys(after).map((name) => [name, (after[name]! - (before[name] ?? 0)) / ROUNDS] as const);
      expect(Object.fromEntries(made.filter(([, count]) => count > 0))).toEqual(each);
    });
  }

  let names = 0;
  async function receive(): Promise<void> {
    const id = `${mo.uri}/notes/${(names += 1)}`;
    const ada = `${app.env.baseUrl}/users/ada`;
    const tag = [{ type: 'Mention', href: ada, name: '@ada' }];
    const note = { id, type: 'Note', attributedTo: mo.uri, content: 'tea?', to: [PUBLIC], cc: [ada], tag };
    const body = JSON.stringify({ id: `${id}#new`, type: 'Create', actor: mo.uri, to: [PUBLIC], object: note });
    const headers = cavageHeaders(mo, `${app.env.baseUrl}/inbox`, { body });
    await app.http.post('/inbox').set(headers).send(body).expect(202);
  }

  it('for a post with 20 local followers are few where a worker runs the jobs', async () => {
    await open('web');
    await expectEach(() => post(app, 'ada', 'tea'), {
      ping: 1,
      eval: 2,
      publish: 3 + WAKE_UP.publish,
      evalsha: WAKE_UP.evalsha,
    });
  });

  it('for a received activity are few where a worker runs the jobs', async () => {
    await open('web');
    await expectEach(receive, { ping: 1, eval: 2, publish: 4 + WAKE_UP.publish, evalsha: WAKE_UP.evalsha });
  });

  it('are those of the bus and the limits where the same process runs the jobs', async () => {
    await open('all');
    await expectEach(() => post(app, 'ada', 'tea'), { ping: 1, eval: 2, publish: 3 });
    await expectEach(receive, { ping: 1, eval: 2, publish: 4 });
  });
});
