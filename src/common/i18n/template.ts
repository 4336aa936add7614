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

/** The values of a template: texts and numbers are escaped, markup is not, undefined and null are left out. */
export type Insert = Html | string | number | false | null | undefined | readonly Insert[];

/**
 * A template: `` html`<p title="${text}">${text}</p>` ``. Escapes values for content and for quoted attributes, unless
 * they are markup; a value cannot be a tag, an attribute name or a URL.
 */
export function html(markup: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  return Html.of(String.raw({ raw: markup }, ...inserts.map(written)));
}

/** Takes a string as markup unchanged: only for output of the sanitiser. */
export function safe(markup: string): Html {
  return Html.of(markup);
}

/** A text from users, such as a name, isolated in its own direction (threat U3). */
export function bdi(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

function written(insert: Insert): string {
  if (insert instanceof Html) return insert.toString();
  if (Array.isArray(insert)) return (insert as readonly Insert[]).map(written).join('');
  if (insert === false || insert === null || insert === undefined) return '';
  return escapeHtml(String(insert)).replaceAll("'", '&#39;');
}
