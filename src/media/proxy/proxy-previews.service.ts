import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Settings } from '../../config/index.js';
import { Films, foreignTypeOfName, Images, UnreadableMedia } from '../../platform/index.js';
import { MediaProxy } from './media-proxy.service.js';
import { type CachedFile, type CacheKey, digestOf, ProxyCache } from './proxy-cache.js';

const EXTENSION = 'webp';
/** Pictures that wait to be made smaller. Those who upload their own wait behind them. */
const MOST_WAITING = 16;
const REMEMBERED = 10_000;
/** How long a file that no small picture can be made of is not tried again. */
const REMEMBERED_MS = 60 * 60_000;

/** Small pictures of what the proxy fetches, made once and kept beside it. */
@Injectable()
export class ProxyPreviews {
  private readonly making = new Map<string, Promise<CachedFile | undefined>>();
  private readonly without = new LRUCache<string, true>({ max: REMEMBERED, ttl: REMEMBERED_MS });

  constructor(
    private readonly settings: Settings,
    private readonly proxy: MediaProxy,
    private readonly cache: ProxyCache,
    private readonly images: Images,
    private readonly films: Films,
  ) {}

  /**
   * A small picture of a file; of one that is small already only when it has to be a still. Undefined when there is none, and
   * the file itself is to be shown.
   * @throws ForeignFileError when the file cannot be had; Unavailable when too many files are fetched
   */
  async of(url: string, still: boolean): Promise<CachedFile | undefined> {
    const key = { digest: digestOf(url), variant: this.variant };
    const made = await this.cache.find(key);
    if (made) return made;
    const file = await this.proxy.whole(url);
    if (!file || (this.isSmall(file) && !still)) return undefined;
    return this.once(file, key);
  }

  /** Another size is another picture. */
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
    const name = `${key.digest}.${key.variant}`;
    if (this.without.has(name)) return undefined;
    const running = this.making.get(name);
    if (running || this.making.size >= MOST_WAITING) return running;
    const making = this.make(file, key).finally(() => this.making.delete(name));
    this.making.set(name, making);
    const made = await making;
    if (!made) this.without.set(name, true);
    return made;
  }

  private async make(file: CachedFile, key: CacheKey): Promise<CachedFile | undefined> {
    const picture = await this.picture(file);
    const room = picture && (await this.cache.reserve(picture.length));
    if (!room) return undefined;
    const draft = await this.cache.draft();
    try {
      await draft.file.writeFile(picture);
      return await this.cache.keep(draft.path, key, EXTENSION);
    } catch (error) {
      await this.cache.drop(draft.path);
      throw error;
    } finally {
      await draft.file.close();
      room.release();
    }
  }

  private async picture({ name, path }: CachedFile): Promise<Buffer | undefined> {
    const type = foreignTypeOfName(name);
    try {
      if (type?.kind === 'image') return await this.images.preview(path, type.mime, this.size);
      return type?.kind === 'video' ? (await this.films.poster(path, type.mime))?.thumbnail : undefined;
    } catch (error) {
      if (error instanceof UnreadableMedia) return undefined;
      throw error;
    }
  }
}
