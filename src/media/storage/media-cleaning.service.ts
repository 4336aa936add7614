import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError, Uploads } from '../../common/index.js';
import { isOfMachine, MediaStorage, soundMimeOf, UnitOfWork } from '../../platform/index.js';
import { type StoredUpload, StoredUploadsRepository } from '../model/stored-uploads.repository.js';
import { MediaFilesService } from './media-files.service.js';
import { MediaReader, type ReadMedia } from './media-reader.js';

/** What {@link MediaCleaningService.clean} did. */
export interface CleaningResult {
  readonly looked: number;
  readonly cleaned: number;
  /** Ids of uploads that cannot be read as what they are, and stay as they are. */
  readonly unreadable: readonly string[];
  /** The id of the last one; another run goes on after it. Undefined when there was none. */
  readonly last: string | undefined;
}

/** Cleans uploads again that were stored under the rules of an earlier release (threat M9). */
@Injectable()
export class MediaCleaningService {
  private readonly logger = new Logger(MediaCleaningService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly uploads: StoredUploadsRepository,
    private readonly drafts: Uploads,
    private readonly storage: MediaStorage,
    private readonly files: MediaFilesService,
    private readonly reader: MediaReader,
  ) {}

  /**
   * Cleans up to `most` stored uploads after an id, one after the other; their addresses and previews stay. Safe to run twice and
   * beside a running server.
   * @throws Unavailable when the disk is nearly full
   */
  async clean(after: string, most: number): Promise<CleaningResult> {
    let [cleaned, looked, last] = [0, 0, undefined as string | undefined];
    const unreadable: string[] = [];
    for (; looked < most; looked += 1) {
      const upload = await this.uploads.next(last ?? after);
      if (!upload) break;
      last = upload.id;
      const outcome = await this.cleanOne(upload);
      if (outcome === 'unreadable') unreadable.push(upload.id);
      if (outcome === 'cleaned') cleaned += 1;
    }
    return { looked, cleaned, unreadable, last };
  }

  private async cleanOne(upload: StoredUpload): Promise<'clean' | 'cleaned' | 'unreadable'> {
    await this.files.requireRoom();
    const file = await this.storage.open(upload.key);
    if (!file) return 'unreadable';
    const path = this.drafts.newPath();
    try {
      await pipeline(file.stream, createWriteStream(path, { mode: 0o600 }));
      const before = await digestOf(path);
      const media = await this.read(path, upload.id);
      if (!media || soundMimeOf(media.type.mime) !== soundMimeOf(upload.mimeType)) return 'unreadable'; // its address says what it is
      const isClean = !Buffer.isBuffer(media.content) && before === (await digestOf(path));
      return isClean ? 'clean' : await this.replace(upload, media);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** One file, whatever is wrong with it, ends no run over all of them. */
  private async read(path: string, id: string): Promise<ReadMedia | undefined> {
    try {
      return await this.reader.read(path);
    } catch (error) {
      if (isOfMachine(error)) throw error;
      if (!(error instanceof DomainError)) this.logger.warn({ err: error, id }, 'An upload was not cleaned');
      return undefined;
    }
  }

  /** The lock of the row keeps the file from coming back after its deletion. */
  private replace(upload: StoredUpload, { content, size }: ReadMedia): Promise<'clean' | 'cleaned'> {
    return this.uow.run(async () => {
      if (!(await this.uploads.resize(upload, size))) return 'clean';
      await this.storage.put(upload.key, content);
      return 'cleaned';
    });
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
