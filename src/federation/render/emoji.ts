import type { EmojiTag } from '../../emoji/index.js';

/** A custom emoji among the tags of a document (toot:Emoji). */
export function emojiTag({ shortcode, url, updatedAt }: EmojiTag): Record<string, unknown> {
  return { id: url, type: 'Emoji', name: `:${shortcode}:`, icon: { type: 'Image', url }, updated: updatedAt };
}
