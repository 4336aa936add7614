import { join } from 'node:path';
import { type DynamicModule, Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import { Broadcasts } from './redis/broadcasts.js';
import { Bus } from './redis/bus.js';
import { ReadCaches } from './caches/read-cache.js';
import { DatabaseModule } from './database/database.module.js';
import { UnitOfWork } from './database/unit-of-work.js';
import { EmbeddedLogSweep } from './embedded-log.sweep.js';
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
import { Replicas } from './replicas/replicas.js';
import { Ffmpeg } from './media/ffmpeg.js';
import { Videos } from './media/videos.js';
import { Images } from './media/images.js';
import { CACHED_OBJECTS, CachedObjects } from './object-store/cached-objects.js';
import { OBJECT_STORE, type ObjectStore } from './object-store/object-store.js';
import { openObjectStore } from './object-store/open-object-store.js';
import { MediaStorage } from './object-store/media-storage.js';
import { secureDataDir } from './env/private-files.js';
import { RedisBus } from './redis/redis.bus.js';
import { RedisConnections } from './redis/redis.js';
import { RedisModule } from './redis/redis.module.js';
import { Tracing } from './tracing/tracing.js';
import { loadSecretKey, SECRET_KEY } from './env/secret-key.js';

/** Room for emoji and web apps of a bucket on this machine. */
const CACHE_BYTES = 256 * 1024 * 1024;

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
      Broadcasts,
      Draining,
      Metrics,
      ReadCaches,
      Replicas,
      Outbound,
      Asker,
      Mailer,
      { provide: OBJECT_STORE, useFactory: (metrics: Metrics) => objectStoreOf(env, metrics), inject: [Metrics] },
      {
        provide: CACHED_OBJECTS,
        useFactory: (store: ObjectStore | null) => cacheOf(env, store),
        inject: [OBJECT_STORE],
      },
      MediaStorage,
      Images,
      Videos,
    ];
    return {
      module: PlatformModule,
      imports: [RedisModule.register(env), DatabaseModule.register(options), JobsModule.register(env)],
      providers: [...shared, EmbeddedLogSweep, Ffmpeg, ServerMetrics],
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

/** The bucket of `STORAGE_URL`, whose failures are counted; null when files are on the disk. */
function objectStoreOf(env: Env, metrics: Metrics): ObjectStore | null {
  if (!env.storage) return null;
  const failures = metrics.counter('svc_storage_failures_total', 'Requests to the storage of files that failed');
  return openObjectStore(env.storage, env, { onFailure: () => failures.inc() });
}

/** A cache of emoji and web apps, in a folder that can be removed at any time. */
function cacheOf(env: Env, store: ObjectStore | null): CachedObjects | null {
  return store && new CachedObjects(store, join(env.dataDir, 'cache'), CACHE_BYTES);
}
