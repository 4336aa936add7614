import type { EmojiCache } from '../../emoji/index.js';
import type { MediaUrls } from '../../media/index.js';
import type { ReactionCountJson } from './reaction.shape.js';

/** A reaction with the address of its picture: that of another server's emoji is stored, one of ours is known here. */
export function withPicture<Reaction extends ReactionCountJson>(
  reaction: Reaction,
  emoji: Pick<EmojiCache, 'urlOf'>,
  urls: Pick<MediaUrls, 'remote'>,
): Reaction {
  const { name, url } = reaction;
  return { ...reaction, url: url === null ? emoji.urlOf(name) : urls.remote(url) };
}
