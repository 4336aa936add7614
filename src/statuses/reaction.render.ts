import type { KnownEmoji } from '../emoji/index.js';
import type { ReactionCountJson } from './reaction.shape.js';

/** A reaction with the address of its picture: that of another server's emoji is stored, one of ours is known here. */
export function withPicture<Reaction extends ReactionCountJson>(
  reaction: Reaction,
  emoji: Pick<KnownEmoji, 'urlOf'>,
): Reaction {
  return reaction.url === null ? { ...reaction, url: emoji.urlOf(reaction.name) } : reaction;
}
