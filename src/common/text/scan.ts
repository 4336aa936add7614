import { parseUrl } from '../../platform/urls/urls.js';
import { normalized } from './gate.js';
import { normalizeDomain } from './idna.js';

/** `@username` or `@username@domain` as typed, the domain normalised. Accounts are compared without case. */
export interface Handle {
  readonly username: string;
  readonly domain: string | undefined;
}

/** What stands before a handle: `@`, or `!` before those of groups, as Lemmy writes them. */
export const HANDLE_SIGN = /^[@!]/;

/** A stretch of plain text: ordinary text, or a candidate for a link. `text` is the original. */
export type Piece =
  | { readonly kind: 'text' | 'link'; readonly text: string }
  | { readonly kind: 'tag'; readonly text: string; readonly name: string }
  | Mention;
export type Mention = { readonly kind: 'mention'; readonly text: string } & Handle;

/** Longer names are text: no account and no index row fits them. In UTF-16 units. */
const MAX_USERNAME = 128;
const MAX_TAG = 128;

/** Possible starts. A piece ends before the next start or includes it: no text is read often. */
const TRIGGER = /https?:\/\/|[@#]/gi;
/**
 * A handle with its domain: the whole name or none, since a part of it is the name of somebody else. The domain ends with a
 * letter or digit, so that a point may end the sentence.
 */
const FULL_HANDLE =
  /(?<![\p{L}\p{M}\p{N}_/=@#&])@([\p{L}\p{N}_.-]+)@([\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?(?::\d{2,5}(?!\w))?)/uy;
/** The handle of a local account. `@bob.` is `@bob` at a sentence's end; `@josé` is no `@jos`. */
const LOCAL_HANDLE = /(?<![\p{L}\p{M}\p{N}_/=@#&])@(-*\w(?:[\w.-]*\w)?-*)(?![\w\-\p{sc=Latin}\p{M}])/uy;
/**
 * In the Arabic script a zero-width non-joiner is part of the spelling; elsewhere it would only make two tags look alike.
 * Points separate words within a tag in Catalan and Japanese.
 */
const TAG =
  /(?<![\p{L}\p{M}\p{N}_/=@#&])#([\p{L}\p{Nd}_](?:[\p{L}\p{M}\p{Nd}_]|(?<=\p{sc=Arab})\u200C(?=\p{sc=Arab})|[·・]+(?=[\p{L}\p{M}\p{Nd}_]))*)/uy;
const LINK_START = /(?<![A-Za-z0-9])https?:\/\//iy;
/**
 * A bracket, or what stands before the next one; spaces, invisible characters, quotes, ideographic stops and backslashes
 * end a link.
 */
const LINK_PART = /[\(\)\[\]\{\}]|[^\s\p{C}\p{Ps}\p{Pe}\p{Pi}\p{Pf}<>"`\\、。，．｡､！？；：…]+/vy;

const CLOSER: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
const CLOSERS: ReadonlySet<string> = new Set(CLOSER.values());
/** What ends a sentence, or stands around a link, in any script. `_ - = / + & # %` at the end belong to the address. */
const TRAILING = /[\p{Terminal_Punctuation}'*~〜～|—–([{]/u;
/** An address without a path, and what cannot end its host. */
const BARE = /^(https?:\/\/[^/?#]*[\p{L}\p{M}\p{N}\]])[^/?#\p{L}\p{M}\p{N}\]]*$/iu;

/** Splits a text into links, mentions, hashtags and the text between them, in linear time. */
export function scan(text: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (let at = nextTrigger(text, 0); at !== -1; at = nextTrigger(text, Math.max(done, at + 1))) {
    const piece = pieceAt(text, at);
    if (piece === undefined) continue;
    if (at > done) pieces.push({ kind: 'text', text: text.slice(done, at) });
    pieces.push(piece);
    done = at + piece.text.length;
  }
  if (done < text.length) pieces.push({ kind: 'text', text: text.slice(done) });
  return pieces;
}

/** The link, mention or hashtag that starts at `at`; a `text` piece for an invalid one. */
export function pieceAt(text: string, at: number): Piece | undefined {
  switch (text[at]) {
    case '@':
      return mentionAt(text, at);
    case '#':
      return tagAt(text, at);
    default:
      return linkAt(text, at);
  }
}

/** A local handle without the hyphens at its end, and these: they may end the name, or stand behind it (`@bob--`). */
export function withoutHyphens({ text, username, domain }: Mention): [Mention, Piece] | undefined {
  const shorter = username.replace(/-+$/, '');
  if (domain !== undefined || shorter === username) return undefined;
  const end = text.length - username.length + shorter.length;
  return [
    { kind: 'mention', text: text.slice(0, end), username: shorter, domain },
    { kind: 'text', text: text.slice(end) },
  ];
}

/** The stored form of a hashtag's name: composed and lower-cased. */
export function normalizeTag(name: string): string {
  return normalized(name, 'NFC').toLowerCase();
}

/** Whether a normalised name is possible as a hashtag in a text. */
export function isTag(name: string): boolean {
  const tag = tagAt(`#${name}`, 0);
  return tag?.kind === 'tag' && tag.text.length === name.length + 1;
}

function nextTrigger(text: string, from: number): number {
  TRIGGER.lastIndex = from;
  return TRIGGER.exec(text)?.index ?? -1;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function mentionAt(text: string, at: number): Piece | undefined {
  const [written, username = '', host] = matchAt(FULL_HANDLE, text, at) ?? matchAt(LOCAL_HANDLE, text, at) ?? [];
  if (written === undefined || username.length > MAX_USERNAME) return undefined;
  const domain = host === undefined ? undefined : normalizeDomain(host);
  if (host !== undefined && domain === undefined) return undefined;
  return { kind: 'mention', text: written, username, domain };
}

function tagAt(text: string, at: number): Piece | undefined {
  const [written, name = ''] = matchAt(TAG, text, at) ?? [];
  if (written === undefined || name.length > MAX_TAG || !/\p{L}/u.test(name)) return undefined;
  return { kind: 'tag', text: written, name: normalizeTag(name) };
}

function linkAt(text: string, at: number): Piece | undefined {
  const scheme = matchAt(LINK_START, text, at)?.[0];
  if (scheme === undefined) return undefined;
  const end = runEnd(text, at + scheme.length);
  const link = trimmed(text.slice(at, end), text[at - 1] === '_');
  return parseUrl(link) !== null ? { kind: 'link', text: link } : { kind: 'text', text: text.slice(at, end) };
}

/** The end of the URL characters from `at` on, at the latest before an unmatched closing bracket. */
function runEnd(text: string, at: number): number {
  const expected: string[] = [];
  let end = at;
  for (;;) {
    const part = matchAt(LINK_PART, text, end)?.[0];
    if (part === undefined) return end;
    const closer = CLOSER.get(part);
    if (closer !== undefined) expected.push(closer);
    else if (CLOSERS.has(part) && expected.pop() !== part) return end;
    end += part.length;
  }
}

/** Leaves out the punctuation that ends a sentence, not an address, and emphasis that begins before the link. */
function trimmed(link: string, isEmphasised: boolean): string {
  let end = link.length;
  for (let last = link[end - 1]; last !== undefined; last = link[end - 1]) {
    if (!TRAILING.test(last) && !(isEmphasised && last === '_')) break;
    end -= 1;
  }
  const rest = link.slice(0, end);
  return BARE.exec(rest)?.[1] ?? rest;
}
