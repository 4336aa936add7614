import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisConnections } from './redis.js';

/** A limit: so many points within a window that starts with the first of them. */
export interface Bucket {
  readonly name: string;
  readonly points: number;
  readonly windowMs: number;
}

export interface Verdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends and all points are free again. */
  readonly resetAt: Date;
}

/** Its own limit is never reached: verdicts compare the count with the bucket of the call. */
const COUNT_ONLY = { points: Number.MAX_SAFE_INTEGER, duration: 1 };

/**
 * Counts what callers do, per bucket and key (an account, an address): in Redis for all processes together, else in this
 * process' memory, also while Redis is away. The limits come with each call, so that changed settings hold at once; a
 * changed window holds from the next one.
 */
export class Limiter {
  private readonly counts: RateLimiterMemory | RateLimiterRedis;

  constructor(redis?: RedisConnections) {
    const alone = new RateLimiterMemory(COUNT_ONLY);
    this.counts = redis
      ? new RateLimiterRedis({
          ...COUNT_ONLY,
          storeClient: redis.commands,
          keyPrefix: 'svc:limit',
          insuranceLimiter: alone,
        })
      : alone;
  }

  /** Takes one point. Not allowed when none was left. */
  async consume(bucket: Bucket, key: string): Promise<Verdict> {
    const count = await this.count(bucket, key, 1);
    return verdict(bucket, count, count.consumedPoints <= bucket.points);
  }

  /** What {@link consume} would say, without taking a point. */
  async peek(bucket: Bucket, key: string): Promise<Verdict> {
    const count = await this.current(bucket, key);
    return verdict(bucket, count, (count?.consumedPoints ?? 0) < bucket.points);
  }

  /** Counts a failure against the key, for buckets that limit failures only: {@link peek} before, this after. */
  async penalty(bucket: Bucket, key: string): Promise<void> {
    await this.count(bucket, key, 1);
  }

  /**
   * Gives back the point of a {@link consume} that turned out harmless. Guesses that may come many at once, such as
   * passwords, consume first and refund on success: between a peek and its penalty others would slip through.
   */
  async refund(bucket: Bucket, key: string): Promise<void> {
    const count = await this.current(bucket, key);
    if (count && count.consumedPoints > 0) await this.count(bucket, key, -1);
  }

  private count(bucket: Bucket, key: string, points: number): Promise<RateLimiterRes> {
    return this.counts.penalty(entry(bucket, key), points, { customDuration: bucket.windowMs / 1000 });
  }

  /** The running window, if there is one. */
  private async current(bucket: Bucket, key: string): Promise<RateLimiterRes | undefined> {
    const count = await this.counts.get(entry(bucket, key));
    return count && count.msBeforeNext > 0 ? count : undefined;
  }
}

function entry(bucket: Bucket, key: string): string {
  return `${bucket.name}:${key}`;
}

function verdict(bucket: Bucket, count: RateLimiterRes | undefined, allowed: boolean): Verdict {
  return {
    allowed,
    limit: bucket.points,
    remaining: Math.max(bucket.points - (count?.consumedPoints ?? 0), 0),
    resetAt: new Date(Date.now() + (count?.msBeforeNext ?? 0)),
  };
}
