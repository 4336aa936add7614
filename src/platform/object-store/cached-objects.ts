import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { unlessMissing } from '../env/errors.js';
import { makeFolder, PRIVATE_FILE, secureFolder } from '../env/private-files.js';
import type { ByteRange, OpenedFile } from '../media/storage.js';
import type { ObjectStore, StoredObject } from './object-store.js';
import { StorageError } from './storage-error.js';
import { entryLimit } from '../memory/cache.js';

/** Injection token of the {@link CachedObjects} of this process; null when files are on the disk. */
export const CACHED_OBJECTS = Symbol('CACHED_OBJECTS');

/** Until then a changed object may be served as it was. */
const FRESH_MS = 10_000;
const MAX_DESCRIPTIONS = 20_000;
/** A larger object is passed through. */
const MAX_SHARE = 0.25;
/** The age of a draft that no process writes any more. */
const ABANDONED_MS = 60 * 60 * 1_000;
const DRAFT = '.draft';

interface Description {
  readonly found: StoredObject | undefined;
  readonly readAt: number;
}

/**
 * Reads objects that are asked for often through a folder of this machine, bounded in bytes. A file is named after its key
 * and its tag, so processes may share the folder. Descriptions are a few seconds old at most, unless the storage is away.
 * The folder may be removed at any time; objects are passed through while nothing can be stored in it.
 */
export class CachedObjects {
  private readonly logger = new Logger('Files');
  private readonly descriptions = new LRUCache<string, Description>(entryLimit(MAX_DESCRIPTIONS));
  private readonly files: LRUCache<string, number>;
  private readonly loading = new Map<string, Promise<void>>();
  private preparing: Promise<void> | undefined;
  private isFailing = false;

  constructor(
    private readonly store: ObjectStore,
    private readonly folder: string,
    private readonly maxBytes: number,
  ) {
    this.files = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (size) => Math.max(1, size),
      dispose: (_size, name, reason) => {
        if (reason !== 'set') void rm(join(this.folder, name), { force: true }).catch(() => undefined);
      },
    });
  }

  async stat(key: string): Promise<StoredObject | undefined> {
    const known = this.descriptions.get(key);
    if (known && known.readAt > performance.now() - FRESH_MS) return known.found;
    try {
      const found = await this.store.stat(key);
      this.descriptions.set(key, { found, readAt: performance.now() });
      return found;
    } catch (error) {
      if (!known || !(error instanceof StorageError)) throw error;
      this.descriptions.set(key, { found: known.found, readAt: performance.now() }); // so that not every request waits for it
      return known.found;
    }
  }

  async open(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    const found = await this.stat(key);
    if (!found) return undefined;
    const { tag } = found;
    if (tag === undefined || found.size > this.maxBytes * MAX_SHARE) return this.store.open(key, range);
    const name = createHash('sha256').update(`${key}\0${tag}`).digest('hex');
    const file = await this.cachedOrLoaded(name, range, () => this.loadOnce(key, name, tag));
    return file ? { ...file, modifiedAt: found.modifiedAt } : this.store.open(key, range);
  }

  /** Makes this process see its own change at once. */
  forget(key: string): void {
    this.descriptions.delete(key);
  }

  /** Undefined when the object is another one by now, or the folder fails, as on a full disk. */
  private async cachedOrLoaded(name: string, range: ByteRange | undefined, load: () => Promise<void>) {
    try {
      const cached = await this.cached(name, range);
      if (cached) return cached;
      await load();
      this.isFailing = false;
      return await this.cached(name, range);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      if (!this.isFailing) this.logger.warn({ err: error }, `Nothing can be cached in ${this.folder}`);
      this.isFailing = true;
      return undefined;
    }
  }

  private async cached(name: string, range: ByteRange | undefined): Promise<OpenedFile | undefined> {
    await this.prepare();
    if (this.files.get(name) === undefined) return undefined;
    const file = await open(join(this.folder, name)).catch(unlessMissing);
    if (!file) return void this.files.delete(name); // another process removed it
    const { size, mtime } = await file.stat();
    return { size, modifiedAt: mtime, stream: file.createReadStream(range) };
  }

  private loadOnce(key: string, name: string, tag: string): Promise<void> {
    const known = this.loading.get(name);
    if (known) return known;
    const loading = this.load(key, name, tag).finally(() => this.loading.delete(name));
    this.loading.set(name, loading);
    return loading;
  }

  /** Stores nothing when the object has another tag by now, or is gone. */
  private async load(key: string, name: string, tag: string): Promise<void> {
    await makeFolder(this.folder); // it may have been removed
    const opened = await this.store.open(key, undefined, tag);
    if (!opened) {
      this.forget(key);
      return;
    }
    const draft = join(this.folder, randomUUID() + DRAFT);
    try {
      await pipeline(opened.stream, createWriteStream(draft, { mode: PRIVATE_FILE }));
      await rename(draft, join(this.folder, name));
      this.files.set(name, opened.size);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Counts what earlier processes left, and removes their drafts; not those of processes that run. */
  private prepare(): Promise<void> {
    this.preparing ??= (async () => {
      await secureFolder(this.folder);
      for (const name of await readdir(this.folder)) {
        const path = join(this.folder, name);
        const facts = await stat(path).catch(unlessMissing);
        if (!name.endsWith(DRAFT)) this.files.set(name, facts?.size ?? 0);
        else if (facts && facts.mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { force: true });
      }
    })().catch((error: unknown) => {
      this.preparing = undefined; // the next request tries again
      throw error;
    });
    return this.preparing;
  }
}
