import { element, escapeHtml } from './html.js';
import { isLinkable } from './sanitize.js';

interface OpenTag {
  readonly name: string;
  readonly end: string;
}

/** Deeper tags stay text. */
const MAX_DEPTH = 32;

/** Unclosed code runs to the end. An argument ends at the next bracket, so that no text is read twice. */
const TOKEN =
  /\[code\](.*?)(?:\[\/code\]|$)|\[(b|i|u|s|quote|url|color)(?:=([^[\]\n]*))?\]|\[\/(b|i|u|s|quote|url|color)\]|[^[]+|\[/gis;

const ELEMENTS: Readonly<Record<string, string>> = { b: 'strong', i: 'em', u: 'u', s: 'del', quote: 'blockquote' };

/** BBCode as canonical HTML. Unknown tags and unmatched closing tags are text; open tags close at the end. */
export function renderBbcode(source: string): string {
  const open: OpenTag[] = [];
  const html = Array.from(source.matchAll(TOKEN), (token) => tokenHtml(token, open));
  return (html.join('') + endsOf(open)).replaceAll('\n', '<br>');
}

function tokenHtml([text, code, opening, argument = '', closing]: RegExpExecArray, open: OpenTag[]): string {
  if (code !== undefined) return element('code', {}, escapeHtml(code));
  if (opening !== undefined && open.length < MAX_DEPTH) return openTag(open, opening.toLowerCase(), argument);
  const ends = closing === undefined ? undefined : closeTag(open, closing.toLowerCase());
  return ends ?? escapeHtml(text);
}

function openTag(open: OpenTag[], name: string, argument: string): string {
  const [start, end] = boundsOf(name, argument);
  open.push({ name, end });
  return start;
}

/** Closes the innermost tag of that name with its content; `undefined` when there is none. */
function closeTag(open: OpenTag[], name: string): string | undefined {
  const at = open.findLastIndex((tag) => tag.name === name);
  return at === -1 ? undefined : endsOf(open.splice(at));
}

function endsOf(tags: readonly OpenTag[]): string {
  return tags
    .map((tag) => tag.end)
    .reverse()
    .join('');
}

/**
 * `[url]` without an argument needs no markup: its text becomes a link like any other. What has no looks is an element all the
 * same, so that links and names in it end with it.
 */
function boundsOf(name: string, argument: string): [start: string, end: string] {
  const url = argument.replace(/^"|"$/g, '');
  if (name === 'url' && isLinkable(url)) return [`<a href="${escapeHtml(url)}" rel="ugc">`, '</a>'];
  const tag = ELEMENTS[name] ?? 'span';
  return [`<${tag}>`, `</${tag}>`];
}
