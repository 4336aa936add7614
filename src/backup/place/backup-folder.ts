import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, isBucketUrl, type ObjectStore } from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';
import type { BackupPlace } from './backup-place.js';
import { FilePlace } from './file-place.js';
import { backupBucket, type BucketEnv } from './open-place.js';
import { explained, ObjectPlace } from './object-place.js';

const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** The folder of scheduled backups: one of this machine, or one in a bucket. */
export interface BackupFolder {
  readonly name: string;
  /** The names of all that is there. @throws BackupError when it cannot be read */
  list(): Promise<string[]>;
  place(name: string): BackupPlace;
  remove(name: string): Promise<void>;
  /** Removes what killed processes left of backups that `isOurs` knows. */
  removeDrafts(isOurs: (name: string) => boolean): Promise<void>;
}

/** The folder that BACKUP_FOLDER names. */
export function backupFolder(text: string, env: BucketEnv): BackupFolder {
  if (!isBucketUrl(text)) return new LocalFolder(text);
  const { store, name } = backupBucket(text, env);
  return new BucketFolder(store, name);
}

class LocalFolder implements BackupFolder {
  constructor(readonly name: string) {}

  list(): Promise<string[]> {
    return readdir(this.name).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) throw error;
      throw new BackupError(`The folder ${this.name} (BACKUP_FOLDER) cannot be read.`, { cause: error });
    });
  }

  place(name: string): BackupPlace {
    return new FilePlace(join(this.name, name));
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.name, name));
  }

  async removeDrafts(isOurs: (name: string) => boolean): Promise<void> {
    for (const name of await this.list()) {
      if (name.endsWith('.partial') && isOurs(name.replace(/\.partial$/, ''))) await this.remove(name);
    }
  }
}

class BucketFolder implements BackupFolder {
  constructor(
    private readonly store: ObjectStore,
    readonly name: string,
  ) {}

  async list(): Promise<string[]> {
    return (await explained(this.store.all(''))).map(({ key }) => key);
  }

  place(name: string): BackupPlace {
    return new ObjectPlace(this.store, name, this.name + name);
  }

  remove(name: string): Promise<void> {
    return this.store.remove([name]);
  }

  /** Nobody sees unfinished ones, but the storage stores their parts. */
  removeDrafts(isOurs: (name: string) => boolean): Promise<void> {
    return this.store.removeOldUploads('', new Date(Date.now() - ABANDONED_AFTER_MS), isOurs);
  }
}
