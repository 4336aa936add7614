import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import {
  type ByteRange,
  ENV,
  type Env,
  makeFolder,
  MediaStorage,
  Metrics,
  type OpenedFile,
  parseUrl,
  PRIVATE_FILE,
  secureFolder,
  type Storage,
  SweepsHere,
  unlessMissing,
  walkSlices,
} from '../../platform/index.js';
import { BannedMediaRepository } from './banned-media.repository.js';

/** A file, and one of its variants. */
export interface CacheKey {
  /** The {@link digestOf} its URL. */
  readonly digest: string;
  /** Lower-case letters and digits. */
  readonly variant: string;
}

/** A cached file: its name holds its type and size. */
export interface CachedFile {
  /** The name below the folder. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly fetchedAt: Date;
}

/** Room that is reserved for a download. */
export interface Reservation {
  /** Releases the room; the cached file counts by itself then. */
  release(): void;
}

interface Found extends CachedFile {
  readonly usedAt: number;
}

/** `<digest>.<variant>.<size>.<extension>`, in a folder by the first letters. */
const NAME = /^([0-9a-f]{64})\.([0-9a-z]+)\.(\d+)\.[0-9a-z]+$/;
const FOLDER_LETTERS = 3;
const DRAFTS = '.drafts';
const DAY_MS = 24 * 60 * 60_000;
const ABANDONED_AFTER_MS = 60 * 60_000;
/** Files that a removal of old ones takes at once. */
const AT_ONCE = 100;
/** Files that are compared with the bans at once. */
const COMPARED_AT_ONCE = 1_000;
/** The precision of the time of last use. */
const USE_MS = 10 * 60_000;
/** Other processes write here too, so the folder is counted again from time to time. */
const COUNTED_FOR_MS = 60 * 60_000;
/** The least time between two halvings while the disk is nearly full. */
const SHRUNK_FOR_MS = 60_000;
/** Cleaning goes below the bound, so that it does not run for each file. */
const ROOM_SHARE = 0.9;

/** The name of a URL in the cache and in the table of bans. */
export function digestOf(url: string): string {
  const parsed = parseUrl(url);
  if (parsed) parsed.hash = '';
  return createHash('sha256')
    .update(parsed?.href ?? url)
    .digest('hex');
}

/**
 * Caches files of other servers on the disk, within a bound in bytes (threat M8). The folder is the only index: it may be
 * emptied at any time, and several processes may share it.
 */
@Injectable()
export class ProxyCache implements Pick<Storage, 'stat' | 'open'>, OnModuleInit {
  private readonly root: string;
  /** Cached and reserved bytes. */
  private used = 0;
  private reserved = 0;
  private countedAt = -Infinity;
  private shrunkAt = -Infinity;
  private tidying = Promise.resolve();

  constructor(
    @Inject(ENV) env: Pick<Env, 'dataDir'>,
    private readonly settings: Settings,
    private readonly disk: MediaStorage,
    private readonly bans: BannedMediaRepository,
    metrics: Metrics,
  ) {
    metrics.watchCache('media_proxy', this);
    this.root = join(env.dataDir, 'proxy');
  }

  /** The size of the files at the last count. */
  get bytes(): number {
    return this.used;
  }

  onModuleInit(): Promise<void> {
    return secureFolder(this.root);
  }

  /** The cached file, if it is not too old. */
  async find({ digest, variant }: CacheKey): Promise<CachedFile | undefined> {
    const folder = digest.slice(0, FOLDER_LETTERS);
    const names = await this.namesIn(folder);
    const found = await Promise.all(
      names.filter((name) => name.startsWith(`${digest}.${variant}.`)).map((name) => this.inspect(folder, name)),
    );
    const file = found.filter((one) => one !== undefined).sort(newestFirst)[0];
    if (!file || this.isOld(file)) return undefined;
    if (file.usedAt < Date.now() - USE_MS) await utimes(file.path, new Date(), file.fetchedAt).catch(() => undefined);
    return file;
  }

  /** Whether the cache accepts files. While the disk is nearly full it accepts none and drops half of its files. */
  async isOpen(): Promise<boolean> {
    if (this.bound === 0) return false;
    if (!(await this.disk.isFull())) return true;
    if (this.shrunkAt < performance.now() - SHRUNK_FOR_MS) {
      this.shrunkAt = performance.now();
      await this.tidy(this.bound);
      await this.tidy(this.used / 2); // other files need the room more
    }
    return false;
  }

  /** Reserves room, and makes it if necessary. Undefined when there is none: the file must not be cached. */
  async reserve(bytes: number): Promise<Reservation | undefined> {
    if (this.countedAt < performance.now() - COUNTED_FOR_MS) await this.tidy(this.bound);
    if (this.reserved + bytes > this.bound) return undefined;
    this.reserved += bytes;
    const release = () => (this.reserved -= bytes);
    try {
      if (this.used + this.reserved > this.bound) await this.tidy(ROOM_SHARE * (this.bound - this.reserved));
    } catch (error) {
      release();
      throw error;
    }
    return { release };
  }

  /** A new file for {@link store} or {@link drop}. */
  async draft(): Promise<{ readonly path: string; readonly file: FileHandle }> {
    const path = join(this.root, DRAFTS, randomUUID());
    await makeFolder(dirname(path));
    return { path, file: await open(path, 'wx+', PRIVATE_FILE) };
  }

  /** Stores a draft, replacing the key's former file. Undefined when it is larger than the whole cache. */
  async store(draft: string, { digest, variant }: CacheKey, extension: string): Promise<CachedFile | undefined> {
    const { size } = await stat(draft);
    if (size > this.bound) {
      await this.drop(draft);
      return undefined;
    }
    const folder = digest.slice(0, FOLDER_LETTERS);
    const name = `${digest}.${variant}.${size}.${extension}`;
    await makeFolder(join(this.root, folder));
    await rename(draft, join(this.root, folder, name));
    this.used += size;
    await this.removeFrom(folder, (other) => other.startsWith(`${digest}.${variant}.`) && other !== name);
    return this.inspect(folder, name);
  }

  async drop(draft: string): Promise<void> {
    await rm(draft, { force: true });
  }

  /** Removes all variants of a file. */
  async remove(digest: string): Promise<void> {
    await this.removeFrom(digest.slice(0, FOLDER_LETTERS), (name) => name.startsWith(`${digest}.`));
  }

  /** Removes old files, abandoned drafts, banned files, and all files when the cache is off. */
  @SweepsHere()
  async sweep(): Promise<void> {
    const drafts = join(this.root, DRAFTS);
    for (const name of await entriesOf(drafts)) {
      const path = join(drafts, name);
      const facts = await stat(path).catch(() => undefined);
      if (facts && facts.mtimeMs < Date.now() - ABANDONED_AFTER_MS) await this.drop(path);
    }
    await this.tidy(this.settings.get('media_proxy.enabled') ? this.bound : 0);
    await this.removeBanned();
  }

  /** Removes what was banned while this process was away, and heard of nothing. */
  async removeBanned(): Promise<void> {
    const digests = (await this.all()).map(({ name }) => basename(name).split('.', 1).join());
    for (let at = 0; at < digests.length; at += COMPARED_AT_ONCE)
      for (const digest of await this.bans.among(digests.slice(at, at + COMPARED_AT_ONCE))) await this.remove(digest);
  }

  /** Removes the files that were fetched at least so many days ago, unless `dryRun` is set; returns what they were. */
  async clear(days: number, { dryRun = false } = {}): Promise<{ files: number; bytes: number }> {
    const until = Date.now() - days * DAY_MS;
    const old = (await this.all()).filter(({ fetchedAt }) => fetchedAt.getTime() < until);
    const remove = async (from: number) => {
      for (const file of old.slice(from, from + AT_ONCE))
        await this.removeFrom(dirname(file.name), (name) => file.name.endsWith(`/${name}`));
      return from + AT_ONCE < old.length ? from + AT_ONCE : undefined;
    };
    if (!dryRun) await walkSlices(0, remove);
    return { files: old.length, bytes: old.reduce((sum, { size }) => sum + size, 0) };
  }

  async stat(name: string): Promise<{ size: number; modifiedAt: Date } | undefined> {
    const file = await this.inspect(dirname(name), name.slice(FOLDER_LETTERS + 1));
    return file && { size: file.size, modifiedAt: file.fetchedAt };
  }

  async open(name: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    const file = await open(join(this.root, name)).catch(unlessMissing);
    if (!file) return undefined;
    const { size, mtime } = await file.stat();
    return { size, modifiedAt: mtime, stream: file.createReadStream(range) };
  }

  private get bound(): number {
    return this.settings.get('media_proxy.cache_size');
  }

  private isOld({ fetchedAt }: CachedFile): boolean {
    return fetchedAt.getTime() < Date.now() - this.settings.get('media_proxy.cache_max_age') * 1_000;
  }

  /** Counts the files, and removes the least recently used ones until no more than `bytes` are left. */
  private async tidy(bytes: number): Promise<void> {
    const tidied = this.tidying.then(() => this.tidyNow(bytes));
    this.tidying = tidied.catch(() => undefined);
    await tidied;
  }

  private async tidyNow(bytes: number): Promise<void> {
    const before = this.used;
    const files = await this.all();
    let total = 0;
    for (const file of files.sort((a, b) => b.usedAt - a.usedAt)) {
      if (total + file.size > bytes || this.isOld(file)) await rm(file.path, { force: true });
      else total += file.size;
    }
    this.used = total + Math.max(0, this.used - before); // adds what arrived during the count
    this.countedAt = performance.now();
  }

  private async all(): Promise<Found[]> {
    const found: Found[] = [];
    for (const folder of await entriesOf(this.root)) {
      if (folder === DRAFTS) continue;
      for (const name of await this.namesIn(folder)) {
        const file = await this.inspect(folder, name);
        if (file) found.push(file);
      }
    }
    return found;
  }

  private async namesIn(folder: string): Promise<string[]> {
    return (await entriesOf(join(this.root, folder))).filter((name) => NAME.test(name));
  }

  /** Skips truncated files, for instance after a power cut. */
  private async inspect(folder: string, name: string): Promise<Found | undefined> {
    const path = join(this.root, folder, name);
    const facts = await stat(path).catch(unlessMissing);
    if (!facts) return undefined;
    if (facts.size !== Number(NAME.exec(name)?.[3])) {
      await rm(path, { force: true });
      return undefined;
    }
    return { name: `${folder}/${name}`, path, size: facts.size, fetchedAt: facts.mtime, usedAt: facts.atimeMs };
  }

  private async removeFrom(folder: string, isGone: (name: string) => boolean): Promise<void> {
    for (const name of (await this.namesIn(folder)).filter(isGone)) {
      await rm(join(this.root, folder, name), { force: true });
      this.used = Math.max(0, this.used - Number(NAME.exec(name)?.[3]));
    }
  }
}

function newestFirst(a: CachedFile, b: CachedFile): number {
  return b.fetchedAt.getTime() - a.fetchedAt.getTime();
}

async function entriesOf(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessMissing)) ?? [];
}
