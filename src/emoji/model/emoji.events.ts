/** Custom emoji of this server were added, changed or removed. */
export class EmojiChanged {
  static readonly type = 'emoji.changed';
}

/** The bus channel that has every process reload the custom emoji. */
export const EMOJI_CHANGED = 'emoji.changed';
