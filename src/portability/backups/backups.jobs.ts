import { Injectable } from '@nestjs/common';
import { Handles, type Outcome, Recurs } from '../../platform/index.js';
import { ArchiveStorage } from './archive-storage.js';
import { type BackupOrder, BackupsService, MailBackup, MakeBackup, RemoveBackupFiles } from './backups.service.js';

const DAILY = 24 * 60;

/** Makes archives, notifies their owners and removes old ones. */
@Injectable()
export class BackupsJobs {
  constructor(
    private readonly backups: BackupsService,
    private readonly archives: ArchiveStorage,
  ) {}

  @Handles(MakeBackup)
  make(order: BackupOrder): Promise<Outcome> {
    return this.backups.make(order);
  }

  @Handles(MailBackup)
  mail(order: BackupOrder): Promise<Outcome> {
    return this.backups.mail(order);
  }

  @Handles(RemoveBackupFiles)
  async removeFiles({ keys }: { keys: readonly string[] }): Promise<void> {
    await this.backups.removeFiles(keys);
  }

  @Recurs({ job: 'portability.sweep-backups', everyMinutes: DAILY })
  async sweep(): Promise<void> {
    await this.backups.sweep();
  }

  @Recurs({ job: 'portability.tidy-archives', everyMinutes: DAILY })
  async tidyArchives(): Promise<void> {
    await this.archives.tidy();
  }
}
