import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ENV, type Env } from '../env.js';
import { hasCode } from '../errors.js';
import { Recurs } from '../jobs/handlers.js';

/** Folders and a name, chosen by the server and never by people; no part begins with a dot. */
const KEY = /^(?!.{513})[a-z0-9_-][a-z0-9._-]{0,127}(\/[a-z0-9_-][a-z0-9._-]{0,127})*$/;

/** What is still being written lies here; no key leads into it. */
const DRAFTS = '.drafts';
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;
const DAILY = 24 * 60;

/** Room that is left to the database and the logs: 1 GiB, or a twentieth of a small disk (threat M8). */
const KEPT_FREE_BYTES = 1024 ** 3;
const KEPT_FREE_SHARE = 0.05;

/** What to store: bytes, a stream, or a local file, which is moved away from its path. */
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

/** Keeps files by key. Readers see a file whole or not at all. Keys that are none throw a RangeError. */
export interface Storage {
  /** Stores the content, in place of what the key had before. A failed put leaves that untouched. */
  put(key: string, content: Content): Promise<void>;
  /** The file, or undefined when there is none. The range lies within the file. */
  open(key: string, range?: ByteRange): Promise<OpenedFile | undefined>;
  stat(key: string): Promise<StoredFile | undefined>;
  /** Removes the file if it is there. */
  remove(key: string): Promise<void>;
  /** Whether no more should be stored, since the disk is nearly full. */
  isFull(): Promise<boolean>;
}

/** Whether a text can be a key at all. */
export function isStorageKey(text: string): boolean {
  return KEY.test(text);
}

/** Keeps the files in the folder `DATA_DIR/media`. */
@Injectable()
export class DiskStorage implements Storage, OnModuleInit {
  private readonly root: string;
  private readonly drafts: string;

  constructor(@Inject(ENV) env: Pick<Env, 'dataDir'>) {
    this.root = join(env.dataDir, 'media');
    this.drafts = join(this.root, DRAFTS);
  }

  async onModuleInit(): Promise<void> {
    await mkdir(this.drafts, { recursive: true });
    await this.sweepDrafts();
  }

  /** Removes the drafts of processes that were killed: when such a one is started anew they are not old enough yet. */
  @Recurs({ job: 'storage.sweep-drafts', everyMinutes: DAILY })
  async sweepDrafts(): Promise<void> {
    for (const name of await readdir(this.drafts)) {
      const path = join(this.drafts, name);
      const draft = await unlessMissing(stat(path));
      if (draft && draft.mtimeMs < Date.now() - ABANDONED_AFTER_MS) await rm(path, { force: true });
    }
  }

  async put(key: string, content: Content): Promise<void> {
    const path = this.path(key);
    const draft = join(this.drafts, randomUUID());
    try {
      await write(draft, content);
      await flush(draft);
      await mkdir(dirname(path), { recursive: true });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async open(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    const file = await unlessMissing(open(this.path(key)));
    if (!file) return undefined;
    const entry = await file.stat();
    if (entry.isFile()) return { size: entry.size, modifiedAt: entry.mtime, stream: file.createReadStream(range) };
    await file.close(); // the folder of other files
    return undefined;
  }

  async stat(key: string): Promise<StoredFile | undefined> {
    const entry = await unlessMissing(stat(this.path(key)));
    return entry?.isFile() ? { size: entry.size, modifiedAt: entry.mtime } : undefined;
  }

  async remove(key: string): Promise<void> {
    await unlessMissing(rm(this.path(key)));
  }

  async isFull(): Promise<boolean> {
    const { bavail, blocks, bsize } = await statfs(this.root);
    return bavail * bsize < Math.min(KEPT_FREE_BYTES, KEPT_FREE_SHARE * blocks * bsize);
  }

  private path(key: string): string {
    if (!isStorageKey(key)) throw new RangeError(`Not a storage key: ${JSON.stringify(key.slice(0, 100))}`);
    return join(this.root, key);
  }
}

async function write(path: string, content: Content): Promise<void> {
  if (Buffer.isBuffer(content)) await writeFile(path, content);
  else if (content instanceof Readable) await pipeline(content, createWriteStream(path));
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

/** An answered upload survives a power cut. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function unlessMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
