import { Injectable } from '@nestjs/common';
import { Handles, Recurs } from '../platform/index.js';
import { AttachmentsService } from './attachments/attachments.service.js';
import { MediaFiles, RemoveFiles } from './storage/media-files.service.js';

const DAILY = 24 * 60;

/** Removal of files that nobody needs. */
@Injectable()
export class MediaJobs {
  constructor(
    private readonly attachments: AttachmentsService,
    private readonly files: MediaFiles,
  ) {}

  @Handles(RemoveFiles)
  async removeFiles({ keys }: { keys: readonly string[] }): Promise<void> {
    await this.files.remove(keys);
  }

  @Recurs({ job: 'media.sweep', everyMinutes: DAILY })
  async sweep(): Promise<void> {
    await this.attachments.sweep();
  }
}
