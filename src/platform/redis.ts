import { Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';

/**
 * The connections to Redis that the bus and the limiter share. Redis carries and keeps nothing that matters: while it is
 * away commands fail at once instead of waiting, and connections come back by themselves.
 */
export class RedisConnections implements OnApplicationShutdown {
  private readonly logger = new Logger('Redis');
  readonly commands: Redis;
  readonly subscriber: Redis;
  private wasAway = false;

  constructor(url: string) {
    this.commands = new Redis(url, { maxRetriesPerRequest: 0, enableOfflineQueue: false });
    this.subscriber = new Redis(url, { maxRetriesPerRequest: null });
    for (const connection of [this.commands, this.subscriber]) {
      connection.on('error', (error: unknown) => this.complain(error));
      connection.on('ready', () => (this.wasAway = false));
    }
  }

  onApplicationShutdown(): void {
    this.commands.disconnect();
    this.subscriber.disconnect();
  }

  /** Once for each time it goes away, not once for each attempt to reach it. */
  private complain(error: unknown): void {
    if (this.wasAway) return;
    this.wasAway = true;
    this.logger.warn({ err: error }, 'Redis is away');
  }
}
