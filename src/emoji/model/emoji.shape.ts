import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;
const Url = Type.String({ pattern: String.raw`^https?://\S+$` });

const emoji = {
  shortcode: Type.String({ minLength: 1 }),
  url: Url,
  static_url: Url,
  visible_in_picker: Type.Boolean(),
};

/** A custom emoji in a text, as `:shortcode:` (reference CustomEmoji). */
export const EmojiShape = Type.Object(emoji, { ...closed, title: 'Emoji' });

/** A custom emoji for pickers (reference CustomEmoji). */
export const CustomEmojiShape = Type.Object(
  { ...emoji, category: Type.String({ minLength: 1 }), tags: Type.Array(Type.String()) },
  { ...closed, title: 'CustomEmoji' },
);

const Path = Type.String({ pattern: String.raw`^/emoji/[^\s/]+/[^\s/]+$` });

/** The custom emoji by their shortcodes (spec §2.6). Web apps prepend the server's address to `image_url`. */
export const EmojiMapShape = Type.Record(
  Type.String(),
  Type.Object({ tags: Type.Array(Type.String()), image_url: Path }, closed),
);

export type EmojiJson = Static<typeof EmojiShape>;
export type CustomEmojiJson = Static<typeof CustomEmojiShape>;
export type EmojiMapJson = Static<typeof EmojiMapShape>;

/** An emoji of another server, as stored with the text that uses it. */
export type StoredEmoji = Omit<EmojiJson, 'visible_in_picker'>;
