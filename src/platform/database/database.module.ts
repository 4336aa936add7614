import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { Database } from './database.js';
import { DatabaseHealth } from './database-health.js';
import { FlakeIds } from './flake-id.js';
import { OwnerLocks } from './owner-locks.js';
import { UnitOfWork } from './unit-of-work.js';

/** The data source, the unit of work and the ids every module uses. */
@Global()
@Module({})
export class DatabaseModule {
  static register(options: DataSourceOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [TypeOrmModule.forRoot({ ...options, retryAttempts: 0, manualInitialization: false })],
      providers: [UnitOfWork, Database, DatabaseHealth, FlakeIds, OwnerLocks],
      exports: [UnitOfWork, Database, DatabaseHealth, FlakeIds, OwnerLocks],
    };
  }
}
