import { tagUrl } from '../routing/paths.js';
import { inParagraphs } from './blocks/paragraphs.js';
import { element, escapeHtml, partsOf, textOfHtml, type HtmlPart } from './html.js';
import { renderMarkup, type PostFormat } from './markup.js';
import { sanitizeHtml } from './sanitize.js';
import { scan, withoutHyphens, type Handle, type Mention, type Piece } from './scan.js';

/** A mention or a hashtag, as {@link formatText} writes them. */
const NAME_LINK =
  /<span class="h-card"><a [^<>]*data-user="([^"<>]*)"[^<>]*>@<span>[^<]*<\/span><\/a><\/span>|<a [^<>]*data-tag="[^<>]*>(#)<span>([^<]*)<\/span><\/a>/g;

/** A tag that shows nothing by itself and quotes no one. */
const UNSEEN = /^<(?!blockquote|img)/;

/** The account that a handle names. */
export interface ResolvedMention {
  readonly accountId: string;
  readonly url: string;
  readonly username: string;
}

/** The look-ups of formatting; the answers are loaded, since `findMentions` named the accounts. */
export interface TextResolver {
  mention(handle: Handle): ResolvedMention | undefined;
  /** The address of this server, for links to hashtags. */
  readonly baseUrl: string;
}

/** A text ready to be stored and shown. */
export interface FormattedText {
  /** Sanitised. */
  readonly html: string;
  /** For search and for the `text/plain` map. */
  readonly text: string;
  /** Ids of the accounts mentioned, unique, in order. */
  readonly mentions: string[];
  /** Ids of the accounts mentioned before any other text: the addressees. */
  readonly leading: string[];
  /** Normalised names of the hashtags, unique, in order. */
  readonly tags: string[];
}

/**
 * Typed text as HTML in paragraphs, with links, hashtags and known handles linked. Leaves text in links and code alone; an unknown
 * handle stays text.
 */
export function formatText(source: string, type: PostFormat, resolve: TextResolver): FormattedText {
  const mentions = new Set<string>();
  const leading = new Set<string>();
  const tags = new Set<string>();
  const written: string[] = [];
  let isLeading = true;
  let isAfterName = false; // where a comma belongs to the name
  for (const piece of resolvedPieces(source, type, resolve)) {
    const mentioned = piece.kind === 'mention' ? resolve.mention(piece) : undefined;
    isLeading &&= piece.kind === 'mention' || isBetweenNames(piece, isAfterName);
    isAfterName = piece.kind === 'mention';
    if (mentioned !== undefined) mentions.add(mentioned.accountId);
    if (mentioned !== undefined && isLeading) leading.add(mentioned.accountId);
    if (piece.kind === 'tag') tags.add(piece.name);
    written.push(mentioned === undefined ? pieceHtml(piece, resolve) : mentionHtml(mentioned));
  }
  const html = inParagraphs(sanitizeHtml(written.join(''), 'local'));
  return { html, text: textOfHtml(html), mentions: [...mentions], leading: [...leading], tags: [...tags] };
}

/** The handles that `formatText` will look up, unique, in order: load their accounts in one query beforehand. */
export function findMentions(source: string, type: PostFormat): Handle[] {
  const found = new Map<string, Handle>();
  for (const piece of piecesOf(source, type)) {
    if (piece.kind !== 'mention') continue;
    const [shorter = piece] = withoutHyphens(piece) ?? [];
    for (const { username, domain } of [piece, shorter]) {
      const key = handleKey({ username, domain });
      if (!found.has(key)) found.set(key, { username, domain });
    }
  }
  return [...found.values()];
}

/** Equal for handles of the same account, which are compared without case. */
export function handleKey({ username, domain }: Handle): string {
  return `${username}@${domain ?? ''}`.toLowerCase();
}

/** The source rendered and split: its markup and its texts. */
function* piecesOf(source: string, type: PostFormat): Generator<Piece | HtmlPart> {
  for (const part of partsOf(renderMarkup(source, type))) {
    if (part.kind === 'text') yield* scan(part.text);
    else yield part;
  }
}

/** As {@link piecesOf}: hyphens that end no known name stand behind it. */
function* resolvedPieces(source: string, type: PostFormat, resolve: TextResolver): Generator<Piece | HtmlPart> {
  for (const piece of piecesOf(source, type)) {
    const shorter = piece.kind === 'mention' ? withoutHyphens(piece) : undefined;
    yield* shorter !== undefined && resolve.mention(piece as Mention) === undefined ? shorter : [piece];
  }
}

function isBetweenNames(piece: Piece | HtmlPart, isAfterName: boolean): boolean {
  if (piece.kind === 'markup') return UNSEEN.test(piece.html);
  return piece.kind === 'text' && (isAfterName ? /^\S*\s*$/ : /^\s*$/).test(piece.text);
}

function pieceHtml(piece: Piece | HtmlPart, resolve: TextResolver): string {
  switch (piece.kind) {
    case 'markup':
      return piece.html;
    case 'link':
      return element('a', { href: piece.text, rel: 'ugc' }, escapeHtml(piece.text));
    case 'tag':
      return tagHtml(piece.name, piece.text, tagUrl(resolve.baseUrl, piece.name));
    default:
      return escapeHtml(piece.text);
  }
}

/** As Mastodon writes it, and recognises it. */
function tagHtml(name: string, shown: string, url: string): string {
  const label = `#${element('span', {}, escapeHtml(shown.slice(1)))}`;
  return element('a', { class: 'mention hashtag', 'data-tag': name, href: url, rel: 'tag ugc' }, label);
}

/** A mention as the posts of this server show it. */
export function mentionHtml({ accountId, url, username }: ResolvedMention): string {
  const name = `@${element('span', {}, escapeHtml(username))}`;
  const link = element('a', { class: 'u-url mention', 'data-user': accountId, href: url, rel: 'ugc' }, name);
  return element('span', { class: 'h-card' }, link);
}

/** The ids of the accounts that HTML of {@link formatText} mentions. */
export function mentionedIn(html: string): string[] {
  return [...new Set(Array.from(html.matchAll(NAME_LINK)).flatMap(([, accountId]) => accountId ?? []))];
}

/** HTML of {@link formatText} as it would be typed: handles and hashtags without their links. */
export function withTypedNames(html: string, handleOf: (accountId: string) => string | undefined): string {
  return html.replace(NAME_LINK, (link: string, accountId?: string, sign = '', tag = '') => {
    if (accountId === undefined) return `${sign}${tag}`;
    const handle = handleOf(accountId);
    return handle === undefined ? link : `@${handle}`;
  });
}
