import { inParagraphs } from '../blocks/paragraphs.js';
import { cleanText, isBlank } from '../gate.js';
import { findMentions, formatText, type FormattedText, handleKey, type ResolvedMention } from '../format.js';
import { cutHtml, escapeHtml, linesOfBlocks, textOfHtml, unescapeHtml } from '../html.js';
import { type PostFormat, renderMarkup } from '../markup.js';
import { formatFieldValue } from '../profile.js';
import { sanitizeFieldValue, sanitizeHtml, stripTags, wordsAsHtml } from '../sanitize.js';
import type { Handle } from '../scan.js';

/** The longest HTML that is stored for one foreign text, in bytes (threat F22). */
export const MAX_HTML_BYTES = 65_536;
const MAX_FRAME_BYTES = 16_384;
/** Foreign Markdown above this length stays text. In characters. */
const MAX_MARKDOWN = 10_000;
/** The longest content warning, in characters. */
const MAX_SPOILER = 5_000;
/** Formatted text may exceed {@link MAX_HTML_BYTES} up to this many times its source: operators may allow long posts. */
const MOST_MARKUP = 2;

/** Formats that are typed: their signs are no tags. */
const TYPED: readonly unknown[] = ['text/markdown', 'text/plain'];

/** What a text names, as data that can be sent to a thread: accounts by {@link handleKey}. */
export interface TextNames {
  readonly mentions: ReadonlyMap<string, ResolvedMention>;
  readonly baseUrl: string;
}

/** The texts of a foreign post, not parsed yet. */
export interface ForeignStatus {
  readonly content: string;
  /** The format of the content, as its server names it; HTML, if it names none. */
  readonly mediaType: unknown;
  /** Canonical HTML before the content, such as a title, and after it. */
  readonly before: string;
  readonly after: string;
  /** A content warning with or without markup. */
  readonly summary: string;
}

/** The texts of a foreign post as they are stored. */
export interface StatusTexts {
  /** Sanitised. */
  readonly html: string;
  /** The plain text of the HTML. */
  readonly text: string;
  /** Plain; empty when nothing of it is visible. */
  readonly spoiler: string;
}

/** The texts of a foreign profile, before and after they are sanitised; the note and the values of fields are HTML. */
export interface ProfileTexts {
  readonly displayName: string;
  readonly note: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/**
 * What is done with long texts: pure functions of plain data, which run on the event loop or in a thread and return the
 * same (see `TextWorkers`). What they return is bounded.
 */
export const TEXT_WORK = {
  /** The accounts that a typed text names. */
  findMentions,

  /** A typed text as HTML. */
  format: (source: string, type: PostFormat, { mentions, baseUrl }: TextNames): FormattedText => {
    const formatted = formatText(source, type, { mention: (handle) => mentions.get(handleKey(handle)), baseUrl });
    const isLong = Buffer.byteLength(formatted.html) > mostBytes(source);
    return isLong ? { ...formatted, html: plainStatus(plainSource(source, type), source) } : formatted;
  },

  /** The values of own profile fields as HTML. */
  formatFields: (values: readonly string[]): string[] =>
    values.map((value) => cutHtml(formatFieldValue(value), MAX_HTML_BYTES)),

  /** Foreign HTML, sanitised. */
  sanitize: (html: string): string => cutHtml(sanitizeHtml(html, 'remote'), MAX_HTML_BYTES),

  /** The plain text of foreign HTML. */
  strip: stripTags,

  /** The texts of a foreign post. */
  post: ({ content, mediaType, before, after, summary }: ForeignStatus): StatusTexts => {
    const html = framed(before, sanitizeHtml(htmlOf(content, mediaType), 'remote'), after);
    return { html, text: textOfHtml(html), spoiler: spoilerOf(stripped(summary)) };
  },

  /** The texts of a foreign profile; fields without a name are left out. */
  profile: ({ displayName, note, fields }: ProfileTexts): ProfileTexts => ({
    displayName: stripped(displayName),
    note: cutHtml(sanitizeHtml(note, 'remote'), MAX_HTML_BYTES),
    fields: fields
      .map((field) => ({
        name: stripped(field.name),
        value: cutHtml(sanitizeFieldValue(field.value, 'remote'), MAX_HTML_BYTES),
      }))
      .filter((field) => field.name !== ''),
  }),
};

export type TextWork = typeof TEXT_WORK;

/** What is kept of texts on which the work takes too long: their plain text, in time that grows with their length. */
export const PLAIN_WORK: TextWork = {
  findMentions: (): Handle[] => [],
  format: (source, type) => {
    const text = plainSource(source, type);
    return { html: plainStatus(text, source), text: text.trim(), mentions: [], leading: [], tags: [] };
  },
  formatFields: (values) => values.map((value) => cutHtml(plainHtml(value), MAX_HTML_BYTES)),
  sanitize: (html) => cutHtml(plainHtml(withoutTags(html)), MAX_HTML_BYTES),
  strip: withoutTags,
  post: ({ content, mediaType, before, after, summary }) => {
    const html = framed(before, plainHtml(TYPED.includes(mediaType) ? content : withoutTags(content)), after);
    return { html, text: textOfHtml(html), spoiler: spoilerOf(withoutTags(wordsAsHtml(summary))) };
  },
  profile: ({ displayName, note, fields }) => ({
    displayName: withoutTags(wordsAsHtml(displayName)),
    note: PLAIN_WORK.sanitize(note),
    fields: fields
      .map((field) => ({ name: withoutTags(wordsAsHtml(field.name)), value: PLAIN_WORK.sanitize(field.value) }))
      .filter((field) => field.name !== ''),
  }),
};

/** Canonical HTML with what stands before and after it, which is short and stays: the content ends early. */
function framed(before: string, content: string, after: string): string {
  const frame = [before, after].map((html) => cutHtml(sanitizeHtml(html, 'remote'), MAX_FRAME_BYTES));
  const room = MAX_HTML_BYTES - Buffer.byteLength(frame.join(''));
  return frame.join(cutHtml(content, room));
}

/** Foreign content as HTML, not sanitised. */
function htmlOf(content: string, mediaType: unknown): string {
  if (mediaType === 'text/markdown' && content.length <= MAX_MARKDOWN) return renderMarkup(content, mediaType);
  return TYPED.includes(mediaType) ? renderMarkup(content, 'text/plain') : content;
}

/** A name or a warning, where some servers send HTML: its text (threat F14). */
function stripped(text: string): string {
  return (/[<&]/.test(text) ? cleanText(stripTags(wordsAsHtml(text))) : text).trim();
}

function spoilerOf(text: string): string {
  return isBlank(text) ? '' : cleanText(text, { maxLength: MAX_SPOILER });
}

function plainHtml(text: string): string {
  return escapeHtml(text.trim()).replaceAll('\n', '<br>');
}

/** The most bytes of the HTML of a typed text. */
function mostBytes(source: string): number {
  return Math.max(MAX_HTML_BYTES, MOST_MARKUP * Buffer.byteLength(source));
}

/** A typed text without formatting, as bounded HTML. */
function plainStatus(text: string, source: string): string {
  return cutHtml(inParagraphs(plainHtml(text)), mostBytes(source));
}

function plainSource(source: string, type: PostFormat): string {
  return type === 'text/html' ? withoutTags(source) : source;
}

/** The text of HTML without a parser: drops what looks like a tag. */
function withoutTags(html: string): string {
  const lines = linesOfBlocks(html)
    .replace(/<br[^<>]*>/gi, '\n')
    .replace(/<[^>]*>?/g, '');
  return cleanText(unescapeHtml(lines)).trim();
}
