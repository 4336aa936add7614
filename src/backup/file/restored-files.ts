import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, opendir, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createOnce,
  decodeSecretKey,
  type Env,
  isInStore,
  makeFolder,
  modesOf,
  objectHeadersOf,
  type ObjectStore,
  unlessMissing,
} from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';
import { type BackupEntry, textOf } from './backup-reader.js';
import { FILE_FOLDERS, SECRET_KEY_FILE, secretKeyText } from './data-files.js';

/** The SHA-256 of a secret key, as hex; undefined when the text is no key. */
export function fingerprint(secretKey: string): string | undefined {
  const key = decodeSecretKey(secretKey.trim());
  return key && createHash('sha256').update(key).digest('hex');
}

/** The files of a restore: in DATA_DIR, and in the bucket of a server that has one. */
export class RestoredFiles {
  private readonly dataDir: string;

  constructor(
    private readonly env: Pick<Env, 'dataDir' | 'secretKey' | 'mediaFileMode'>,
    private readonly store: ObjectStore | null,
  ) {
    this.dataDir = env.dataDir;
  }

  /** @throws BackupError when there is a file of a server in DATA_DIR or the bucket */
  async requireEmpty(): Promise<void> {
    for (const folder of FILE_FOLDERS) {
      const file = await firstFile(join(this.dataDir, folder));
      if (file !== undefined)
        throw new BackupError(`${this.dataDir} is not empty: it has ${file}. Use another DATA_DIR.`);
      if (this.store && isInStore(folder) && !(await this.store.list(`${folder}/`).next()).done)
        throw new BackupError(`The bucket is not empty: it has files in ${folder}. Use another STORAGE_URL.`);
    }
  }

  /** @throws BackupError when this place has another secret key than the backup */
  async requireSameKey(backedUp: string | undefined): Promise<void> {
    const ours = await secretKeyText(this.env);
    if (ours === undefined || backedUp === undefined || fingerprint(ours) === backedUp) return;
    const source = this.env.secretKey ? 'SECRET_KEY' : join(this.dataDir, SECRET_KEY_FILE);
    throw new BackupError(
      `${source} is another key than that of the backup: remove it, and the restore brings its own.`,
    );
  }

  /** Removes the files of a restore that did not finish. */
  async removeAll(): Promise<void> {
    for (const folder of FILE_FOLDERS) {
      await rm(join(this.dataDir, folder), { recursive: true, force: true });
      if (this.store && isInStore(folder)) await removeObjects(this.store, `${folder}/`);
    }
  }

  /** Writes a file with its time, and with the modes that the server gives its files. */
  async write(path: string, { modifiedAt, content }: BackupEntry): Promise<void> {
    if (this.store && isInStore(path)) {
      await this.store.put(path, Readable.from(content), objectHeadersOf(path));
      return;
    }
    const modes = modesOf(this.env, path);
    const target = join(this.dataDir, path);
    await makeFolder(dirname(target), modes.folder);
    await pipeline(content, createWriteStream(target, { mode: modes.file, flags: 'wx' }));
    await utimes(target, modifiedAt, modifiedAt);
  }

  /** Writes the secret key where the server reads it; with SECRET_KEY in the environment it is there already. */
  async writeSecretKey({ name, size, content }: BackupEntry): Promise<void> {
    const text = await textOf(name, size, content);
    if (this.env.secretKey) return;
    await makeFolder(this.dataDir);
    createOnce(join(this.dataDir, SECRET_KEY_FILE), text);
  }

  /** Writes all files out to the disk: late, when most of them are there already. */
  async sync(): Promise<void> {
    for (const folder of FILE_FOLDERS) await syncBelow(join(this.dataDir, folder));
    if (!this.env.secretKey) await syncOne(join(this.dataDir, SECRET_KEY_FILE));
    await syncOne(this.dataDir);
  }
}

async function removeObjects(store: ObjectStore, prefix: string): Promise<void> {
  await store.remove((await store.all(prefix)).map(({ key }) => key));
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

async function syncBelow(folder: string): Promise<void> {
  const entries = await opendir(folder).catch(unlessMissing);
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncBelow(path);
    else if (entry.isFile()) await syncOne(path);
  }
  await syncOne(folder);
}

async function syncOne(path: string): Promise<void> {
  await using file = await open(path).catch(unlessMissing);
  await file?.sync();
}
