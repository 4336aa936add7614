import { join } from 'node:path';
import type { ObjectStore } from './object-store.js';
import { ObjectStorage, type HeadersOfKey } from './object-storage.js';
import type { Env } from '../env/env.js';
import {
  type ByteRange,
  type Content,
  FolderStorage,
  type Modes,
  type OpenedFile,
  type Storage,
  type StorageDriver,
  type StoredFile,
} from '../media/storage.js';

/** Where the files of one kind lie. */
export interface StoredFolderOptions {
  readonly env: Pick<Env, 'dataDir'>;
  /** The bucket of `STORAGE_URL`; null for the disk. */
  readonly store: ObjectStore | null;
  /** The folder, in DATA_DIR as in the bucket. */
  readonly name: string;
  /** Those of the files on the disk; private unless given. */
  readonly modes?: Modes;
  /** What the bucket answers with a file besides its content. */
  readonly headersOf?: HeadersOfKey;
}

/** Stores the files of one kind where the operator wants them: in a folder of DATA_DIR, or in a bucket. */
export abstract class StoredFolder implements Storage {
  private readonly driver: StorageDriver;

  constructor({ env, store, name, modes, headersOf }: StoredFolderOptions) {
    this.driver = store
      ? new ObjectStorage(store, name, env.dataDir, headersOf)
      : new FolderStorage(join(env.dataDir, name), modes);
  }

  put(key: string, content: Content): Promise<void> {
    return this.driver.put(key, content);
  }

  open(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    return this.driver.open(key, range);
  }

  stat(key: string): Promise<StoredFile | undefined> {
    return this.driver.stat(key);
  }

  remove(...keys: readonly string[]): Promise<void> {
    return this.driver.remove(...keys);
  }

  isFull(): Promise<boolean> {
    return this.driver.isFull();
  }

  protected prepare(): Promise<void> {
    return this.driver.prepare();
  }

  protected removeOldDrafts(): Promise<void> {
    return this.driver.removeOldDrafts();
  }
}
