import { open, opendir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  type Env,
  isInStore,
  type ObjectStore,
  STORED_FOLDERS,
  type StoredObject,
  unlessMissing,
} from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';

/** The folders of DATA_DIR that a backup holds; drafts and what can be fetched again stay out. */
export const FILE_FOLDERS = [...STORED_FOLDERS, 'static'] as const;

/** Where files of DATA_DIR stand in a backup. */
export const FILES = 'files/';
export const SECRET_KEY_FILE = 'secret.key';

/** Characters that cannot be in a name of a list of sums, or that other systems do not have. */
const UNSAFE = /[\u0000-\u001f\u007f\\]/;

/** A file of DATA_DIR by its path in it, with slashes; `open` returns nothing when it is gone. */
export interface DataFile {
  readonly path: string;
  /** What a bucket says of it. */
  readonly facts?: StoredObject;
  readonly open: () => Promise<OpenedDataFile | undefined>;
}

/** The stream ends early, or late, when the file is changed while it is read. */
export interface OpenedDataFile {
  readonly size: number;
  readonly modifiedAt: Date;
  /** The entity tag, in a bucket. */
  readonly tag?: string | undefined;
  readonly stream: Readable;
}

/** Times that an object may be another one when it is opened. */
const ATTEMPTS = 3;

/**
 * Lists the files that people and the operator put there, folder by folder; calls `skip` with what cannot be stored.
 * @param store the bucket of the server, if it has one
 */
export async function* dataFiles(
  dataDir: string,
  store: ObjectStore | null,
  skip: (path: string) => void,
): AsyncGenerator<DataFile> {
  for (const folder of FILE_FOLDERS) {
    if (store && isInStore(folder)) yield* objectsBelow(store, folder, skip);
    else yield* filesBelow(dataDir, folder, skip);
  }
}

/** Whether `path` is one that {@link dataFiles} could have listed: it leads out of no folder. */
export function isDataPath(path: string): boolean {
  const [folder, ...names] = path.split('/');
  const isSafe = names.every((name) => name !== '' && name !== '.' && name !== '..' && !UNSAFE.test(name));
  return isSafe && names.length > 0 && FILE_FOLDERS.some((each) => each === folder);
}

/** The secret key of the server, as the text of its file. */
export async function secretKeyText({
  secretKey,
  dataDir,
}: Pick<Env, 'secretKey' | 'dataDir'>): Promise<string | undefined> {
  if (secretKey) return `${secretKey.toString('hex')}\n`;
  return readFile(join(dataDir, SECRET_KEY_FILE), 'utf8').catch(unlessMissing);
}

async function* filesBelow(dataDir: string, folder: string, skip: (path: string) => void): AsyncGenerator<DataFile> {
  const entries = await opendir(join(dataDir, folder)).catch(unlessMissing);
  if (!entries) return;
  for await (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.name === '.drafts') continue;
    if (UNSAFE.test(entry.name)) skip(path.replace(UNSAFE, '?'));
    else if (entry.isDirectory()) yield* filesBelow(dataDir, path, skip);
    else if (entry.isFile()) yield { path, open: () => openFile(join(dataDir, path)) };
    else skip(path); // links lead elsewhere, and pipes have no end
  }
}

async function* objectsBelow(
  store: ObjectStore,
  folder: string,
  skip: (path: string) => void,
): AsyncGenerator<DataFile> {
  for await (const { key: path, ...facts } of store.list(`${folder}/`)) {
    if (!isDataPath(path)) skip(path.replace(UNSAFE, '?'));
    else yield { path, facts, open: () => openObject(store, path, facts) };
  }
}

/** Opens an object as it is now: one that was changed since it was `listed` is read as a whole too. */
async function openObject(store: ObjectStore, path: string, listed: StoredObject): Promise<OpenedDataFile | undefined> {
  let facts = listed.size > 0 ? listed : await store.stat(path); // no request for an empty content would tell a change
  for (let attempt = 1; facts && attempt <= ATTEMPTS; attempt += 1) {
    const content = store.read(path, facts);
    const first = await content.next();
    if (!first.done || facts.size === 0) return { ...facts, stream: streamOf(first, content) };
    facts = await store.stat(path);
  }
  if (facts) throw new BackupError(`${path} was changed while it was read: try again.`);
  return undefined;
}

function streamOf(first: IteratorResult<Buffer, unknown>, others: AsyncIterable<Buffer>): Readable {
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* others;
  };
  return Readable.from(all(), { objectMode: false });
}

async function openFile(path: string): Promise<OpenedDataFile | undefined> {
  const file = await open(path).catch(unlessMissing);
  if (!file) return undefined;
  const { size, mtime } = await file.stat();
  return { size, modifiedAt: mtime, stream: file.createReadStream() };
}
