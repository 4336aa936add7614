import { escapeHtml } from '../text/html.js';

/** Characters that XML 1.0 forbids, even as references: most control characters, lone surrogates, U+FFFE and U+FFFF. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** A part of an XML document, made only by {@link element}. */
export class Xml {
  private constructor(private readonly markup: string) {}

  static of(markup: string): Xml {
    return new Xml(markup);
  }

  toString(): string {
    return this.markup;
  }
}

/** The content of an element: texts are escaped, empty values are omitted. */
export type XmlContent = Xml | string | false | null | undefined | readonly XmlContent[];

/** Attributes without a value are omitted. */
type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** An element, well-formed for any text. */
export function element(name: string, attributes: Attributes, ...content: readonly XmlContent[]): Xml {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === null || value === undefined ? '' : ` ${key}="${escapeXml(String(value))}"`,
  );
  const inner = writtenContent(content);
  const start = `<${name}${written.join('')}`;
  return Xml.of(inner === '' ? `${start}/>` : `${start}>${inner}</${name}>`);
}

/** A whole document. */
export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.toString()}\n`;
}

function writtenContent(content: XmlContent): string {
  if (content instanceof Xml) return content.toString();
  if (typeof content === 'string') return escapeXml(content);
  return content ? content.map(writtenContent).join('') : '';
}

function escapeXml(text: string): string {
  return escapeHtml(text.replace(FORBIDDEN, ''));
}
