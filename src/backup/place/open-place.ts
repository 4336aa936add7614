import { resolve } from 'node:path';
import {
  type Env,
  isBucketUrl,
  messageOf,
  openObjectStore,
  parseBucketUrl,
  parseObjectUrl,
} from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';
import type { BackupPlace } from './backup-place.js';
import { FilePlace } from './file-place.js';
import { ObjectPlace } from './object-place.js';

/** What is needed of the environment to reach a backup in a bucket. */
export type BucketEnv = Pick<Env, 'storage' | 'storageKeyFile' | 'storageKey'>;

/** Bytes of one request: a backup has at most 10,000 of them, thus 320 GB. */
const BACKUP_PART_BYTES = 32 * 1024 * 1024;

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
