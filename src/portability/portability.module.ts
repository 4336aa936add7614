import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { FederationModule } from '../federation/index.js';
import { OauthModule } from '../oauth/index.js';
import { AliasesController } from './aliases.controller.js';
import { AliasesService } from './aliases.service.js';
import { ArchiveContentsRepository } from './archive.repository.js';
import { ArchiveService } from './archive.service.js';
import { ArchiveStorage } from './archive-storage.js';
import { BackupFilesController } from './backup-files.controller.js';
import { BackupUrls } from './backup-urls.js';
import { BackupView } from './backup.view.js';
import { BackupsController } from './backups.controller.js';
import { BackupsJobs } from './backups.jobs.js';
import { BackupsRepository } from './backups.repository.js';
import { BackupsService } from './backups.service.js';
import { ImportsController } from './imports.controller.js';
import { ImportsJobs } from './imports.jobs.js';
import { ImportsRepository } from './imports.repository.js';
import { ImportsService } from './imports.service.js';
import { OwnMoveController } from './moves/own-move.controller.js';
import { OwnMoveService } from './moves/own-move.service.js';
import { PortabilityErasureJobs } from './portability-erasure.jobs.js';

const backups = [
  ArchiveContentsRepository,
  ArchiveService,
  ArchiveStorage,
  BackupsJobs,
  BackupsRepository,
  BackupsService,
  BackupUrls,
  BackupView,
];

/** Imports from other servers, and archives for export. */
@Module({
  imports: [AccountsModule, FederationModule, OauthModule],
  controllers: [AliasesController, BackupFilesController, BackupsController, ImportsController, OwnMoveController],
  providers: [
    ...backups,
    AliasesService,
    ImportsJobs,
    ImportsRepository,
    ImportsService,
    OwnMoveService,
    PortabilityErasureJobs,
  ],
  exports: [AliasesService, BackupsService, BackupView, ImportsService, OwnMoveService],
})
export class PortabilityModule {}
