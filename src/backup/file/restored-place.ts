import { opendir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeFolder, type ObjectStore, STORED_FOLDERS, unlessMissing } from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';
import { FILE_FOLDERS } from './data-files.js';

/** Beside the folders of a place while a restore fills it: the id of that restore. */
const MARK = 'restore.unfinished';

/**
 * A place of files that a restore fills. Its mark tells whose files lie there: at the path, or under the address, of an
 * earlier try there may be another disk or a bucket that a server uses.
 */
export interface RestoredPlace {
  /** @throws BackupError when there is a file of a server, with the advice what to do then */
  requireEmpty(advice?: string): Promise<void>;
  removeAll(): Promise<void>;
  /** Whether the restore with this id began here and did not finish. */
  isMarked(id: string): Promise<boolean>;
  setMark(id: string): Promise<void>;
  removeMark(): Promise<void>;
}

export class RestoredFolder implements RestoredPlace {
  private readonly markPath: string;

  constructor(private readonly dataDir: string) {
    this.markPath = join(dataDir, MARK);
  }

  async requireEmpty(advice = 'Use another DATA_DIR.'): Promise<void> {
    for (const folder of FILE_FOLDERS) {
      const file = await firstFile(join(this.dataDir, folder));
      if (file !== undefined) throw new BackupError(`${this.dataDir} is not empty: it has ${file}. ${advice}`);
    }
  }

  async removeAll(): Promise<void> {
    for (const folder of FILE_FOLDERS) await rm(join(this.dataDir, folder), { recursive: true, force: true });
  }

  async isMarked(id: string): Promise<boolean> {
    return (await readFile(this.markPath, 'utf8').catch(unlessMissing)) === id;
  }

  async setMark(id: string): Promise<void> {
    await makeFolder(this.dataDir);
    await writeFile(this.markPath, id, { mode: 0o600 });
  }

  async removeMark(): Promise<void> {
    await rm(this.markPath, { force: true });
  }
}

export class RestoredBucket implements RestoredPlace {
  constructor(private readonly store: ObjectStore) {}

  async requireEmpty(advice = 'Use another STORAGE_URL.'): Promise<void> {
    for (const folder of STORED_FOLDERS) {
      if (!(await this.store.list(`${folder}/`).next()).done)
        throw new BackupError(`The bucket is not empty: it has files in ${folder}. ${advice}`);
    }
  }

  async removeAll(): Promise<void> {
    for (const folder of STORED_FOLDERS)
      await this.store.remove((await this.store.all(`${folder}/`)).map(({ key }) => key));
  }

  async isMarked(id: string): Promise<boolean> {
    return (await text(this.store.read(MARK))) === id;
  }

  async setMark(id: string): Promise<void> {
    await this.store.put(MARK, Buffer.from(id));
  }

  async removeMark(): Promise<void> {
    await this.store.remove([MARK]);
  }
}

async function firstFile(folder: string): Promise<string | undefined> {
  const entries = await opendir(folder).catch(unlessMissing);
  if (!entries) return undefined;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    const found = entry.isDirectory() ? await firstFile(path) : path;
    if (found !== undefined) return found;
  }
  return undefined;
}
