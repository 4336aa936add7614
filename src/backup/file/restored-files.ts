import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, opendir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createOnce,
  decodeSecretKey,
  type Env,
  hasCode,
  isInStore,
  makeFolder,
  modesOf,
  objectHeadersOf,
  type ObjectStore,
  unlessMissing,
} from '../../platform/index.js';
import { BackupDamaged, BackupError } from '../model/backup-error.js';
import { type BackupEntry, textOf } from './backup-reader.js';
import { FILE_FOLDERS, SECRET_KEY_FILE, secretKeyText } from './data-files.js';
import { RestoredBucket, RestoredFolder, type RestoredPlace } from './restored-place.js';

/** The SHA-256 of a secret key, as hex; undefined when the text is no key. */
export function fingerprint(secretKey: string): string | undefined {
  const key = decodeSecretKey(secretKey.trim());
  return key && createHash('sha256').update(key).digest('hex');
}

/** The files of a restore: in DATA_DIR, and in the bucket of a server that has one. */
export class RestoredFiles {
  private readonly dataDir: string;
  private readonly places: readonly RestoredPlace[];

  constructor(
    private readonly env: Pick<Env, 'dataDir' | 'secretKey' | 'mediaFileMode'>,
    private readonly store: ObjectStore | null,
  ) {
    this.dataDir = env.dataDir;
    this.places = [new RestoredFolder(env.dataDir), ...(store ? [new RestoredBucket(store)] : [])];
  }

  /**
   * Removes what this restore left where it began before. Everywhere else there must be nothing, before anything is removed.
   * @throws BackupError when there is a file of a server, with the advice what to do then
   */
  async prepare(id: string, advice?: string): Promise<void> {
    const begun: RestoredPlace[] = [];
    for (const place of this.places) {
      if (await place.isMarked(id)) begun.push(place);
      else await place.requireEmpty(advice);
    }
    for (const place of begun) await place.removeAll();
  }

  /** Before the first file is written. */
  async mark(id: string): Promise<void> {
    for (const place of this.places) await place.setMark(id);
  }

  async removeMarks(): Promise<void> {
    for (const place of this.places) await place.removeMark();
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

  /** Writes a file with its time, and with the modes that the server gives its files. */
  async write(path: string, { modifiedAt, content }: BackupEntry): Promise<void> {
    if (this.store && isInStore(path)) {
      await this.store.put(path, Readable.from(content), objectHeadersOf(path));
      return;
    }
    const modes = modesOf(this.env, path);
    const target = join(this.dataDir, path);
    try {
      await makeFolder(dirname(target), modes.folder);
      await pipeline(content, createWriteStream(target, { mode: modes.file, flags: 'wx' }));
      await utimes(target, modifiedAt, modifiedAt);
    } catch (error) {
      if (!hasCode(error, 'EEXIST', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG')) throw error;
      throw new BackupDamaged(`${path} has no place beside its other files`, { cause: error });
    }
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
