import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { entryLimit, Images, UnreadableMedia } from '../../platform/index.js';
import { PackStore } from './pack.store.js';

/** Emoji are always shown small. */
const SIZE = { width: 256, height: 256, quality: 80 };
/** The size of the list of pictures without a still. */
const MOST_UNREADABLE = 1_000;

/** A picture of a pack in its current form. */
export interface MovingPicture {
  readonly pack: string;
  readonly file: string;
  readonly content: Buffer;
  readonly mime: string;
}

/** Makes stills of moving pictures on the first request, and stores them beside the pictures. */
@Injectable()
export class EmojiStills {
  private readonly sought = new Map<string, Promise<Buffer | undefined>>();
  private readonly unreadable = new LRUCache<string, true>(entryLimit(MOST_UNREADABLE));

  constructor(
    private readonly store: PackStore,
    private readonly images: Images,
  ) {}

  /** The first frame of a picture as WebP; undefined for unreadable pictures and when the disk is full. */
  of(picture: MovingPicture): Promise<Buffer | undefined> {
    const digest = createHash('sha256').update(picture.content).digest('hex').slice(0, 16);
    const key = `${picture.pack}/${picture.file} ${digest}`;
    const known = this.sought.get(key);
    if (known) return known;
    const found = this.find(picture, digest, key).finally(() => this.sought.delete(key));
    this.sought.set(key, found);
    return found;
  }

  private async find(picture: MovingPicture, digest: string, key: string): Promise<Buffer | undefined> {
    const stored = await this.store.still(picture.pack, picture.file, digest);
    if (stored || this.unreadable.has(key) || !(await this.store.hasRoom())) return stored;
    const draft = await this.store.draft(picture.content);
    try {
      const still = await this.images.preview(draft, picture.mime, SIZE);
      await this.store.storeStill(picture.pack, picture.file, digest, still);
      return still;
    } catch (error) {
      if (!(error instanceof UnreadableMedia)) throw error;
      this.unreadable.set(key, true);
      return undefined;
    } finally {
      await this.store.discard(draft);
    }
  }
}
