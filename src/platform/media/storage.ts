import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasCode, unlessMissing } from '../env/errors.js';
import { makeFolder, PRIVATE_FILE, PRIVATE_FOLDER, secureFolder } from '../env/private-files.js';

/** Folders and a name, chosen by the server and never by users; no part begins with a dot. */
const KEY = /^(?!.{513})[a-z0-9_-][a-z0-9._-]{0,127}(\/[a-z0-9_-][a-z0-9._-]{0,127})*$/;

/** The folder of drafts; no key leads into it. */
const DRAFTS = '.drafts';
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;
/** Room that is left to the database and the logs: 1 GiB, or a twentieth of a small disk (threat M8). */
const KEPT_FREE_BYTES = 1024 ** 3;
const KEPT_FREE_SHARE = 0.05;

/** A content to store: bytes, a stream, or a local file, which is moved away from its path. */
export type Content = Buffer | Readable | { readonly path: string };

/** Bytes `start` to `end`, both included, as in a Range header (RFC 9110 §14). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  readonly size: number;
  readonly modifiedAt: Date;
}

/** `size` is that of the whole file, also when a range was asked for. */
export interface OpenedFile extends StoredFile {
  /** Destroy it when it is not read to its end. */
  readonly stream: Readable;
}

/** Stores files by key. Readers see a file whole or not at all. Invalid keys throw a RangeError. */
export interface Storage {
  /** Stores the content in place of the key's previous one. A failed put leaves that unchanged. */
  put(key: string, content: Content): Promise<void>;
  /** The file, or undefined when there is none. The range lies within the file. */
  open(key: string, range?: ByteRange): Promise<OpenedFile | undefined>;
  stat(key: string): Promise<StoredFile | undefined>;
  /** Removes the files that are there. */
  remove(...keys: readonly string[]): Promise<void>;
  /** Whether to refuse new files, since the disk is nearly full. */
  isFull(): Promise<boolean>;
}

/** A storage with what its owner has to do for it. */
export interface StorageDriver extends Storage {
  /** Makes it ready; called once, before everything else. */
  prepare(): Promise<void>;
  /** Removes what killed processes left unfinished. */
  removeOldDrafts(): Promise<void>;
}

/** Whether a text can be a key at all. */
export function isStorageKey(text: string): boolean {
  return KEY.test(text);
}

/** The modes of a storage's files and folders, with any umask. */
export interface Modes {
  readonly file: number;
  readonly folder: number;
}

export const PRIVATE: Modes = { file: PRIVATE_FILE, folder: PRIVATE_FOLDER };
/** For a web server that serves the files itself. */
export const GROUP_READABLE: Modes = { file: 0o640, folder: 0o750 };

/** Stores files in a folder. */
export class FolderStorage implements StorageDriver {
  private readonly drafts: string;

  constructor(
    private readonly root: string,
    private readonly modes: Modes = PRIVATE,
  ) {
    this.drafts = join(root, DRAFTS);
  }

  /** Makes the folder, or closes an existing one to other users, and removes old drafts. */
  async prepare(): Promise<void> {
    await secureFolder(this.root, this.modes.folder);
    await secureFolder(this.drafts);
    await this.removeOldDrafts();
  }

  /** Removes the drafts of killed processes. */
  async removeOldDrafts(): Promise<void> {
    for (const name of await readdir(this.drafts)) {
      const path = join(this.drafts, name);
      const draft = await stat(path).catch(unlessMissing);
      if (draft && draft.mtimeMs < Date.now() - ABANDONED_AFTER_MS) await rm(path, { force: true });
    }
  }

  async put(key: string, content: Content): Promise<void> {
    const path = this.path(key);
    await placeFile(content, { draft: join(this.drafts, randomUUID()), path, modes: this.modes });
  }

  async open(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    const file = await open(this.path(key)).catch(unlessMissing);
    if (!file) return undefined;
    const entry = await file.stat();
    if (entry.isFile()) return { size: entry.size, modifiedAt: entry.mtime, stream: file.createReadStream(range) };
    await file.close(); // the folder of other files
    return undefined;
  }

  async stat(key: string): Promise<StoredFile | undefined> {
    const entry = await stat(this.path(key)).catch(unlessMissing);
    return entry?.isFile() ? { size: entry.size, modifiedAt: entry.mtime } : undefined;
  }

  async remove(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await rm(this.path(key)).catch(unlessMissing);
  }

  isFull(): Promise<boolean> {
    return isDiskFull(this.root);
  }

  private path(key: string): string {
    requireKey(key);
    return join(this.root, key);
  }
}

/** Whether the disk of a folder has no room for new files. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return bavail * bsize < Math.min(KEPT_FREE_BYTES, KEPT_FREE_SHARE * blocks * bsize);
}

/** @throws RangeError when the text is no key */
export function requireKey(key: string): void {
  if (!isStorageKey(key)) throw new RangeError(`Not a storage key: ${JSON.stringify(key.slice(0, 100))}`);
}

interface Placing {
  /** Where the content lies until it is whole and written out. */
  readonly draft: string;
  readonly path: string;
  readonly modes: Modes;
  /** May refuse the draft. */
  readonly check?: () => Promise<void>;
}

/** Writes a file whole or not at all, in place of the path's previous one. The folder of the draft is there. */
export async function placeFile(content: Content, { draft, path, modes, check }: Placing): Promise<void> {
  try {
    await write(draft, content);
    await seal(draft, modes.file);
    await check?.();
    await makeFolder(dirname(path), modes.folder);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function write(path: string, content: Content): Promise<void> {
  if (Buffer.isBuffer(content)) await writeFile(path, content, { mode: PRIVATE_FILE });
  else if (content instanceof Readable) await pipeline(content, createWriteStream(path, { mode: PRIVATE_FILE }));
  else await move(content.path, path);
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    await copyFile(from, to); // the two lie on different file systems
    await rm(from);
  }
}

/** Sets the mode, and writes the file out: an answered upload survives a power cut. */
async function seal(path: string, mode: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}
