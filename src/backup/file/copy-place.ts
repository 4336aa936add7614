import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  contradicts,
  type Env,
  isInStore,
  makeFolder,
  modesOf,
  objectHeadersOf,
  type ObjectStore,
  PART_BYTES,
  placeFile,
  unlessMissing,
} from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';
import { type DataFile, dataFiles, type OpenedDataFile } from './data-files.js';

/** A file by its path in DATA_DIR, to be copied. */
export interface CopiedFile extends DataFile {
  readonly size: number;
  readonly modifiedAt: Date;
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
    for await (const file of dataFiles(this.env.dataDir, null, () => undefined)) {
      const facts = isInStore(file.path) ? await this.stat(file.path) : undefined;
      if (facts) yield { ...file, ...facts };
    }
  }

  async stat(path: string) {
    const entry = await stat(join(this.env.dataDir, path)).catch(unlessMissing);
    return entry?.isFile() ? { size: entry.size, modifiedAt: entry.mtime } : undefined;
  }

  async write({ path, open }: CopiedFile): Promise<boolean> {
    const content = await open();
    if (!content) return false;
    const { dataDir } = this.env;
    const draft = join(dataDir, path.split('/')[0] ?? '', '.drafts', randomUUID());
    await makeFolder(dirname(draft));
    const check = () => requireSame(draft, path, content);
    await placeFile(content.stream, { draft, path: join(dataDir, path), modes: modesOf(this.env, path), check });
    return true;
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.env.dataDir, path), { force: true });
  }
}

/** The files of a bucket. */
export class BucketFiles implements CopyPlace {
  constructor(private readonly store: ObjectStore) {}

  async *list(): AsyncGenerator<CopiedFile> {
    for await (const file of dataFiles('', this.store, () => undefined)) {
      if (file.facts) yield { ...file, ...file.facts };
    }
  }

  stat(path: string) {
    return this.store.stat(path);
  }

  async write({ path, open }: CopiedFile): Promise<boolean> {
    const content = await open();
    if (!content) return false;
    const size = await this.store.put(path, content.stream, objectHeadersOf(path)); // which compares the sums
    if (size !== content.size) throw new BackupError(`${path} was changed while it was read: try again.`);
    return true;
  }

  remove(path: string): Promise<void> {
    return this.store.remove([path]);
  }
}

/** Compares a copy on the disk with what was opened. */
async function requireSame(path: string, name: string, { size, tag }: OpenedDataFile): Promise<void> {
  const isSame = (await stat(path)).size === size && !(await contradicts({ path }, PART_BYTES, tag));
  if (!isSame) throw new BackupError(`The copy of ${name} differs: try again.`);
}
