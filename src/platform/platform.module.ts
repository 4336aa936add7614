import { type DynamicModule, Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import { Bus } from './redis/bus.js';
import { ReadCaches } from './caches/read-cache.js';
import { DatabaseModule } from './database/database.module.js';
import { UnitOfWork } from './database/unit-of-work.js';
import { Brand } from './env/brand.js';
import { ENV, type Env } from './env/env.js';
import { Asker } from './outbound/asker.js';
import { Draining } from './http/draining.js';
import { Outbound } from './outbound/outbound.js';
import { JobsModule } from './jobs/jobs.module.js';
import { Mailer } from './mail/mail.js';
import { Metrics } from './metrics/metrics.js';
import { ServerMetrics } from './metrics/server-metrics.js';
import { Limiter } from './redis/limiter.js';
import { Ffmpeg } from './media/ffmpeg.js';
import { Videos } from './media/videos.js';
import { Images } from './media/images.js';
import { DiskStorage } from './media/storage.js';
import { secureDataDir } from './env/private-files.js';
import { RedisBus } from './redis/redis.bus.js';
import { RedisConnections } from './redis/redis.js';
import { RedisModule } from './redis/redis.module.js';
import { Tracing } from './tracing/tracing.js';
import { loadSecretKey, SECRET_KEY } from './env/secret-key.js';

/** Everything technical, for every module above. */
@Global()
@Module({})
export class PlatformModule implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly outbound: Outbound,
    private readonly uow: UnitOfWork,
  ) {}

  static register(env: Env, options: DataSourceOptions, tracing: Tracing = new Tracing()): DynamicModule {
    const shared = [
      { provide: ENV, useValue: env },
      { provide: Tracing, useFactory: () => tracing },
      { provide: SECRET_KEY, useFactory: () => loadSecretKey(env) },
      { provide: Bus, useFactory: busOf, inject: [RedisConnections] },
      { provide: Limiter, useFactory: limiterOf, inject: [RedisConnections] },
      Brand,
      Draining,
      Metrics,
      ReadCaches,
      Outbound,
      Asker,
      Mailer,
      DiskStorage,
      Images,
      Videos,
    ];
    return {
      module: PlatformModule,
      imports: [RedisModule.register(env), DatabaseModule.register(options), JobsModule.register(env)],
      providers: [...shared, Ffmpeg, ServerMetrics],
      exports: shared,
    };
  }

  /** A request to another server inside a transaction would hold a connection and locks for as long as that server likes. */
  async onModuleInit(): Promise<void> {
    await secureDataDir(this.env);
    this.outbound.configure({
      assertNoTransaction: () => {
        if (this.uow.isOpen) throw new Error('A request to another server was made inside a unit of work');
      },
    });
  }
}

const busOf = (redis: RedisConnections | null) => (redis ? new RedisBus(redis) : new Bus());
const limiterOf = (redis: RedisConnections | null) => new Limiter(redis ?? undefined);
