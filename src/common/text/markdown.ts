import { createRequire } from 'node:module';
import type { MarkdownIt, StateInline } from 'markdown-it';

import { pieceAt } from './scan.js';

const SHORTCODE = /:[A-Za-z0-9_+-]{1,64}:/y;
/** Escaped signs that would be part of a handle, a hashtag, a shortcode or a link. */
const ESCAPED = /\\([@#]+(?=[\w\p{L}])|:)/uy;
const UNDERSCORE = '_'.charCodeAt(0);
/** The signs of emphasis that are looked at before a handle, hashtag or link: no text is read often. */
const MAX_SIGNS = 100;

const require = createRequire(import.meta.url);

/** Loaded with the first post in Markdown. */
let loaded: MarkdownIt | undefined;

/**
 * CommonMark with strikethrough; a newline is a line break, HTML is text.
 */
function newMarkdown(): MarkdownIt {
  const Markdown = require('markdown-it') as typeof MarkdownIt;
  const markdown = new Markdown({ html: false, linkify: false, breaks: true });
  markdown.disable('table');
  markdown.inline.ruler.before('newline', 'verbatim', verbatim);
  markdown.inline.ruler.before('escape', 'escaped', escaped);
  Object.assign(markdown.renderer.rules, {
    s_open: () => '<del>',
    s_close: () => '</del>',
    link_open: (tokens, index, options, _env, renderer) => {
      tokens[index]?.attrSet('rel', 'ugc');
      return renderer.renderToken(tokens, index, options);
    },
  } satisfies typeof markdown.renderer.rules);
  return markdown;
}

/** Markdown as canonical HTML, without the newlines that only format its source. */
export function renderMarkdown(source: string): string {
  loaded ??= newMarkdown();
  return loaded.render(source).replaceAll('>\n', '>');
}

/**
 * Takes a handle, hashtag, link or shortcode as plain text, so that `@a_b_` or `:a_b_:` is no emphasis. Underscores at
 * its end close the emphasis around it.
 */
function verbatim(state: StateInline, silent: boolean): boolean {
  const end = verbatimEnd(state);
  if (end === undefined || end > state.posMax) return false;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}

function verbatimEnd(state: StateInline): number | undefined {
  const { src, pos } = state;
  switch (src[pos]) {
    case '@':
    case '#':
      return pieceEnd(state, pos);
    case ':':
      return src.startsWith('://', pos) ? pieceEnd(state, schemeStart(src, pos)) : shortcodeEnd(src, pos);
    default:
      return undefined;
  }
}

function pieceEnd(state: StateInline, start: number): number | undefined {
  const { text } = pieceAt(state.src, start) ?? {};
  if (text === undefined) return undefined;
  let end = start + text.length;
  for (let open = text.endsWith('_') ? openUnderscores(state) : 0; open > 0 && state.src[end - 1] === '_'; open -= 1) {
    end -= 1;
  }
  return end;
}

/** The underscores before the place that began an emphasis which has not ended. */
function openUnderscores({ delimiters }: StateInline): number {
  let count = 0;
  for (const { marker, open, close } of delimiters.slice(-MAX_SIGNS)) {
    if (marker !== UNDERSCORE) continue;
    if (close && count > 0) count -= 1;
    else if (open) count += 1;
  }
  return count;
}

/**
 * Puts an escaped sign into an element of its own: where handles, hashtags and links are found and emoji are shown, it
 * begins and ends none.
 */
function escaped(state: StateInline, silent: boolean): boolean {
  ESCAPED.lastIndex = state.pos;
  const [written, sign = ''] = ESCAPED.exec(state.src) ?? [];
  if (written === undefined) return false;
  if (!silent) {
    state.push('span_open', 'span', 1);
    state.push('text', '', 0).content = sign;
    state.push('span_close', 'span', -1);
  }
  state.pos += written.length;
  return true;
}

/** The scheme was read as plain text before its colon. */
function schemeStart(source: string, colon: number): number {
  return colon - (source[colon - 1]?.toLowerCase() === 's' ? 5 : 4);
}

function shortcodeEnd(source: string, at: number): number | undefined {
  SHORTCODE.lastIndex = at;
  return SHORTCODE.test(source) ? SHORTCODE.lastIndex : undefined;
}
