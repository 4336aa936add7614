/** Custom emoji of this server were added, changed or removed. */
export class EmojiChanged {
  static readonly type = 'emoji.changed';
}

/** The bus channel on which every process hears that it should read the custom emoji again. */
export const EMOJI_CHANGED = 'emoji.changed';
