import { element, escapeHtml } from './html.js';
import { sanitizeFieldValue } from './sanitize.js';
import { scan } from './scan.js';

/** The address, when the value of a profile field is one address only; else undefined. */
export function soleLink(source: string): string | undefined {
  const [piece, ...others] = scan(source.trim());
  return piece?.kind === 'link' && others.length === 0 ? piece.text : undefined;
}

/** The value of a profile field as HTML: web addresses become links that remote servers may verify (`rel="me"`). */
export function formatFieldValue(source: string): string {
  const written = scan(source).map(({ kind, text }) =>
    kind === 'link' ? element('a', { href: text, rel: 'me ugc' }, escapeHtml(text)) : escapeHtml(text),
  );
  return sanitizeFieldValue(written.join(''));
}
