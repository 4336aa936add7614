import { type Count, type LimitCounts, MemoryCounts, RedisCounts } from './limit-counts.js';
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

/**
 * Counts actions of callers, per bucket and key (an account, an address): in Redis for all processes together, else in
 * this process' memory, also while Redis is away. Each call passes the limits, so that changed settings apply at once;
 * a changed window applies from the next one.
 */
export class Limiter {
  private readonly alone: LimitCounts = new MemoryCounts();
  private readonly together: LimitCounts | undefined;

  constructor(private readonly redis?: RedisConnections) {
    if (redis) this.together = new RedisCounts(redis.commands);
  }

  /** Takes one point. Not allowed when none was left. */
  async consume(bucket: Bucket, key: string): Promise<Verdict> {
    const count = await this.on((counts) => counts.add(entry(bucket, key), bucket.windowMs));
    return verdict(bucket, count, count.used <= bucket.points);
  }

  /** The result of {@link consume}, without taking a point. */
  async peek(bucket: Bucket, key: string): Promise<Verdict> {
    const count = await this.on((counts) => counts.current(entry(bucket, key)));
    return verdict(bucket, count, (count?.used ?? 0) < bucket.points);
  }

  /**
   * Returns the point of a harmless {@link consume}. Guesses that may come in parallel, such as passwords, consume
   * first and refund on success: others would slip through between check and count.
   */
  async refund(bucket: Bucket, key: string): Promise<void> {
    await this.on((counts) => counts.release(entry(bucket, key)));
  }

  /** Asks the common counts, and while they are away the own ones. */
  private async on<T>(ask: (counts: LimitCounts) => Promise<T>): Promise<T> {
    const { redis, together } = this;
    if (!redis || !together) return ask(this.alone);
    let found: { readonly value: T } | undefined;
    await redis.isAnswered(redis.commands, async () => (found = { value: await ask(together) }));
    return found ? found.value : ask(this.alone); // that Redis is away is logged once, by its connections
  }
}

function entry(bucket: Bucket, key: string): string {
  return `${bucket.name}:${key}`;
}

function verdict(bucket: Bucket, count: Count | undefined, allowed: boolean): Verdict {
  return {
    allowed,
    limit: bucket.points,
    remaining: Math.max(bucket.points - (count?.used ?? 0), 0),
    resetAt: new Date(Date.now() + (count?.msLeft ?? 0)),
  };
}
