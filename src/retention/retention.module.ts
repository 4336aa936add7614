import { Module } from '@nestjs/common';
import { ConfigModule } from '../config/index.js';
import { MediaModule } from '../media/index.js';
import { StatusesModule } from '../statuses/index.js';
import { AccountRetentionRepository } from './accounts/account-retention.repository.js';
import { AccountRetentionService } from './accounts/account-retention.service.js';
import { FileRetentionService } from './files/file-retention.service.js';
import { NotificationRetentionRepository } from './notifications/notification-retention.repository.js';
import { NotificationRetentionService } from './notifications/notification-retention.service.js';
import { StatusRetentionRepository } from './statuses/status-retention.repository.js';
import { StatusRetentionService } from './statuses/status-retention.service.js';
import { PreviewRetentionRepository } from './previews/preview-retention.repository.js';
import { PreviewRetentionService } from './previews/preview-retention.service.js';
import { RetentionService } from './run/retention.service.js';
import { StorageRepository } from './storage/storage.repository.js';
import { StorageService } from './storage/storage.service.js';

const kinds = [
  AccountRetentionRepository,
  AccountRetentionService,
  FileRetentionService,
  NotificationRetentionRepository,
  NotificationRetentionService,
  StatusRetentionRepository,
  StatusRetentionService,
  PreviewRetentionRepository,
  PreviewRetentionService,
];

/** What the server stores, and what of it ends some time. */
@Module({
  imports: [ConfigModule, MediaModule, StatusesModule],
  providers: [...kinds, RetentionService, StorageRepository, StorageService],
  exports: [RetentionService, StorageService],
})
export class RetentionModule {}
