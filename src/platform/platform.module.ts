import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import { Bus } from './bus.js';
import { DatabaseModule } from './database/database.module.js';
import { ENV, type Env } from './env.js';
import { JobsModule } from './jobs/jobs.module.js';
import { Limiter } from './limiter.js';
import { loadSecretKey, SECRET_KEY } from './secret-key.js';

/** Everything technical, for every module above. */
@Global()
@Module({})
export class PlatformModule {
  static register(env: Env, options: DataSourceOptions): DynamicModule {
    const shared = [
      { provide: ENV, useValue: env },
      { provide: SECRET_KEY, useFactory: () => loadSecretKey(env) },
      Bus,
      Limiter,
    ];
    return {
      module: PlatformModule,
      imports: [DatabaseModule.register(options), JobsModule],
      providers: shared,
      exports: shared,
    };
  }
}
