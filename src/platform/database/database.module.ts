import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { Database } from './database.js';
import { DatabaseHealth } from './database-health.js';
import { DatabaseSignals } from './database-signals.js';
import { FlakeIds } from './flake-id.js';
import { OwnerLocks } from './owner-locks.js';
import { RunningServers } from './running-servers.js';
import { UnitOfWork } from './unit-of-work.js';

const shared = [UnitOfWork, Database, DatabaseHealth, DatabaseSignals, FlakeIds, OwnerLocks, RunningServers];

/** The data source, the unit of work and the ids every module uses. */
@Global()
@Module({})
export class DatabaseModule {
  static register(options: DataSourceOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [TypeOrmModule.forRoot({ ...options, retryAttempts: 0, manualInitialization: false })],
      providers: shared,
      exports: shared,
    };
  }
}
