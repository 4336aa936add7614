import { isShortcode, isTag, normalizeTag } from '../../common/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import { allOf, documentOf, firstOf, linkOf, listOf, textOf, typeOf, uriOf } from './values.js';

/** The content of a `tag`: emoji, mentions, hashtags and links in any order. */
const MAX_TAGS = 500;
const MAX_EMOJIS = 100;
const MAX_HASHTAGS = 100;
/** More mentions make no more notifications (threat F17). */
const MAX_MENTIONS = 50;

/** The entries of the `tag` of a document. */
export interface Tags {
  readonly emojis: readonly StoredEmoji[];
  /** Actor ids. */
  readonly mentions: readonly string[];
  /** Names of hashtags, in lower case, without `#`. */
  readonly hashtags: readonly string[];
  /** The post that a link among them quotes (FEP-e232). */
  readonly quote: string | undefined;
}

const QUOTE_RELATION = 'https://misskey-hub.net/ns#_misskey_quote';

/** Reads a `tag`, a list or a single object. */
export function parseTags(value: unknown): Tags {
  const tags = listOf(value, MAX_TAGS);
  return {
    emojis: emojisOf(tags),
    mentions: allOf(tags, mentionOf).slice(0, MAX_MENTIONS),
    hashtags: allOf(tags, hashtagOf).slice(0, MAX_HASHTAGS),
    quote: firstOf(tags, quoteOf),
  };
}

/** The custom emoji in a `tag`. */
export function parseEmojiTags(value: unknown): StoredEmoji[] {
  return emojisOf(listOf(value, MAX_TAGS));
}

/** The first of several emoji with one name (threat F15). */
function emojisOf(tags: readonly unknown[]): StoredEmoji[] {
  const byName = new Map<string, StoredEmoji>();
  for (const tag of tags) {
    const emoji = emojiOf(tag);
    if (emoji && byName.size < MAX_EMOJIS && !byName.has(emoji.shortcode)) byName.set(emoji.shortcode, emoji);
  }
  return [...byName.values()];
}

function emojiOf(tag: unknown): StoredEmoji | undefined {
  const emoji = typeOf(tag) === 'Emoji' ? documentOf(tag) : undefined;
  const shortcode = textOf(emoji?.['name'])?.replace(/^:(.*):$/, '$1');
  const icon = firstOf(listOf(emoji?.['icon'], 4), pictureUrlOf);
  return shortcode !== undefined && isShortcode(shortcode) && icon !== undefined
    ? { shortcode, url: icon, static_url: icon }
    : undefined;
}

/** The address of a picture: an address, a link, or an object whose `url` is one of them or a list. */
export function pictureUrlOf(value: unknown): string | undefined {
  return linkOf(value) ?? firstOf(listOf(documentOf(value)?.['url'], 8), linkOf);
}

function mentionOf(tag: unknown): string | undefined {
  return typeOf(tag) === 'Mention' ? uriOf(documentOf(tag)?.['href']) : undefined;
}

function hashtagOf(tag: unknown): string | undefined {
  if (typeOf(tag) !== 'Hashtag') return undefined;
  const name = normalizeTag(textOf(documentOf(tag)?.['name'])?.slice(0, 256).replace(/^#/, '') ?? '');
  return isTag(name) ? name : undefined;
}

function quoteOf(tag: unknown): string | undefined {
  const link = typeOf(tag) === 'Link' ? documentOf(tag) : undefined;
  return listOf(link?.['rel'], 4).includes(QUOTE_RELATION) ? uriOf(link?.['href']) : undefined;
}
