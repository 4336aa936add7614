import type { ReactionCountJson } from './reaction.shape.js';
import type { EmojiCache } from '../../emoji/index.js';
import type { MediaUrls } from '../../media/index.js';

/** Adds the image URL to a reaction: stored for remote emoji, looked up for local custom emoji. */
export function withPicture<Reaction extends ReactionCountJson>(
  reaction: Reaction,
  emoji: Pick<EmojiCache, 'urlOf'>,
  urls: Pick<MediaUrls, 'remote'>,
): Reaction {
  const { name, url } = reaction;
  return { ...reaction, url: url === null ? emoji.urlOf(name) : urls.remote(url) };
}

/** An emoji on a status with the first accounts that reacted with it. */
export interface ReactionRow extends ReactionCountJson {
  readonly accountIds: readonly string[];
}
