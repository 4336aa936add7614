import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import {
  type Env,
  hasCode,
  isBucketUrl,
  messageOf,
  openObjectStore,
  parseBucketUrl,
  parseObjectUrl,
  PRIVATE_FILE,
  unlessMissing,
} from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';
import { ObjectPlace } from './object-place.js';

/** What is needed of the environment to reach a backup in a bucket. */
export type BucketEnv = Pick<Env, 'storage' | 'storageKeyFile' | 'storageKey'>;

/** Where one backup is, or will be: a file, or an object in a bucket. It has its name only when it is whole. */
export interface BackupPlace {
  /** As the operator names it. */
  readonly name: string;
  /** @throws BackupError when something is there already, or nothing can be there */
  requireFree(): Promise<void>;
  /** Takes the bytes of the backup. */
  begin(): Writable;
  /** Gives the backup its name, once all bytes were taken. Returns its size in bytes. */
  finish(): Promise<number>;
  /** Removes what was taken. */
  abandon(): Promise<void>;
  /** The bytes of the backup. */
  open(signal?: AbortSignal): Readable;
  /** Up to so many bytes from a position, counted from the end when it is negative. @throws BackupError when nothing is there */
  read(start: number, length: number): Promise<Buffer>;
}

/** Bytes of one request: a backup has at most 10,000 of them, thus 320 GB. */
export const BACKUP_PART_BYTES = 32 * 1024 * 1024;

/**
 * The place that a text names: a path, or `s3://bucket/name`. What an address leaves out is that of STORAGE_URL.
 * @throws BackupError when it is not the address of an object
 */
export function backupPlace(text: string, env: BucketEnv): BackupPlace {
  if (!isBucketUrl(text)) return new FilePlace(resolve(text));
  const { bucket, key } = readAddress(() => parseObjectUrl(text, env.storage));
  const store = openObjectStore(bucket, env, { partBytes: BACKUP_PART_BYTES });
  return new ObjectPlace(store, key, `s3://${bucket.bucket}/${key}`);
}

/** The bucket of a folder for backups. @throws BackupError when the text is no address of one */
export function backupBucket(text: string, env: BucketEnv) {
  const address = readAddress(() => parseBucketUrl(text, env.storage));
  const store = openObjectStore(address, env, { partBytes: BACKUP_PART_BYTES });
  return { store, name: `s3://${address.bucket}/${address.prefix}` };
}

function readAddress<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new BackupError(`The address of the backup cannot be used: ${messageOf(error)}.`);
  }
}

/** A file of this machine, which is called `<path>.partial` until it is whole. */
export class FilePlace implements BackupPlace {
  constructor(readonly name: string) {}

  async requireFree(): Promise<void> {
    if (await stat(this.name).catch(unlessMissing)) throw new BackupError(`${this.name} is there already.`);
    const folder = dirname(this.name);
    if (!(await stat(folder).catch(unlessMissing))) throw new BackupError(`There is no folder ${folder}.`);
    await rm(this.draft, { force: true }); // its mode may be another one
  }

  begin(): Writable {
    return createWriteStream(this.draft, { mode: PRIVATE_FILE, flush: true });
  }

  async finish(): Promise<number> {
    await rename(this.draft, this.name);
    await using folder = await open(dirname(this.name));
    await folder.sync();
    return (await stat(this.name)).size;
  }

  async abandon(): Promise<void> {
    await rm(this.draft, { force: true });
  }

  open(signal?: AbortSignal): Readable {
    return createReadStream(this.name, signal ? { signal } : {});
  }

  async read(start: number, length: number): Promise<Buffer> {
    try {
      await using file = await open(this.name);
      const from = start < 0 ? Math.max(0, (await file.stat()).size + start) : start;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES')) throw error;
      throw new BackupError(`${this.name} cannot be read.`, { cause: error });
    }
  }

  private get draft(): string {
    return `${this.name}.partial`;
  }
}
