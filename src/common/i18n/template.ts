import { escapeHtml } from '../text/html.js';

/** Markup that is safe to show. Only {@link html} and {@link safe} make it. */
export class Html {
  private constructor(private readonly markup: string) {}

  static of(markup: string): Html {
    return new Html(markup);
  }

  toString(): string {
    return this.markup;
  }
}

/** What may stand in a template: texts and numbers are escaped, markup is not, and nothing at all leaves no trace. */
export type Insert = Html | string | number | false | null | undefined | readonly Insert[];

/**
 * A template: `` html`<p title="${text}">${text}</p>` ``. Whatever is inserted is escaped for content and for quoted attributes,
 * unless it is markup itself; it can be no tag, no attribute name, no URL of its own making.
 */
export function html(markup: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  return Html.of(String.raw({ raw: markup }, ...inserts.map(written)));
}

/** Takes a string for markup as it is: for what the sanitiser wrote, and for nothing else. */
export function safe(markup: string): Html {
  return Html.of(markup);
}

/** A text that people chose, such as a name: its direction stays its own (threat U3). */
export function bdi(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

function written(insert: Insert): string {
  if (insert instanceof Html) return insert.toString();
  if (Array.isArray(insert)) return (insert as readonly Insert[]).map(written).join('');
  if (insert === false || insert === null || insert === undefined) return '';
  return escapeHtml(String(insert)).replaceAll("'", '&#39;');
}
