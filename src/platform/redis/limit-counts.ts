import type { Redis } from 'ioredis';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** A running window. */
export interface Count {
  readonly used: number;
  readonly msLeft: number;
}

/** Counts points; a key starts its window with its first point. */
export interface LimitCounts {
  add(key: string, windowMs: number): Promise<Count>;
  /** Takes a point back, unless there is none. */
  release(key: string): Promise<void>;
  /** Undefined when no window runs. */
  current(key: string): Promise<Count | undefined>;
}

/** Counts of this process alone. */
export class MemoryCounts implements LimitCounts {
  /** Its own limit is never reached: the caller compares. */
  private readonly memory = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 1 });
  /** Looking and taking back are two steps: no other refund may run between them; added points do no harm. */
  private lastTaken: Promise<void> = Promise.resolve();

  async add(key: string, windowMs: number): Promise<Count> {
    return countOf(await this.memory.penalty(key, 1, { customDuration: windowMs / 1000 }));
  }

  release(key: string): Promise<void> {
    this.lastTaken = this.lastTaken.then(async () => {
      const count = await this.current(key);
      if (count && count.used > 0) await this.memory.reward(key);
    });
    return this.lastTaken;
  }

  async current(key: string): Promise<Count | undefined> {
    const found = await this.memory.get(key);
    return found && found.msBeforeNext > 0 ? countOf(found) : undefined;
  }
}

const PREFIX = 'svc:limit:';

/** Windows may be shorter than a second, which ready-made scripts round down to no end at all. */
const ADD = `
  local used = redis.call('incr', KEYS[1])
  local left = redis.call('pttl', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[1])
    redis.call('pexpire', KEYS[1], left)
  end
  return {used, left}`;

const TAKE_BACK = `
  if tonumber(redis.call('get', KEYS[1]) or 0) > 0 then redis.call('decr', KEYS[1]) end`;

const CURRENT = `return {redis.call('get', KEYS[1]), redis.call('pttl', KEYS[1])}`;

/** Counts of all processes together. Fails while Redis is away. */
export class RedisCounts implements LimitCounts {
  constructor(private readonly redis: Redis) {}

  async add(key: string, windowMs: number): Promise<Count> {
    const [used, msLeft] = (await this.redis.eval(ADD, 1, PREFIX + key, windowMs)) as [number, number];
    return { used, msLeft };
  }

  async release(key: string): Promise<void> {
    await this.redis.eval(TAKE_BACK, 1, PREFIX + key);
  }

  async current(key: string): Promise<Count | undefined> {
    const [used, msLeft] = (await this.redis.eval(CURRENT, 1, PREFIX + key)) as [string | null, number];
    return msLeft > 0 ? { used: Number(used), msLeft } : undefined;
  }
}

function countOf({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { used: consumedPoints, msLeft: msBeforeNext };
}
