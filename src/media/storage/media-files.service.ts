import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Unavailable } from '../../common/index.js';
import { Handles, job, Jobs, MediaStorage, TRIES_OF_A_DAY, UnitOfWork } from '../../platform/index.js';
import { AttachmentRepository } from '../model/attachment.repository.js';
import type { AttachmentRow } from '../model/attachment.rows.js';
import { ReportedFiles } from '../files/reported-files.port.js';
import type { ReadMedia } from './media-reader.js';
import { movingExtension, stillBeside } from './media-urls.js';

/** Removes files without a row. */
export const RemoveFiles = job<{ keys: readonly string[] }>('media.remove-files', 'maintenance', {
  tries: TRIES_OF_A_DAY,
  isOnlyRecord: true,
});

const THUMBNAIL_EXTENSION = 'webp';

/** Stores files, each with an upload row until another table takes it over. */
@Injectable()
export class MediaFilesService {
  constructor(
    private readonly storage: MediaStorage,
    private readonly attachments: AttachmentRepository,
    private readonly jobs: Jobs,
    private readonly uow: UnitOfWork,
    private readonly reported: ReportedFiles,
  ) {}

  /** @throws Unavailable when the disk is nearly full: posts still have room then (threat M8) */
  async requireRoom(): Promise<void> {
    if (await this.storage.isFull()) throw new Unavailable('The server has no room left');
  }

  storeUpload(accountId: string, media: ReadMedia, description: string): Promise<AttachmentRow> {
    const thumbnailKey = media.thumbnail && newKey(THUMBNAIL_EXTENSION);
    return this.store(accountId, media, description, newKey(media.type.extension), thumbnailKey);
  }

  /** Stores a picture with its row, and a still if it moves ({@link stillBeside}), but no other thumbnail. */
  storePicture(accountId: string, media: ReadMedia): Promise<AttachmentRow> {
    const { still, type } = media;
    const fileKey = newKey(still ? movingExtension(type.extension) : type.extension);
    return this.store(accountId, { ...media, thumbnail: still }, '', fileKey, stillBeside(fileKey) ?? null);
  }

  /** Removes files once the open unit of work is committed. */
  discard(keys: readonly string[]): void {
    if (keys.length > 0) this.jobs.enqueue(RemoveFiles, { keys });
  }

  /** Writes the row first, so that the sweep finds the file after any failure. */
  private async store(
    accountId: string,
    { type, content, thumbnail, size, width, height, duration, blurhash }: ReadMedia,
    description: string,
    fileKey: string,
    thumbnailKey: string | null,
  ): Promise<AttachmentRow> {
    const facts = { size, width, height, duration, blurhash, description };
    const files = { type: type.kind, mimeType: type.mime, fileKey, thumbnailKey };
    const row = await this.attachments.insert({ accountId, ...files, ...facts });
    try {
      await this.storage.put(fileKey, content);
      if (thumbnail && thumbnailKey !== null) await this.storage.put(thumbnailKey, thumbnail);
    } catch (error) {
      await this.drop(row).catch(() => undefined); // the sweep does it later
      throw error;
    }
    return row;
  }

  /** Removes an upload that could not be stored. */
  private async drop({ id, fileKey, thumbnailKey }: AttachmentRow): Promise<void> {
    await this.uow.run(async () => {
      if (await this.attachments.deleteFree(id)) this.discard([fileKey, thumbnailKey].filter((key) => key !== null));
    });
  }

  /** Removes files now, but for those of reported posts: they are discarded again when the report ends. Safe to run twice. */
  @Handles(RemoveFiles)
  async remove({ keys }: { keys: readonly string[] }): Promise<void> {
    const reported = await this.reported.among(keys);
    await this.storage.remove(...keys.filter((key) => !reported.has(key)));
  }
}

/** Names reveal only the type and cannot be guessed: nothing else protects the files of private posts. */
function newKey(extension: string): string {
  const name = randomBytes(16).toString('hex');
  return `${name.slice(0, 2)}/${name}.${extension}`;
}
