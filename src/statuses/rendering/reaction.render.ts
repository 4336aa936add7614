import type { ReactionCountJson } from './reaction.shape.js';
import type { EmojiCache } from '../../emoji/index.js';
import type { MediaUrls } from '../../media/index.js';

/** A reaction with the address of its picture: that of another server's emoji is stored, one of ours is known here. */
export function withPicture<Reaction extends ReactionCountJson>(
  reaction: Reaction,
  emoji: Pick<EmojiCache, 'urlOf'>,
  urls: Pick<MediaUrls, 'remote'>,
): Reaction {
  const { name, url } = reaction;
  return { ...reaction, url: url === null ? emoji.urlOf(name) : urls.remote(url) };
}

/** An emoji under a status with the first who put it there. */
export interface ReactionRow extends ReactionCountJson {
  readonly account_ids: readonly string[];
}
