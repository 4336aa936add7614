import { createRequire } from 'node:module';
import type { MarkdownIt, StateInline } from 'markdown-it';

import { pieceAt } from './scan.js';

const SHORTCODE = /:[A-Za-z0-9_+-]{1,64}:/y;

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

/** Takes a handle, hashtag, link or shortcode as plain text, so that `@a_b_` or `:a_b_:` is no emphasis. */
function verbatim(state: StateInline, silent: boolean): boolean {
  const end = verbatimEnd(state.src, state.pos);
  if (end === undefined || end > state.posMax) return false;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}

function verbatimEnd(source: string, at: number): number | undefined {
  switch (source[at]) {
    case '@':
    case '#':
      return pieceEnd(source, at);
    case ':':
      return source.startsWith('://', at) ? pieceEnd(source, schemeStart(source, at)) : shortcodeEnd(source, at);
    default:
      return undefined;
  }
}

function pieceEnd(source: string, start: number): number | undefined {
  const piece = pieceAt(source, start);
  return piece && start + piece.text.length;
}

/** The scheme was read as plain text before its colon. */
function schemeStart(source: string, colon: number): number {
  return colon - (source[colon - 1]?.toLowerCase() === 's' ? 5 : 4);
}

function shortcodeEnd(source: string, at: number): number | undefined {
  SHORTCODE.lastIndex = at;
  return SHORTCODE.test(source) ? SHORTCODE.lastIndex : undefined;
}
