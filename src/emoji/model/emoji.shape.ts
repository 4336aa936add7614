import { type Static, Type } from 'typebox';
import { Described } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
const Url = Type.String({ pattern: String.raw`^https?://\S+$` });

const emoji = {
  shortcode: Described(Type.String({ minLength: 1 }), 'The name of the emoji, without colons.'),
  url: Described(Url, 'The address of the picture.'),
  static_url: Described(Url, 'The address of the picture without motion.'),
  visible_in_picker: Described(Type.Boolean(), 'Whether pickers show the emoji.'),
};

/** A custom emoji in a text, as `:shortcode:` (reference CustomEmoji). */
export const EmojiShape = Type.Object(emoji, { ...closed, title: 'Emoji' });

/** A custom emoji for pickers (reference CustomEmoji). */
export const CustomEmojiShape = Type.Object(
  {
    ...emoji,
    category: Described(Type.String({ minLength: 1 }), 'The category in pickers; by default the pack.'),
    tags: Described(Type.Array(Type.String()), 'The packs and groups of the emoji.'),
  },
  { ...closed, title: 'CustomEmoji' },
);

const Path = Type.String({ pattern: String.raw`^/emoji/[^\s/]+/[^\s/]+$` });

/** The custom emoji by their shortcodes (spec §2.6). Web apps prepend the server's address to `image_url`. */
export const EmojiMapShape = Type.Record(
  Type.String(),
  Type.Object(
    {
      tags: Described(Type.Array(Type.String()), 'The packs and groups of the emoji.'),
      image_url: Described(Path, 'The path of the picture.'),
    },
    closed,
  ),
);

export type EmojiJson = Static<typeof EmojiShape>;
export type CustomEmojiJson = Static<typeof CustomEmojiShape>;
export type EmojiMapJson = Static<typeof EmojiMapShape>;

/** An emoji of another server, as stored with the text that uses it. */
export type StoredEmoji = Omit<EmojiJson, 'visible_in_picker'>;
