import type { Redis } from 'ioredis';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** A running window. */
export interface Count {
  readonly used: number;
  readonly msLeft: number;
}

/** Where points are counted; a key starts its window with its first point. */
export interface LimitCounts {
  add(key: string, points: number, windowMs: number): Promise<Count>;
  /** Undefined when no window runs. */
  current(key: string): Promise<Count | undefined>;
}

/** Counts of this process alone. */
export class MemoryCounts implements LimitCounts {
  /** Its own limit is never reached: whoever asks compares. */
  private readonly memory = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 1 });

  async add(key: string, points: number, windowMs: number): Promise<Count> {
    return countOf(await this.memory.penalty(key, points, { customDuration: windowMs / 1000 }));
  }

  async current(key: string): Promise<Count | undefined> {
    const found = await this.memory.get(key);
    return found && found.msBeforeNext > 0 ? countOf(found) : undefined;
  }
}

const PREFIX = 'svc:limit:';

/** Windows may be shorter than a second, which ready-made scripts round down to no end at all. */
const ADD = `
  local used = redis.call('incrby', KEYS[1], ARGV[1])
  local left = redis.call('pttl', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[2])
    redis.call('pexpire', KEYS[1], left)
  end
  return {used, left}`;

const CURRENT = `return {redis.call('get', KEYS[1]), redis.call('pttl', KEYS[1])}`;

/** Counts of all processes together. Fails while Redis is away. */
export class RedisCounts implements LimitCounts {
  constructor(private readonly redis: Redis) {}

  async add(key: string, points: number, windowMs: number): Promise<Count> {
    const [used, msLeft] = (await this.redis.eval(ADD, 1, PREFIX + key, points, windowMs)) as [number, number];
    return { used, msLeft };
  }

  async current(key: string): Promise<Count | undefined> {
    const [used, msLeft] = (await this.redis.eval(CURRENT, 1, PREFIX + key)) as [string | null, number];
    return msLeft > 0 ? { used: Number(used), msLeft } : undefined;
  }
}

function countOf({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { used: consumedPoints, msLeft: msBeforeNext };
}
