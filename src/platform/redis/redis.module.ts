import { type DynamicModule, Module } from '@nestjs/common';
import type { Env } from '../env/env.js';
import { RedisConnections } from './redis.js';

/** Provides the {@link RedisConnections} of an environment, null without `REDIS_URL`. */
@Module({})
export class RedisModule {
  static register({ redisUrl }: Env): DynamicModule {
    const connections = {
      provide: RedisConnections,
      // the library is loaded only where it is used
      useFactory: async () => (redisUrl === undefined ? null : new RedisConnections(redisUrl, await import('ioredis'))),
    };
    return { module: RedisModule, global: true, providers: [connections], exports: [connections] };
  }
}
