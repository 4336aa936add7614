import { type DynamicModule, Module } from '@nestjs/common';
import type { DatabaseAddress } from '../platform/index.js';
import { DATABASE_ADDRESS, ScheduledBackupsService } from './scheduled-backups.service.js';

/** Backups that the server makes by itself; commands call the functions of this module. */
@Module({})
export class BackupModule {
  static register(address: DatabaseAddress): DynamicModule {
    return {
      module: BackupModule,
      global: true,
      providers: [{ provide: DATABASE_ADDRESS, useValue: address }, ScheduledBackupsService],
      exports: [DATABASE_ADDRESS, ScheduledBackupsService],
    };
  }
}
