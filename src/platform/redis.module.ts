import { type DynamicModule, Module } from '@nestjs/common';
import type { Env } from './env.js';
import { RedisConnections } from './redis.js';

/** Provides the {@link RedisConnections} of an environment, null without `REDIS_URL`. */
@Module({})
export class RedisModule {
  static register({ redisUrl }: Env): DynamicModule {
    const connections = {
      provide: RedisConnections,
      useFactory: () => (redisUrl === undefined ? null : new RedisConnections(redisUrl)),
    };
    return { module: RedisModule, global: true, providers: [connections], exports: [connections] };
  }
}
