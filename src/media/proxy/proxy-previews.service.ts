import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Settings } from '../../config/index.js';
import { Bus, entryLimit, foreignTypeOfName, Images, UnreadableMedia, Videos } from '../../platform/index.js';
import { MediaProxyService } from './media-proxy.service.js';
import { MEDIA_FORGOTTEN } from './proxy.events.js';
import { type CachedFile, type CacheKey, digestOf, ProxyCache } from './proxy-cache.js';

const EXTENSION = 'webp';
/** The limit of waiting pictures. Uploads of this server's users wait behind them. */
const MOST_WAITING = 16;
const REMEMBERED = 10_000;
/** How long a file without a preview is not tried again. */
const REMEMBERED_MS = 60 * 60_000;

/** A preview in the making, whose file may be purged meanwhile. */
interface Making {
  readonly digest: string;
  readonly file: { isForgotten: boolean };
  readonly made: Promise<CachedFile | undefined>;
}

/** Previews of proxied pictures, made once and cached beside them. */
@Injectable()
export class ProxyPreviewsService implements OnModuleInit, OnApplicationShutdown {
  private readonly making = new Map<string, Making>();
  private readonly without = new LRUCache<string, true>({ ...entryLimit(REMEMBERED), ttl: REMEMBERED_MS });
  private leave: (() => void)[] = [];

  constructor(
    private readonly bus: Bus,
    private readonly settings: Settings,
    private readonly proxy: MediaProxyService,
    private readonly cache: ProxyCache,
    private readonly images: Images,
    private readonly videos: Videos,
  ) {}

  onModuleInit(): void {
    this.leave = [
      this.bus.subscribe(MEDIA_FORGOTTEN, (digests) => this.forget(digests as readonly string[])),
      this.bus.onGap(() => this.without.clear()),
    ];
  }

  onApplicationShutdown(): void {
    for (const leave of this.leave) leave();
  }

  /**
   * The preview of a file; small pictures have one only if it must be a still. Undefined when there is none: the caller
   * serves the file itself.
   * @throws ForeignFileError when the file cannot be fetched; Unavailable when too many files are fetched
   */
  async of(url: string, still: boolean): Promise<CachedFile | undefined> {
    const key = { digest: digestOf(url), variant: this.variant };
    const made = await this.cache.find(key);
    if (made) return made;
    const file = await this.proxy.whole(url);
    if (!file || (this.isSmall(file) && !still)) return undefined;
    return this.once(file, key);
  }

  /** The size is part of the variant. */
  private get variant(): string {
    const { width, height, quality } = this.size;
    return `p${width}x${height}q${quality}`;
  }

  private get size() {
    return {
      width: this.settings.get('media_preview_proxy.thumbnail_max_width'),
      height: this.settings.get('media_preview_proxy.thumbnail_max_height'),
      quality: this.settings.get('media_preview_proxy.image_quality'),
    };
  }

  private isSmall({ name, size }: CachedFile): boolean {
    const isPicture = foreignTypeOfName(name)?.kind === 'image';
    return isPicture && size < this.settings.get('media_preview_proxy.min_content_length');
  }

  private async once(file: CachedFile, key: CacheKey): Promise<CachedFile | undefined> {
    const name = nameOf(key);
    if (this.without.has(name)) return undefined;
    const running = this.making.get(name);
    if (running || this.making.size >= MOST_WAITING) return running?.made;
    const origin = { isForgotten: false };
    const making: Making = { digest: key.digest, file: origin, made: this.make(file, key, origin) };
    this.making.set(name, making);
    try {
      const made = await making.made;
      if (!made && !origin.isForgotten) this.without.set(name, true);
      return made;
    } finally {
      if (this.making.get(name) === making) this.making.delete(name);
    }
  }

  /** Undefined also for a purged file: its URL may have another one now. */
  private async make(file: CachedFile, key: CacheKey, origin: Making['file']): Promise<CachedFile | undefined> {
    const picture = await this.picture(file);
    const room = picture && !origin.isForgotten && (await this.cache.reserve(picture.length));
    if (!room) return undefined;
    try {
      const stored = await this.store(picture, key);
      if (!origin.isForgotten) return stored;
      await this.cache.remove(key.digest);
      return undefined;
    } finally {
      room.release();
    }
  }

  private async store(picture: Buffer, key: CacheKey): Promise<CachedFile | undefined> {
    const draft = await this.cache.draft();
    try {
      await draft.file.writeFile(picture);
      return await this.cache.store(draft.path, key, EXTENSION);
    } catch (error) {
      await this.cache.drop(draft.path);
      throw error;
    } finally {
      await draft.file.close();
    }
  }

  /** Removes the files a second time at the end, since readers could find them until they were gone. */
  private async forget(digests: readonly string[]): Promise<void> {
    for (let times = 0; times < 2; times += 1) {
      this.outdate(new Set(digests));
      for (const digest of digests) await this.cache.remove(digest);
    }
  }

  /** Later requests make a new preview. */
  private outdate(digests: ReadonlySet<string>): void {
    for (const digest of digests) this.without.delete(nameOf({ digest, variant: this.variant }));
    for (const [name, { digest, file }] of this.making) {
      if (!digests.has(digest)) continue;
      file.isForgotten = true;
      this.making.delete(name);
    }
  }

  private async picture({ name, path }: CachedFile): Promise<Buffer | undefined> {
    const type = foreignTypeOfName(name);
    try {
      if (type?.kind === 'image') return await this.images.preview(path, type.mime, this.size);
      return type?.kind === 'video' ? (await this.videos.poster(path, type.mime))?.thumbnail : undefined;
    } catch (error) {
      if (error instanceof UnreadableMedia) return undefined;
      throw error;
    }
  }
}

function nameOf({ digest, variant }: CacheKey): string {
  return `${digest}.${variant}`;
}
