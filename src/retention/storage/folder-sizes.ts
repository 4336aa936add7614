import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, isInStore, type ObjectStore, StorageError, unlessMissing } from '../../platform/index.js';

/** The folders of `DATA_DIR` that hold files of the server: no other has a size, so their number is bounded. */
const FOLDERS = ['archives', 'emoji', 'frontends', 'media', 'postgres', 'proxy', 'static', 'uploads'];

/** The size of a folder. */
export interface FolderSize {
  readonly folder: string;
  /** Of all its files, in bytes. */
  readonly bytes: number;
  readonly files: number;
}

/**
 * The sizes of the folders of `DATA_DIR` that are there, or of their files in the bucket; without those while it is away.
 * Reads every entry: takes a while with many files.
 * @param store the bucket of the server, if it has one
 */
export async function folderSizes(dataDir: string, store: ObjectStore | null): Promise<FolderSize[]> {
  const sizes: FolderSize[] = [];
  for (const folder of FOLDERS) {
    const size = { folder, bytes: 0, files: 0 };
    const isThere = store && isInStore(folder) ? addObjects(store, size) : addAll(join(dataDir, folder), size);
    if (await isThere) sizes.push(size);
  }
  return sizes;
}

async function addObjects(
  store: ObjectStore,
  size: { folder: string; bytes: number; files: number },
): Promise<boolean> {
  try {
    for await (const object of store.list(`${size.folder}/`)) {
      size.bytes += object.size;
      size.files += 1;
    }
    return true;
  } catch (error) {
    if (error instanceof StorageError) return false;
    throw error;
  }
}

/** Adds what is in a folder; false when it is not there or cannot be read. Files may vanish meanwhile. */
async function addAll(path: string, size: { bytes: number; files: number }): Promise<boolean> {
  const entries = await opendir(path).catch(unlessReadable);
  if (!entries) return false;
  for await (const entry of entries) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await addAll(inner, size);
    else if (entry.isFile()) {
      size.bytes += (await lstat(inner).catch(unlessReadable))?.size ?? 0;
      size.files += 1;
    }
  }
  return true;
}

/** The bundled database may belong to another user. */
function unlessReadable(error: unknown): undefined {
  if (!hasCode(error, 'EACCES', 'EPERM')) unlessMissing(error);
}
