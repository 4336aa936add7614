import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { mediaTypeOfName } from '../platform/index.js';
import { KnownEmoji } from './known-emoji.js';
import { PackStore } from './pack.store.js';

/** A picture that is to be shown. */
export interface EmojiPicture {
  readonly content: Buffer;
  readonly mime: string;
  /** The same for the same content. */
  readonly tag: string;
}

/** Finds the pictures of custom emoji: of those that packs hold, but for those that are disabled. */
@Injectable()
export class EmojiPictures {
  constructor(
    private readonly store: PackStore,
    private readonly known: KnownEmoji,
  ) {}

  /** By what stands in its address behind `/emoji/`, decoded by segment. */
  async find(path: readonly string[]): Promise<EmojiPicture | undefined> {
    const [pack = '', file = '', ...more] = path;
    if (more.length > 0 || this.known.isHidden(pack, file)) return undefined;
    const stored = await this.store.picture(pack, file);
    const mime = mediaTypeOfName(file)?.mime;
    if (!stored || mime === undefined) return undefined;
    const { content } = stored;
    return { content, mime, tag: `"${createHash('sha256').update(content).digest('base64url')}"` };
  }
}
