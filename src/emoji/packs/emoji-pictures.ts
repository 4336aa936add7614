import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { mediaTypeOfName } from '../../platform/index.js';
import { EmojiStills } from './emoji-stills.js';
import { EmojiCache } from '../custom/emoji-cache.js';
import { mayMove, STILL } from '../model/pack-names.js';
import { PackStore } from './pack.store.js';

/** A picture to serve. */
export interface EmojiPicture {
  readonly content: Buffer;
  readonly mime: string;
  /** The entity tag: equal for equal content. */
  readonly tag: string;
}

/** Finds the pictures of enabled custom emoji. */
@Injectable()
export class EmojiPictures {
  constructor(
    private readonly store: PackStore,
    private readonly known: EmojiCache,
    private readonly stills: EmojiStills,
  ) {}

  /**
   * Finds a picture by the decoded path segments behind `/emoji/`. Returns the picture itself when no still can be made
   * of it.
   */
  async find(path: readonly string[]): Promise<EmojiPicture | undefined> {
    const [pack = '', file = '', ...more] = path;
    const isStill = asksForStill(file, more);
    if ((more.length > 0 && !isStill) || this.known.isHidden(pack, file)) return undefined;
    const stored = await this.store.shownPicture(pack, file);
    const mime = mediaTypeOfName(file)?.mime;
    if (!stored || mime === undefined) return undefined;
    const { content } = stored;
    const still = isStill ? await this.stills.of({ pack, file, content, mime }) : undefined;
    return still ? shown(still, 'image/webp') : shown(content, mime);
  }
}

function asksForStill(file: string, more: readonly string[]): boolean {
  return more.length === 1 && more[0] === STILL && mayMove(file);
}

function shown(content: Buffer, mime: string): EmojiPicture {
  return { content, mime, tag: `"${createHash('sha256').update(content).digest('base64url')}"` };
}
