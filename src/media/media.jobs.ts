import { Injectable } from '@nestjs/common';
import { DiskStorage, Handles, Recurs } from '../platform/index.js';
import { AttachmentsService } from './attachments/attachments.service.js';
import { MediaFilesService, RemoveFiles } from './storage/media-files.service.js';

const DAILY = 24 * 60;

/** Removes unused files. */
@Injectable()
export class MediaJobs {
  constructor(
    private readonly attachments: AttachmentsService,
    private readonly files: MediaFilesService,
    private readonly storage: DiskStorage,
  ) {}

  @Handles(RemoveFiles)
  async removeFiles({ keys }: { keys: readonly string[] }): Promise<void> {
    await this.files.remove(keys);
  }

  @Recurs({ job: 'media.sweep', everyMinutes: DAILY })
  async sweep(): Promise<void> {
    await this.attachments.sweep();
  }

  @Recurs({ job: 'storage.sweep-drafts', everyMinutes: DAILY })
  async sweepDrafts(): Promise<void> {
    await this.storage.sweepDrafts();
  }
}
