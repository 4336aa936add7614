import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  contradicts,
  type Env,
  isInStore,
  makeFolder,
  objectHeadersOf,
  type ObjectStore,
  PART_BYTES,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  unlessMissing,
} from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';
import { dataFiles } from './data-files.js';

/** A file by its path in DATA_DIR, to be copied. */
export interface CopiedFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: Date;
  /** The entity tag, in a bucket. */
  readonly tag?: string | undefined;
  /** Undefined when it is gone. */
  open(): Promise<Readable | undefined>;
}

/** A place of the files that can be in a bucket. */
export interface CopyPlace {
  list(): AsyncGenerator<CopiedFile>;
  stat(path: string): Promise<{ readonly size: number; readonly modifiedAt: Date } | undefined>;
  /** Stores a copy whole or not at all; false when the file is gone. @throws BackupError when the copy differs */
  write(file: CopiedFile): Promise<boolean>;
  remove(path: string): Promise<void>;
}

/** The files of DATA_DIR. */
export class DiskFiles implements CopyPlace {
  constructor(private readonly env: Pick<Env, 'dataDir' | 'mediaFileMode'>) {}

  async *list(): AsyncGenerator<CopiedFile> {
    for await (const { path, open: openFile } of dataFiles(this.env.dataDir, null, () => undefined)) {
      const facts = isInStore(path) ? await this.stat(path) : undefined;
      if (facts) yield { path, ...facts, open: async () => (await openFile())?.stream };
    }
  }

  async stat(path: string) {
    const entry = await stat(join(this.env.dataDir, path)).catch(unlessMissing);
    return entry?.isFile() ? { size: entry.size, modifiedAt: entry.mtime } : undefined;
  }

  async write(file: CopiedFile): Promise<boolean> {
    const content = await file.open();
    if (!content) return false;
    const isShared = this.env.mediaFileMode === '0640' && file.path.startsWith('media/');
    const target = join(this.env.dataDir, file.path);
    const draft = join(this.env.dataDir, file.path.split('/')[0] ?? '', '.drafts', randomUUID());
    try {
      await makeFolder(dirname(draft), PRIVATE_FOLDER);
      await makeFolder(dirname(target), isShared ? 0o750 : PRIVATE_FOLDER);
      await pipeline(content, createWriteStream(draft, { mode: isShared ? 0o640 : PRIVATE_FILE }));
      await requireSame(draft, file);
      await rename(draft, target);
      return true;
    } finally {
      await rm(draft, { force: true });
    }
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.env.dataDir, path), { force: true });
  }
}

/** The files of a bucket. */
export class BucketFiles implements CopyPlace {
  constructor(private readonly store: ObjectStore) {}

  async *list(): AsyncGenerator<CopiedFile> {
    for await (const { path, facts, open: openObject } of dataFiles('', this.store, () => undefined)) {
      if (facts) yield { path, ...facts, open: async () => (await openObject())?.stream };
    }
  }

  stat(path: string) {
    return this.store.stat(path);
  }

  async write(file: CopiedFile): Promise<boolean> {
    const content = await file.open();
    if (!content) return false;
    const size = await this.store.put(file.path, content, objectHeadersOf(file.path)); // which compares the sums
    if (size !== file.size) throw new BackupError(`${file.path} was changed while it was read: try again.`);
    return true;
  }

  remove(path: string): Promise<void> {
    return this.store.remove([path]);
  }
}

/** Writes the copy out to the disk, and compares it. */
async function requireSame(path: string, { path: name, size, tag }: CopiedFile): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
  const isSame = (await file.stat()).size === size && !(await contradicts({ path }, PART_BYTES, tag));
  if (!isSame) throw new BackupError(`The copy of ${name} differs: try again.`);
}
