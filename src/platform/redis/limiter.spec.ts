import { EventEmitter } from 'node:events';
import FakeTimers from '@sinonjs/fake-timers';
import type { Redis } from 'ioredis';
import { type Bucket, Limiter } from './limiter.js';
import { RedisConnections } from './redis.js';

const bucket: Bucket = { name: 'posts', points: 3, windowMs: 60_000 };
const start = new Date('2024-05-01T10:00:00Z');

describe('Limiter', () => {
  let limiter: Limiter;
  let clock: FakeTimers.Clock;

  beforeEach(() => {
    clock = FakeTimers.install({ now: start });
    limiter = new Limiter();
  });
  afterEach(() => clock.uninstall());

  const consume = (times: number, key = 'mo', on = bucket) =>
    Promise.all(Array.from({ length: times }, () => limiter.consume(on, key)));

  it('allows as many actions as there are points', async () => {
    const verdicts = await consume(5);
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
    expect(verdicts.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0]);
    for (const { limit, resetAt } of verdicts) {
      expect(limit).toBe(3);
      expect(resetAt).toEqual(new Date('2024-05-01T10:01:00Z'));
    }
  });

  it('starts a new window after the end of the last; refused actions do not extend it', async () => {
    await consume(3);
    clock.tick(59_999);
    expect(await limiter.consume(bucket, 'mo')).toMatchObject({ allowed: false });
    clock.tick(1);
    expect(await limiter.consume(bucket, 'mo')).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('separates keys and buckets', async () => {
    await consume(4);
    expect(await limiter.consume(bucket, 'ada')).toMatchObject({ allowed: true });
    expect(await limiter.consume({ ...bucket, name: 'follows' }, 'mo')).toMatchObject({ allowed: true });
    expect(await new Limiter().consume(bucket, 'mo')).toMatchObject({ allowed: true });
  });

  it('applies a changed limit at once', async () => {
    await consume(3);
    expect(await limiter.consume({ ...bucket, points: 10 }, 'mo')).toMatchObject({
      allowed: true,
      limit: 10,
      remaining: 6,
    });
    expect(await limiter.consume({ ...bucket, points: 0 }, 'ada')).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('peeks without taking a point', async () => {
    expect(await limiter.peek(bucket, 'mo')).toEqual({ allowed: true, limit: 3, remaining: 3, resetAt: start });
    await consume(2);
    for (let times = 0; times < 3; times += 1) {
      expect(await limiter.peek(bucket, 'mo')).toMatchObject({ allowed: true, remaining: 1 });
    }
    await consume(1);
    expect(await limiter.peek(bucket, 'mo')).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('refunds a point, but no more than were taken', async () => {
    await limiter.refund(bucket, 'mo');
    await consume(1);
    await Promise.all([limiter.refund(bucket, 'mo'), limiter.refund(bucket, 'mo')]);
    await limiter.refund(bucket, 'mo');
    const verdicts = await consume(4);
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
  });

  it('asks a Redis that hangs once, and counts by itself until its connection was replaced', async () => {
    const evaluate = jest.fn(() => Promise.reject(new Error('Command timed out')));
    class Hanging extends EventEmitter {
      readonly status = 'ready';
      readonly eval = evaluate;
      readonly disconnect = () => undefined;
    }
    const redis = new RedisConnections('redis://redis.test', { Redis: Hanging as unknown as typeof Redis });
    limiter = new Limiter(redis);
    for (const remaining of [2, 1, 0])
      expect(await limiter.consume(bucket, 'mo')).toMatchObject({ allowed: true, remaining });
    expect(evaluate).toHaveBeenCalledTimes(1);
    redis.commands.emit('close');
    await limiter.consume(bucket, 'mo');
    expect(evaluate).toHaveBeenCalledTimes(2);
  });
});
