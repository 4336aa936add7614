import * as ioredis from 'ioredis';
import { Logger } from '@nestjs/common';
import { Settings, SettingsService } from '../../src/config/index.js';
import { type Bucket, Bus, Limiter } from '../../src/platform/index.js';
import { RedisConnections } from '../../src/platform/redis/redis.js';
import { createApp } from '../../src/server.js';
import { Scratch } from '../process/scratch.js';
import { startApp } from '../support/servers/app.js';
import { eventually } from '../support/eventually.js';
import { type Platform, startPlatform } from '../support/servers/platform.js';
import { describeWithRedis, noRedis, RedisServer } from '../support/servers/redis.js';

const scratch = new Scratch();
let redis: RedisServer;

afterAll(() => scratch.remove());

async function startRedis(): Promise<void> {
  redis = await RedisServer.start(scratch);
}

async function stopRedis(): Promise<void> {
  await redis.resume();
  await redis.kill();
}

describeWithRedis('the bus of two processes', () => {
  let one: Platform;
  let other: Platform;
  let received: string[];
  let gaps: string[];

  beforeEach(async () => {
    await startRedis();
    one = await startPlatform([], { REDIS_URL: redis.url });
    other = await one.another();
    received = [];
    gaps = [];
    for (const [name, process] of Object.entries({ one, other })) {
      process.get(Bus).subscribe('news', (message) => void received.push(`${name}: ${String(message)}`));
      process.get(Bus).onGap(() => void gaps.push(name));
    }
    await bothHear();
    gaps.length = 0;
  });
  afterEach(async () => {
    await one.close();
    await stopRedis();
  });

  const publish = (from: Platform, message: string) => from.get(Bus).publish('news', message);

  /** Resolves when each process receives the messages of the other. */
  async function bothHear(): Promise<void> {
    const hears = async (listener: Platform, speaker: Platform) => {
      const greetings: unknown[] = [];
      const leave = listener.get(Bus).subscribe('greetings', (message) => void greetings.push(message));
      await eventually(() => {
        speaker.get(Bus).publish('greetings', 'hello');
        expect(greetings).toContain('hello');
      });
      leave();
    };
    await Promise.all([hears(one, other), hears(other, one)]);
  }

  it('carries messages of one process to the listeners of both, once and in order', async () => {
    publish(one, 'a');
    publish(one, 'b');
    expect(received).toEqual(['one: a', 'one: b']);
    await eventually(() => expect(received).toEqual(['one: a', 'one: b', 'other: a', 'other: b']));
    publish(other, 'c');
    await eventually(() => expect(received.slice(4)).toEqual(['other: c', 'one: c']));
    expect(gaps).toEqual([]);
  });

  it('ignores foreign messages on its channel', async () => {
    for (const text of ['hello', '7', 'null', '[]', '{}']) await redis.command('PUBLISH', 'svc:bus', text);
    publish(one, 'a');
    await eventually(() => expect(received).toEqual(['one: a', 'other: a']));
    expect(gaps).toEqual([]);
  });

  it('reaches its own listeners while Redis is away, then reports a gap and continues', async () => {
    await redis.kill();
    publish(one, 'not received elsewhere');
    expect(received).toEqual(['one: not received elsewhere']);
    await redis.startAgain();
    await eventually(() => expect(new Set(gaps)).toEqual(new Set(['one', 'other'])));
    await bothHear();
    // The first message after the restart was once lost in a run on a busy machine: the cause is not known.
    await eventually(() => {
      publish(one, 'back');
      expect(received).toContain('other: back');
    });
  });

  it('reports a gap to other processes when only the sender was disconnected', async () => {
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal');
    publish(one, 'not received elsewhere');
    await eventually(() => expect(gaps).toContain('other'));
    expect(received).toEqual(['one: not received elsewhere']);
  });
});

describeWithRedis('the limits of two processes', () => {
  const bucket: Bucket = { name: 'posts', points: 3, windowMs: 60_000 };
  let one: Platform;
  let other: Platform;

  beforeEach(async () => {
    await startRedis();
    one = await startPlatform([], { REDIS_URL: redis.url });
    other = await one.another();
    await eventually(async () => {
      await one.get(Limiter).consume({ ...bucket, name: 'ready' }, 'x');
      await other.get(Limiter).consume({ ...bucket, name: 'ready' }, 'x');
      expect(await one.get(Limiter).peek({ ...bucket, name: 'ready', points: 100 }, 'x')).toEqual(
        await other.get(Limiter).peek({ ...bucket, name: 'ready', points: 100 }, 'x'),
      );
    });
  });
  afterEach(async () => {
    await one.close();
    await stopRedis();
  });

  const consume = async (process: Platform, on = bucket) => (await process.get(Limiter).consume(on, 'mo')).allowed;
  const peek = (process: Platform) => process.get(Limiter).peek(bucket, 'mo');

  it('are counted together', async () => {
    expect(await consume(one)).toBe(true);
    expect(await consume(other)).toBe(true);
    expect(await peek(one)).toMatchObject({ allowed: true, limit: 3, remaining: 1 });
    expect(await consume(one)).toBe(true);
    expect(await consume(other)).toBe(false);
    expect(await consume(one)).toBe(false);
    const { resetAt } = await peek(other);
    expect(resetAt.getTime()).toBeGreaterThan(Date.now());
    expect(resetAt.getTime()).toBeLessThanOrEqual(Date.now() + bucket.windowMs);
  });

  it('refund points in either process, but never more than were taken', async () => {
    await other.get(Limiter).refund(bucket, 'mo');
    await consume(one);
    const refunds = [one, other, one, other].map((process) => process.get(Limiter).refund(bucket, 'mo'));
    await Promise.all(refunds);
    await consume(one);
    expect(await peek(one)).toMatchObject({ remaining: 2 });
  });

  it('work with windows shorter than a second', async () => {
    const short = { ...bucket, windowMs: 300 };
    while (await consume(one, short));
    await eventually(async () => expect(await consume(other, short)).toBe(true));
  });

  it.each([
    ['is away', () => redis.kill(), () => redis.startAgain()],
    ['hangs', () => redis.pause(), () => redis.resume()],
  ])('are counted by each process separately while Redis %s, and together afterwards', async (_what, end, begin) => {
    while (await consume(one));
    await end();
    const alone = [];
    for (let times = 1; times <= 4; times += 1) alone.push(await consume(other));
    expect(alone).toEqual([true, true, true, false]);
    await begin();
    await eventually(async () => {
      const together = { ...bucket, name: 'again', points: 1_000_000 };
      await one.get(Limiter).consume(together, 'mo');
      const [seenByOne, seenByOther] = [one, other].map((process) => process.get(Limiter).peek(together, 'mo'));
      expect(await seenByOther).toEqual(await seenByOne);
    });
  });
});

describeWithRedis('a server with a Redis', () => {
  const lines: string[] = [];
  const record = (...words: unknown[]) => void lines.push(words.map(String).join(' '));

  beforeEach(startRedis);
  afterEach(async () => {
    Logger.overrideLogger(['error']);
    lines.length = 0;
    await stopRedis();
  });

  it('reloads the settings that changed while it could not receive messages', async () => {
    const app = await startApp({ REDIS_URL: redis.url });
    const second = await createApp(app.env, app.address);
    const nameElsewhere = () => second.get(Settings, { strict: false }).get('instance.name');
    const rename = (value: string) => app.get(SettingsService).update([{ path: 'instance.name', value }]);
    await eventually(async () => {
      await rename('announced');
      expect(nameElsewhere()).toBe('announced');
    });
    await redis.kill();
    await rename('not announced');
    expect(app.get(Settings).get('instance.name')).toBe('not announced');
    await redis.startAgain();
    await eventually(() => expect(nameElsewhere()).toBe('not announced'));
    await second.close();
    await app.close();
  });

  it('P4 starts, serves and works while Redis is away', async () => {
    const app = await startApp({ REDIS_URL: await noRedis(), RATE_LIMITS: 'on' });
    await app.world.persons('alice', 'bob');
    await app.world.follow('bob', 'alice');
    expect((await app.http.get('/health/ready')).status).toBe(200);
    const posted = await (await app.world.as('alice')).post('/api/v1/statuses', { status: 'without Redis' });
    expect(posted.status).toBe(200);
    await app.drain();
    const home = await (await app.world.as('bob')).get('/api/v1/timelines/home');
    expect(home.body).toMatchObject([{ content: '<p>without Redis</p>' }]);
    await app.close();
  });

  it('J3 logs a warning about a Redis that evicts keys', async () => {
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    Logger.overrideLogger({ log: record, warn: record, error: record });
    const connections = new RedisConnections(redis.url, ioredis);
    await eventually(() => expect(lines.join()).toContain('set maxmemory-policy to noeviction, it is allkeys-lru'));
    connections.onApplicationShutdown();
  });

  it('logs once that Redis is away and once that it is back, with any number of connections', async () => {
    const connections = new RedisConnections(redis.url, ioredis);
    for (let opened = 0; opened < 5; opened += 1) connections.open({});
    await eventually(() => expect(connections.commands.status).toBe('ready'));
    Logger.overrideLogger({ log: record, warn: record, error: record });
    await redis.kill();
    await eventually(() => expect(lines).toHaveLength(1));
    await redis.startAgain();
    await eventually(() => expect(lines).toHaveLength(2));
    expect(lines[1]).toContain('Redis is back');
    connections.onApplicationShutdown();
  });
});
