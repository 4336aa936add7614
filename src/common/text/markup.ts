import { renderBbcode } from './bbcode.js';
import { escapeHtml } from './html.js';
import { renderMarkdown } from './markdown.js';
import { sanitizeHtml } from './sanitize.js';

/** The formats a post can be written in. */
export const POST_FORMATS = ['text/plain', 'text/html', 'text/markdown', 'text/bbcode'] as const;

export type PostFormat = (typeof POST_FORMATS)[number];

const RENDERERS: Readonly<Record<PostFormat, (source: string) => string>> = {
  'text/plain': (source) => escapeHtml(source).replaceAll('\n', '<br>'),
  'text/html': sanitizeHtml,
  'text/markdown': renderMarkdown,
  'text/bbcode': renderBbcode,
};

/** Typed text as canonical HTML, before its parts are linked. */
export function renderMarkup(source: string, type: PostFormat): string {
  return RENDERERS[type](source.replace(/\r\n?/g, '\n'));
}
