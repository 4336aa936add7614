import { Readable } from 'node:stream';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Busy } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Bus, entryLimit, type MediaType, parseUrl } from '../../platform/index.js';
import { Download } from './download.js';
import { asFailure, type FailureReason, type ForeignFile, ForeignFileError, ForeignFiles } from './foreign-files.js';
import { MediaBansService } from './media-bans.service.js';
import { type CachedFile, type CacheKey, digestOf, ProxyCache } from './proxy-cache.js';
import { ProxyUrls } from './proxy-urls.js';
import { MEDIA_FORGOTTEN } from './proxy.events.js';

/** A file that is being downloaded, to be read or destroyed. */
export interface ArrivingFile {
  readonly cached?: never;
  readonly type: MediaType;
  /** In bytes, if known. */
  readonly length: number | undefined;
  readonly stream: Readable;
}

/** A file to serve. */
export type ProxiedFile = { readonly cached: CachedFile } | ArrivingFile;

/** The result of a download: undefined when the file is too large for the cache. */
type Arriving = Download<CachedFile | undefined>;

const ORIGINAL = 'o';
/** Concurrent downloads, in all and per server; each may take the time and the size of the settings. */
const AT_ONCE = 256;
const AT_ONCE_OF_ONE = 64;
const REMEMBERED_FAILURES = 10_000;
const MINUTE = 60_000;
/** How long a failed download is not repeated. */
const FAILED_FOR: Readonly<Record<FailureReason, number>> = {
  unreachable: MINUTE,
  'too-large': 30 * MINUTE,
  refused: 30 * MINUTE,
};

/**
 * Fetches files of other servers for viewers: one download serves all concurrent readers. Caches them while there is
 * room, and else passes them on.
 */
@Injectable()
export class MediaProxyService implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(MediaProxyService.name);
  private readonly flights = new Map<string, Promise<Arriving | undefined>>();
  /** Downloads that began before their file was purged: their result must not be cached. */
  private readonly outdated = new Set<string>();
  private readonly failures = new LRUCache<string, ForeignFileError>(entryLimit(REMEMBERED_FAILURES));
  /** The number of downloads by host. */
  private readonly fetching = new Map<string, number>();
  private leave: (() => void)[] = [];

  constructor(
    private readonly settings: Settings,
    private readonly bus: Bus,
    private readonly foreign: ForeignFiles,
    private readonly cache: ProxyCache,
    private readonly urls: ProxyUrls,
    private readonly bans: MediaBansService,
  ) {}

  onModuleInit(): void {
    this.leave = [
      this.bus.subscribe(MEDIA_FORGOTTEN, (digests) => this.forget(digests as readonly string[])),
      this.bus.onGap(() => {
        this.failures.clear();
        return this.cache.removeBanned();
      }),
      this.settings.onChange(['media_proxy'], () => this.failures.clear()),
    ];
  }

  onApplicationShutdown(): void {
    for (const leave of this.leave) leave();
  }

  /** The caller knows that the file is not banned. @throws ForeignFileError; Busy when too many files are fetched */
  async open(url: string): Promise<ProxiedFile> {
    const digest = digestOf(url);
    const { cached, download } = await this.find(url, digest);
    if (cached) return { cached };
    const stream = download?.read();
    if (download && stream) return { type: download.type, length: download.length, stream };
    const finished = await download?.finished;
    return finished ? { cached: finished } : this.passing(url, digest);
  }

  /**
   * The whole file in the cache; undefined when it cannot be cached. The caller knows that it is not banned, as in {@link open}.
   * @throws ForeignFileError; Busy when too many files are fetched
   */
  async whole(url: string): Promise<CachedFile | undefined> {
    const { cached, download } = await this.find(url, digestOf(url));
    return cached ?? (await download?.finished);
  }

  /** Caches a file that viewers here may load, before the first of them does. Throws like {@link whole}. */
  async warm(url: string): Promise<void> {
    if (this.urls.concerns(url) && !(await this.bans.has(url))) await this.whole(url);
  }

  /** Checks the downloads in progress first: the cache has a file only when it is whole. */
  private async find(url: string, digest: string): Promise<{ cached?: CachedFile; download?: Arriving }> {
    const running = this.flights.get(digest);
    const cached = running ? undefined : await this.cache.find(original(digest));
    if (cached) return { cached };
    const download = await (running ?? this.arriving(url, digest));
    return download ? { download } : {};
  }

  /** The shared download of a file to the disk; undefined when there is no room for it. */
  private arriving(url: string, digest: string): Promise<Arriving | undefined> {
    let flight = this.flights.get(digest);
    if (!flight) {
      flight = this.depart(url, digest);
      this.flights.set(digest, flight);
      const end = () => {
        this.flights.delete(digest);
        this.outdated.delete(digest);
      };
      flight.then((download) => (download ? download.finished.then(end, end) : end()), end);
    }
    return flight;
  }

  private async depart(url: string, digest: string): Promise<Arriving | undefined> {
    if (!(await this.cache.isOpen())) return undefined;
    const file = await this.fetch(url, digest);
    const expected = Math.min(
      this.settings.get('media_proxy.cache_size'),
      this.settings.get('media_proxy.max_body_length'),
    );
    const room = await this.room(file.length ?? expected);
    const download = room && (await this.download(file, digest));
    if (!download) file.close();
    const release = () => room?.release();
    if (download) download.finished.then(release, release);
    else release();
    return download;
  }

  /** Undefined when there is no room, or the folder cannot be read. */
  private async room(bytes: number) {
    try {
      return await this.cache.reserve(bytes);
    } catch (error) {
      this.logger.warn({ err: error }, 'The files of other servers cannot be kept');
      return undefined;
    }
  }

  /** Undefined when the disk rejects the file. */
  private async download(file: ForeignFile, digest: string): Promise<Arriving | undefined> {
    const draft = await this.draft();
    if (!draft) return undefined;
    const finish = () => this.store(draft.path, digest, file.type.extension);
    const download = new Download(file.type, file.length, draft.file, file.body, finish);
    download.finished.catch(async (error: unknown) => {
      file.close();
      await this.cache.drop(draft.path);
      if (!(error instanceof ForeignFileError)) this.logger.warn({ err: error }, 'A file was not kept');
    });
    return download;
  }

  /** Undefined when it must not be cached. */
  private async store(draft: string, digest: string, extension: string): Promise<CachedFile | undefined> {
    if (this.outdated.has(digest)) {
      await this.cache.drop(draft);
      return undefined;
    }
    const cached = await this.cache.store(draft, original(digest), extension);
    if (!this.outdated.has(digest)) return cached;
    await this.cache.remove(digest); // purged in this moment
    return undefined;
  }

  private async draft() {
    try {
      return await this.cache.draft();
    } catch (error) {
      this.logger.warn({ err: error }, 'The files of other servers cannot be kept');
      return undefined;
    }
  }

  private async passing(url: string, digest: string): Promise<ProxiedFile> {
    const { type, length, body, close } = await this.fetch(url, digest);
    const stream = Readable.from(body, { objectMode: false });
    return { type, length, stream: stream.once('close', close) };
  }

  /** Asks the other server, unless a request has just failed. */
  private async fetch(url: string, digest: string): Promise<ForeignFile> {
    const failure = this.failures.get(digest);
    if (failure) throw failure;
    const release = this.count(parseUrl(url)?.host ?? '');
    try {
      const file = await this.foreign.open(url);
      const close = () => {
        release();
        file.close();
      };
      return { ...file, close, body: this.watched(file.body, digest, release) };
    } catch (error) {
      release();
      throw this.remembered(error, digest);
    }
  }

  /**
   * Counts a download until its release. One slow server does not delay the others.
   * @throws Busy when there are too many
   */
  private count(host: string): () => void {
    const ofHost = this.fetching.get(host) ?? 0;
    const all = [...this.fetching.values()].reduce((sum, some) => sum + some, 0);
    if (ofHost >= AT_ONCE_OF_ONE || all >= AT_ONCE) throw new Busy('Too many files are fetched');
    this.fetching.set(host, ofHost + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (this.fetching.get(host) ?? 0) - 1;
      if (left > 0) this.fetching.set(host, left);
      else this.fetching.delete(host);
    };
  }

  /** Does not remember aborts: without a cache, a slow reader may be the cause. */
  private async *watched(
    body: AsyncIterable<Buffer>,
    digest: string,
    release: () => void,
  ): AsyncGenerator<Buffer, void> {
    try {
      yield* body;
    } catch (error) {
      throw asFailure(error)?.reason === 'unreachable' ? error : this.remembered(error, digest);
    } finally {
      release();
    }
  }

  private remembered(error: unknown, digest: string): unknown {
    const failure = asFailure(error);
    if (failure) this.failures.set(digest, failure, { ttl: FAILED_FOR[failure.reason] });
    return failure ?? error;
  }

  private async forget(digests: readonly string[]): Promise<void> {
    for (const digest of digests) {
      this.failures.delete(digest);
      if (this.flights.has(digest)) this.outdated.add(digest);
      await this.cache.remove(digest);
    }
  }
}

function original(digest: string): CacheKey {
  return { digest, variant: ORIGINAL };
}
