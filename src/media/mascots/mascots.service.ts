import { Injectable } from '@nestjs/common';
import { Unprocessable, Unsupported, type UploadedFile } from '../../common/index.js';
import type { AttachmentRow } from '../model/attachment.rows.js';
import { MascotRepository } from './mascot.repository.js';
import { MediaFilesService } from '../storage/media-files.service.js';
import { MediaReader, type ReadMedia } from '../storage/media-reader.js';

/** Manages mascots, the pictures that frontends show beside the composer (spec §4.2). */
@Injectable()
export class MascotsService {
  constructor(
    private readonly mascots: MascotRepository,
    private readonly reader: MediaReader,
    private readonly files: MediaFilesService,
  ) {}

  /** The mascot of an account; undefined for the server's default. */
  ofAccount(accountId: string): Promise<AttachmentRow | undefined> {
    return this.mascots.ofAccount(accountId);
  }

  /**
   * Stores a picture as an upload and makes it the account's mascot.
   * @throws Unsupported when it is no picture, Unavailable when the disk is nearly full
   */
  async change(accountId: string, file: UploadedFile): Promise<AttachmentRow> {
    await this.files.requireRoom();
    const row = await this.files.storeUpload(accountId, await this.picture(file), '');
    await this.mascots.save(accountId, row.id);
    return row;
  }

  private async picture(file: UploadedFile): Promise<ReadMedia> {
    try {
      return await this.reader.readPicture(file.path, {});
    } catch (error) {
      if (error instanceof Unprocessable) throw new Unsupported('mascots can only be images', { cause: error });
      throw error;
    }
  }
}
