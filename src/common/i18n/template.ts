import { joinedBytes, packedBytes, type Part } from '../../platform/index.js';
import { escapeHtml } from '../text/html.js';

/** Markup that is safe to show. Only {@link html} and {@link safe} make it. */
export class Html {
  private constructor(private readonly parts: readonly Part[]) {}

  static of(...parts: readonly Part[]): Html {
    return new Html(parts);
  }

  /** The same markup as bytes, for parts of many pages: they are copied into a page, and not encoded each time. */
  packed(): Html {
    return new Html([packedBytes(this.parts)]);
  }

  addTo(markup: Markup): void {
    for (const part of this.parts) markup.add(part);
  }

  /** In UTF-8. */
  toBuffer(): Buffer {
    return joinedBytes(this.parts);
  }

  toString(): string {
    return this.parts.map(String).join('');
  }
}

/** Markup that is being written: joins texts, and leaves bytes as they are. */
class Markup {
  private readonly parts: Part[] = [];
  private text = '';

  add(part: Part): void {
    if (typeof part === 'string') {
      this.text += part;
      return;
    }
    if (this.text !== '') this.parts.push(this.text);
    this.parts.push(part);
    this.text = '';
  }

  insert(insert: Insert): void {
    if (insert instanceof Html) insert.addTo(this);
    else if (Array.isArray(insert)) for (const each of insert as readonly Insert[]) this.insert(each);
    else if (insert !== false && insert !== null && insert !== undefined) this.text += escaped(String(insert));
  }

  finish(): Html {
    return this.text === '' ? Html.of(...this.parts) : Html.of(...this.parts, this.text);
  }
}

/** The values of a template: texts and numbers are escaped, markup is not, undefined and null are left out. */
export type Insert = Html | string | number | false | null | undefined | readonly Insert[];

/**
 * A template: `` html`<p title="${text}">${text}</p>` ``. Escapes values for content and for quoted attributes, unless
 * they are markup; a value cannot be a tag, an attribute name or a URL.
 */
export function html(template: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  const markup = new Markup();
  template.forEach((text, at) => {
    markup.add(text);
    markup.insert(inserts[at]);
  });
  return markup.finish();
}

/** Takes a string as markup unchanged: only for output of the sanitiser. */
export function safe(markup: string): Html {
  return Html.of(markup);
}

/** A text from users, such as a name, isolated in its own direction (threat U3). */
export function bdi(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

function escaped(text: string): string {
  return escapeHtml(text).replaceAll("'", '&#39;');
}
