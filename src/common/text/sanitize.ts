import { createRequire } from 'node:module';
import type sanitize from 'sanitize-html';

import { parseUrl } from '../../platform/urls/urls.js';
import { languageTag } from './language-tags.js';
import { BLOCKS, CELLS, HEADINGS, LOOSE_BLOCKS } from './blocks/elements.js';
import { inOneLine, withLines } from './blocks/lines.js';
import { MATH_ATTRIBUTES, MATH_ELEMENTS, MATH_SIGNS, withMathAsText } from './blocks/math.js';
import { textOfHtml } from './html.js';

const require = createRequire(import.meta.url);
let loaded: typeof sanitize | undefined;

const SCHEMES: readonly string[] =
  'https http dat dweb gopher hyper ipfs ipns irc ircs xmpp mailto mumble ssb gemini magnet'.split(' ');
const ELEMENTS =
  'a abbr b blockquote br code del em i img li ol p pre rb rp rt rtc ruby span strong sub sup u ul'.split(' ');
const LINK_TYPES: ReadonlySet<string> = new Set('tag nofollow noopener noreferrer ugc'.split(' '));
/** `me` vouches for the link: the owner of a profile page says that the linked page is theirs. */
const VOUCHING: ReadonlySet<string> = new Set([...LINK_TYPES, 'me']);

/** Who wrote a text, and the types that its links always have. */
const ADDED_LINK_TYPES = { staff: [], local: ['ugc'], remote: ['nofollow', 'noopener', 'ugc'] } as const;
export type LinkOrigin = keyof typeof ADDED_LINK_TYPES;

/** Their content is no text. */
const NO_TEXT = 'script style textarea option xmp iframe noembed noframes'.split(' ');
/** Other elements that servers write around words. */
const INLINE = 'big cite font ins kbd q s samp small strike tt var wbr'.split(' ');
const KNOWN = [...ELEMENTS, ...BLOCKS, ...CELLS, ...MATH_ELEMENTS, ...MATH_SIGNS, ...NO_TEXT, ...INLINE].join('|');
/** A `<` that begins no tag of a known element. Attributes have values: `a<b and c>d` has none. */
const NO_TAG = new RegExp(`<(?!/?(?:${KNOWN})(?:\\s[^<>=]*=[^<>]*|\\s*/?)>)`, 'gi');

/** The parser's work grows with the square of the open tags. Real texts have fewer. */
const MAX_TAGS = 10_000;
/** Limits the nesting for browsers and apps. */
const MAX_DEPTH = 64;

const COMMON: sanitize.IOptions = {
  allowedSchemes: [...SCHEMES],
  allowProtocolRelative: false,
  exclusiveFilter: (frame) => frame.tag === 'img' && frame.attribs['src'] === undefined,
  nonTextTags: NO_TEXT,
  nestingLimit: MAX_DEPTH,
};

/** The elements of posts, bios and all other HTML. */
const RICH: sanitize.IOptions = {
  ...COMMON,
  allowedTags: ELEMENTS,
  allowedAttributes: {
    a: ['href', 'data-user', 'data-tag', 'rel', 'name', 'title'],
    abbr: ['title'],
    img: ['src', 'width', 'height', 'title', 'alt'],
    li: ['value'],
    ol: ['start', 'reversed'],
    p: ['lang'],
    span: ['lang'],
  },
  allowedClasses: {
    a: ['hashtag', 'mention', 'u-url'],
    img: ['emoji'],
    p: ['quote-inline'],
    span: ['h-card', 'recipients-inline', 'quote-inline', 'invisible', 'ellipsis'],
  },
};

/** What posts do not keep, but what leaves more than its text. */
const READ: readonly string[] = [...HEADINGS, ...LOOSE_BLOCKS, ...CELLS, ...MATH_ELEMENTS];

/** As {@link RICH}, with the elements that become lines and text. */
const RICH_READ: sanitize.IOptions = {
  ...RICH,
  allowedTags: [...ELEMENTS, ...READ],
  allowedAttributes: { ...(RICH.allowedAttributes as object), ...MATH_ATTRIBUTES },
};

/** Documents of the staff: headings, tables and definitions besides. */
const PAGE: sanitize.IOptions = {
  ...RICH,
  allowedTags: [...ELEMENTS, ...'dd div dl dt h1 h2 h3 h4 h5 h6 hr table tbody td th thead tr'.split(' ')],
};

/** Links, and blocks that become spaces: hidden spans could make a verified link read like another one. */
const FIELD_VALUE: sanitize.IOptions = {
  ...COMMON,
  allowedTags: ['a', 'br', ...BLOCKS, ...CELLS],
  allowedAttributes: { a: ['href', 'rel', 'title'] },
};

/** Elements without looks, which end lines when HTML becomes text. */
const LINES: sanitize.IOptions = {
  ...COMMON,
  allowedTags: ['br', ...BLOCKS, ...CELLS, ...MATH_ELEMENTS],
  allowedAttributes: MATH_ATTRIBUTES,
};

/**
 * Untrusted HTML as safe, canonical HTML: allowed elements and attributes only, every link with an absolute URL of a
 * known scheme, no comments, no scripts. The text of other elements stays, however deep; headings become bold paragraphs,
 * other blocks lines, and formulas text. No link has `rel="me"`: on a
 * page of another account it would vouch for the link of its author.
 */
export function sanitizeHtml(html: string, origin: LinkOrigin = 'staff'): string {
  return withLines(withMathAsText(clean(html, RICH_READ, linkCleaner(LINK_TYPES, origin))));
}

/** As `sanitizeHtml`, for whole documents: with headings and tables. */
export function sanitizePage(html: string): string {
  return clean(html, PAGE);
}

/** As `sanitizeHtml`, for the value of a profile field: text and links, the only ones that may vouch (`rel="me"`). */
export function sanitizeFieldValue(html: string, origin: LinkOrigin = 'local'): string {
  return inOneLine(clean(html, FIELD_VALUE, linkCleaner(VOUCHING, origin)));
}

/** The plain text of untrusted HTML: drops tags, turns `<br>` and edges of blocks into newlines, decodes entities. */
export function stripTags(html: string): string {
  return textOfHtml(withMathAsText(clean(html, LINES)));
}

/**
 * Words that may be HTML or plain text, such as a name, as HTML: what is only written like a tag (`<rant>`, `a<b`) is text.
 */
export function wordsAsHtml(words: string): string {
  return words.replace(NO_TAG, '&lt;');
}

/** Whether a URL is absolute and of a scheme that may be linked to; never `javascript:` or `data:`. */
export function isLinkable(url: string): boolean {
  const scheme = parseUrl(url)?.protocol.slice(0, -1);
  return scheme !== undefined && SCHEMES.includes(scheme);
}

/** Loaded with the first HTML to clean. */
function sanitizer(): typeof sanitize {
  return (loaded ??= require('sanitize-html') as typeof sanitize);
}

/** The sanitiser prepares its options for each text, also for the empty ones, which most posts have beside their content. */
function clean(html: string, options: sanitize.IOptions, a = linkCleaner(LINK_TYPES, 'staff')): string {
  if (html === '') return html;
  return sanitizer()(boundTags(html), { ...options, transformTags: { ...CLEANERS, a } }).replaceAll(' />', '>');
}

/** Drops tags beyond the limit unread and keeps their text. */
function boundTags(html: string): string {
  let at = html.indexOf('<');
  for (let tags = 0; tags < MAX_TAGS && at !== -1; tags += 1) at = html.indexOf('<', at + 1);
  return at === -1 ? html : html.slice(0, at) + html.slice(at).replace(/<[^>]*>?/g, '');
}

const CLEANERS = { img: cleanImage, p: cleanLanguage, span: cleanLanguage };

function linkCleaner(allowed: ReadonlySet<string>, origin: LinkOrigin): sanitize.Transformer {
  return (tagName, { href = '', rel = '', ...attributes }) => {
    const given = rel
      .toLowerCase()
      .split(/\s+/)
      .filter((type) => allowed.has(type));
    const isLink = isLinkable(href);
    const types = new Set([...given, ...(isLink ? ADDED_LINK_TYPES[origin] : [])]);
    if (isLink) attributes['href'] = href;
    if (types.size > 0) attributes['rel'] = [...types].join(' ');
    return { tagName, attribs: attributes };
  };
}

function cleanImage(tagName: string, { src = '', ...attributes }: sanitize.Attributes): sanitize.Tag {
  return { tagName, attribs: isWebUrl(src) ? { src, ...attributes } : attributes };
}

/** Keeps the language of a part, which says how it is spoken and which glyphs it has. */
function cleanLanguage(tagName: string, { lang = '', ...attributes }: sanitize.Attributes): sanitize.Tag {
  const language = languageTag(lang);
  return { tagName, attribs: language === undefined ? attributes : { lang: language, ...attributes } };
}

function isWebUrl(url: string): boolean {
  const protocol = parseUrl(url)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
