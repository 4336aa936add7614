import { Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { AccountsModule } from '../accounts/index.js';
import { FederationModule } from '../federation/index.js';
import { SignInModule } from '../sign-in/index.js';
import { AliasesController } from './aliases/aliases.controller.js';
import { AliasesService } from './aliases/aliases.service.js';
import { ArchiveContentsRepository } from './backups/archive.repository.js';
import { ArchiveService } from './backups/archive.service.js';
import { ArchiveStorage } from './backups/archive-storage.js';
import { BackupFilesController } from './backups/backup-files.controller.js';
import { BackupUrls } from './backups/backup-urls.js';
import { BackupView } from './backups/backup.view.js';
import { BackupsController } from './backups/backups.controller.js';
import { BackupsRepository } from './backups/backups.repository.js';
import { BackupsService } from './backups/backups.service.js';
import { ImportsController } from './imports/imports.controller.js';
import { ImportsRepository } from './imports/imports.repository.js';
import { ImportsService } from './imports/imports.service.js';
import { OwnMoveController } from './moves/own-move.controller.js';
import { OwnMoveService } from './moves/own-move.service.js';
import { PortabilityErasureJobs } from './portability-erasure.jobs.js';

const backups = [
  ArchiveContentsRepository,
  ArchiveService,
  ArchiveStorage,
  BackupsRepository,
  BackupsService,
  BackupUrls,
  BackupView,
];

/** Imports from other servers, and archives for export. */
@Module({
  imports: [AccessModule, AccountsModule, FederationModule, SignInModule],
  controllers: [AliasesController, BackupFilesController, BackupsController, ImportsController, OwnMoveController],
  providers: [...backups, AliasesService, ImportsRepository, ImportsService, OwnMoveService, PortabilityErasureJobs],
  exports: [AliasesService, BackupsService, BackupView, ImportsService, OwnMoveService],
})
export class PortabilityModule {}
