import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type CachedObjects, type ObjectStore, unlessMissing } from '../../../src/platform/index.js';

/** Where a test server stores its files. */
export type TestStorage = 'disk' | 's3';

/** For suites that run on each storage in every run of the tests: what they test differs by storage. */
export const STORAGES: readonly TestStorage[] = ['disk', 's3'];

/** The storage of all other suites: `TEST_STORAGE`, else the disk. */
export const TEST_STORAGE: TestStorage = process.env['TEST_STORAGE'] === 's3' ? 's3' : 'disk';

/** Runs a suite or test of what only a disk has (links, modes, folders that an operator fills); on S3 it prints its name. */
const onDisk =
  <Work>(run: (name: string, work: Work) => void) =>
  (name: string, work: Work): void => {
    if (TEST_STORAGE === 'disk') run(name, work);
    else process.stderr.write(`Skipped, since only a disk has it: ${name}\n`);
  };
export const describeOnDisk = onDisk(describe);
export const itOnDisk = onDisk(it);

/** The files of a test server, for a look behind it, by their paths in DATA_DIR or in the bucket. */
export interface StoredFiles {
  /** The names of files and folders directly below a folder, without that of the drafts, sorted. */
  names(folder: string): Promise<string[]>;
  /** The paths of all files below a folder, sorted. */
  paths(folder: string): Promise<string[]>;
  read(path: string): Promise<Buffer>;
  write(path: string, content: Buffer | string): Promise<void>;
  /** Removes a file, or a folder with all that is below it. */
  remove(path: string): Promise<void>;
}

/** The files in a data folder. */
export function filesOnDisk(dataDir: string): StoredFiles {
  const paths = async (folder: string) => {
    const entries = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(unlessMissing);
    const files = (entries ?? []).filter((entry) => entry.isFile());
    return files.map((entry) => relative(dataDir, join(entry.parentPath, entry.name))).sort();
  };
  return {
    paths,
    names: async (folder) => {
      const names = (await readdir(join(dataDir, folder)).catch(unlessMissing)) ?? [];
      return names.filter((name) => name !== '.drafts').sort();
    },
    read: (path) => readFile(join(dataDir, path)),
    write: async (path, content) => {
      await mkdir(dirname(join(dataDir, path)), { recursive: true });
      await writeFile(join(dataDir, path), content);
    },
    remove: (path) => rm(join(dataDir, path), { recursive: true, force: true }),
  };
}

/** The files in a bucket; the server sees what is changed here at once. */
export function filesInBucket(store: ObjectStore, cache: CachedObjects | null): StoredFiles {
  const paths = async (folder: string) => {
    const keys: string[] = [];
    for await (const { key } of store.list(`${folder}/`)) keys.push(key);
    return keys.sort();
  };
  return {
    paths,
    names: async (folder) => {
      const below = (await paths(folder)).map((path) => path.slice(folder.length + 1).split('/')[0] ?? '');
      return [...new Set(below)];
    },
    read: async (path) => {
      const found = await store.stat(path);
      if (!found) throw new Error(`There is no object ${path}`);
      return found.size === 0 ? Buffer.alloc(0) : (await store.bytes(path, { start: 0, end: found.size - 1 }))!;
    },
    write: async (path, content) => {
      await store.put(path, Buffer.from(content));
      cache?.forget(path);
    },
    remove: async (path) => {
      const gone = [path, ...(await paths(path))];
      await store.remove(gone);
      for (const key of gone) cache?.forget(key);
    },
  };
}
