import { BLOCKS } from './blocks/elements.js';

/**
 * Canonical HTML is what the renderers and the sanitiser of this folder write: every `<` starts a tag, every `>` ends
 * one, and `&amp;`, `&lt;`, `&gt;` and `&quot;` are the only entities. It needs no parser to be walked.
 */

/** A stretch of canonical HTML: see `partsOf`. */
export type HtmlPart =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'markup'; readonly html: string };

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const CHARACTERS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

const BLOCK_TAG = `</?(?:${BLOCKS.join('|')})(?=[\\s/>])[^<>]*>`;
/** Block tags without text between them, in canonical HTML or in any. */
const BLOCK_TAGS = new RegExp(`${BLOCK_TAG}(?:\\s*${BLOCK_TAG})*`, 'gi');
const BETWEEN_CELLS = /<\/t[dh]>\s*<t[dh](?=[\s>])[^<>]*>/gi;
const INLINE_TAG = new RegExp(`<(?!/?(?:br|${BLOCKS.join('|')})[\\s>])[^>]*>`, 'g');
const TAG_OR_TEXT = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+/g;
const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img']);
/** The elements that posts without formatting keep in their paragraphs, and what becomes paragraphs in them. */
const SHOWN_PLAIN: ReadonlySet<string> = new Set(['a', 'br', 'span', 'img']);
const PARAGRAPHS: ReadonlySet<string> = new Set(['blockquote', 'li', 'p', 'pre']);
/** Code, which has its lines, and the newlines of the source elsewhere, with the line or block that they follow. */
const SOURCE_LINES = new RegExp(
  `(<pre(?=[\\s>])[^>]*>.*?</pre>)\\s*|(<br>|${BLOCK_TAG})[^\\S\\n]*\\n\\s*|\\n\\s*(?=(${BLOCK_TAG})?)`,
  'gs',
);
const PICTURE_OR_LINK = /<(\/?)(a|img)(?=[\s>])([^>]*)>/g;
const LINK = /<a\s[^>]*>/g;
const VOUCHING = /(^| )me(?= |$)/g;
const QUOTE_LINK = /^<(p|span)\s[^>]*class="[^"]*\bquote-inline\b[^"]*"/;
const ATTRIBUTE = /\s([a-z-]+)="([^"]*)"/g;

/** Elements whose text stays as it is: a link in a link is invalid HTML, and code is quoted. */
const OPAQUE: ReadonlySet<string> = new Set(['a', 'code', 'pre']);

/** Text as canonical HTML; good for content and for double-quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** The text that canonical HTML without tags stands for. */
export function unescapeHtml(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => CHARACTERS[entity] ?? entity);
}

/** An element in canonical HTML. Attribute values are escaped here; `content` is HTML already. */
export function element(name: string, attributes: Readonly<Record<string, string>>, content: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
}

/** Canonical HTML with new addresses for its pictures. */
export function withPictures(html: string, addressOf: (url: string) => string): string {
  return html.replace(
    /(<img src=")([^"]*)/g,
    (_, tag: string, url: string) => tag + escapeHtml(addressOf(unescapeHtml(url))),
  );
}

/** Canonical HTML without `rel="me"`: posts and bios that were stored with it must vouch for no link. */
export function withoutVouching(html: string): string {
  return html.replace(LINK, (link) =>
    link.replace(ATTRIBUTE, (attribute, name: string, value: string) =>
      name === 'rel' ? ` rel="${value.replace(VOUCHING, '').trim()}"` : attribute,
    ),
  );
}

/** Canonical HTML with a link in place of each hidden picture; within a link, the picture's description. */
export function withLinkedPictures(html: string, isNotHidden: (url: string) => boolean): string {
  let links = 0;
  return html.replace(PICTURE_OR_LINK, (tag: string, slash: string, name: string, attributes: string) => {
    if (name === 'a') {
      links += slash === '' ? 1 : -1;
      return tag;
    }
    const {
      src = '',
      alt,
      title,
    } = Object.fromEntries(
      Array.from(attributes.matchAll(ATTRIBUTE), ([, key = '', value = '']) => [key, unescapeHtml(value)]),
    ) as Partial<Record<string, string>>;
    if (isNotHidden(src)) return tag;
    const label = escapeHtml(alt || title || src);
    return links > 0 || src === '' ? label : element('a', { href: src, rel: 'nofollow noopener ugc' }, label);
  });
}

/** Canonical HTML split into the texts that stand outside of links and code, decoded, and the markup around them. */
export function* partsOf(html: string): Generator<HtmlPart> {
  let opaque = 0;
  for (const [part, slash, name] of html.matchAll(TAG_OR_TEXT)) {
    if (name !== undefined && OPAQUE.has(name)) opaque += slash === '' ? 1 : -1;
    yield name === undefined && opaque === 0
      ? { kind: 'text', text: unescapeHtml(part) }
      : { kind: 'markup', html: part };
  }
}

/** The plain text of canonical HTML: a line for each `<br>` and block, no blank edges. */
export function textOfHtml(html: string): string {
  return unescapeHtml(
    linesOfBlocks(onSourceLine(html).replace(BETWEEN_CELLS, ' ').replace(INLINE_TAG, '')).replaceAll('<br>', '\n'),
  ).trim();
}

/** Canonical HTML whose newlines are those of code: others only format its source. */
function onSourceLine(html: string): string {
  if (!html.includes('\n')) return html;
  return html.replace(
    SOURCE_LINES,
    (_, code?: string, before?: string, after?: string) => code ?? before ?? (after === undefined ? ' ' : ''),
  );
}

/** HTML with a newline wherever blocks start and end. */
export function linesOfBlocks(html: string): string {
  return html.replace(BLOCK_TAGS, '\n');
}

/**
 * Canonical HTML without formatting, for readers who chose `no_rich_text`: links, lines, spans and images, in paragraphs that
 * hold no other ones.
 */
export function withoutFormatting(html: string): string {
  const paragraphs = new PlainParagraphs();
  for (const [part, slash, name] of html.matchAll(TAG_OR_TEXT)) {
    if (name === undefined) paragraphs.text(part);
    else if (PARAGRAPHS.has(name)) paragraphs.block(part, name, slash === '');
    else if (SHOWN_PLAIN.has(name)) paragraphs.inline(part, VOID.has(name) ? 0 : slash === '' ? 1 : -1);
  }
  return paragraphs.written.join('');
}

class PlainParagraphs {
  readonly written: string[] = [];
  private blocks = 0;
  private codes = 0;
  /** The tag of the next paragraph. */
  private start = '<p>';
  private isOpen = false;
  /** Open elements in the open paragraph. */
  private inner = 0;

  text(text: string): void {
    if (text.trim() !== '') this.open();
    this.written.push(this.codes > 0 ? text.replaceAll('\n', '<br>') : text);
  }

  inline(tag: string, depth: number): void {
    this.open();
    this.written.push(tag);
    if (this.isOpen) this.inner += depth;
  }

  /** Ends the paragraph at the edge of a block, unless an element goes on in it. */
  block(tag: string, name: string, isOpening: boolean): void {
    if (this.isOpen && this.inner === 0) {
      this.written.push('</p>');
      this.isOpen = false;
    }
    this.start = isOpening && name === 'p' ? tag : '<p>';
    this.blocks += isOpening ? 1 : -1;
    if (name === 'pre') this.codes += isOpening ? 1 : -1;
  }

  private open(): void {
    if (this.isOpen || this.blocks === 0) return;
    this.written.push(this.start);
    this.isOpen = true;
    this.inner = 0;
  }
}

/** Whether HTML may have a link that stands for a quote where quotes are not shown: it names the class of such links. */
export function hasQuoteLink(html: string): boolean {
  return html.includes('quote-inline');
}

/** Canonical HTML without the links that stand for a quote where quotes are not shown, by their class. */
export function withoutQuoteLink(html: string): string {
  if (!hasQuoteLink(html)) return html;
  const parts: string[] = [];
  let depth = 0;
  for (const [part, slash, name] of html.matchAll(TAG_OR_TEXT)) {
    const isTag = name !== undefined && !VOID.has(name);
    if (depth === 0 && !QUOTE_LINK.test(part)) parts.push(part);
    else if (isTag) depth += slash === '' ? 1 : -1;
  }
  return parts.join('').trimEnd();
}

/**
 * Canonical HTML of at most `maxBytes` in UTF-8 (threat F22). What is longer ends early: between two tags, or within a
 * text after a whole character, with its open elements closed.
 */
export function cutHtml(html: string, maxBytes: number): string {
  if (html.length * 3 <= maxBytes || Buffer.byteLength(html) <= maxBytes) return html;
  const parts: string[] = [];
  const open: string[] = [];
  let [bytes, closing] = [0, 0];
  for (const [part, slash, name] of html.matchAll(TAG_OR_TEXT)) {
    const end = name === undefined || VOID.has(name) ? '' : `</${name}>`;
    const room = maxBytes - bytes - closing;
    if (slash === '/') {
      closing -= end.length;
      open.pop();
    } else if (Buffer.byteLength(part) + end.length > room) {
      if (name === undefined) parts.push(cutText(part, room));
      break;
    } else if (end !== '') {
      closing += end.length;
      open.push(end);
    }
    bytes += Buffer.byteLength(part);
    parts.push(part);
  }
  return parts.join('') + open.reverse().join('');
}

/** The beginning of canonical HTML without tags: whole characters and entities. */
function cutText(text: string, maxBytes: number): string {
  const cut = Buffer.from(text)
    .subarray(0, Math.max(0, maxBytes))
    .toString()
    .replace(/\uFFFD$/, '');
  return cut.replace(/&[a-z]{0,4}$/, '');
}
