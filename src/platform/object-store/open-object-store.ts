import { readFileSync } from 'node:fs';
import type { Env } from '../env/env.js';
import { messageOf, StartError } from '../env/errors.js';
import { ObjectStore } from './object-store.js';
import { type BucketAddress, type BucketKey, parseBucketKey } from '../env/bucket-address.js';
import type { StorageError } from './storage-error.js';

interface OpenOptions {
  readonly onFailure?: (error: StorageError) => void;
  /** The bytes of one request; a content has at most 10,000 of them. */
  readonly partBytes?: number;
}

/**
 * A bucket under the access key of the environment. Nothing is sent yet.
 * @throws StartError when the key is missing or cannot be read
 */
export function openObjectStore(
  address: BucketAddress,
  env: Pick<Env, 'storageKeyFile' | 'storageKey'>,
  { onFailure, partBytes }: OpenOptions = {},
): ObjectStore {
  return new ObjectStore(address, readKey(env), onFailure, partBytes);
}

function readKey({ storageKeyFile: path, storageKey }: Pick<Env, 'storageKeyFile' | 'storageKey'>): BucketKey {
  if (path === undefined) {
    if (storageKey) return storageKey;
    throw new StartError('A bucket needs STORAGE_KEY_FILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  }
  try {
    return parseBucketKey(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new StartError(`The access key in ${path} (STORAGE_KEY_FILE) cannot be used: ${messageOf(error)}`);
  }
}
