import { Module } from '@nestjs/common';
import { ConfigModule } from '../config/index.js';
import { MediaModule } from '../media/index.js';
import { StatusesModule } from '../statuses/index.js';
import { FileRetentionService } from './files/file-retention.service.js';
import { RetentionRepository } from './rows/retention.repository.js';
import { RetentionService } from './run/retention.service.js';
import { StorageRepository } from './storage/storage.repository.js';
import { StorageService } from './storage/storage.service.js';

/** What the server stores, and what of it ends some time. */
@Module({
  imports: [ConfigModule, MediaModule, StatusesModule],
  providers: [FileRetentionService, RetentionRepository, RetentionService, StorageRepository, StorageService],
  exports: [RetentionService, StorageService],
})
export class RetentionModule {}
