/*
 * Reads XML as strictly as a feed reader's parser may (XML 1.0): what is not well-formed throws. No doctypes, comments, CDATA or
 * processing instructions, which our feeds do without.
 */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, decoded. */
  readonly text: string;
}

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const TOKEN = new RegExp(`<(/?)(${NAME})((?:\\s+${NAME}="[^"<]*")*)\\s*(/?)>|[^<]+`, 'uy');
const ATTRIBUTE = new RegExp(`(${NAME})="([^"]*)"`, 'gu');

/** The root of a document. */
export function parseXml(document: string): XmlElement {
  if (!document.startsWith(DECLARATION)) throw new Error('It does not begin with a declaration');
  if (FORBIDDEN.test(document)) throw new Error('It holds a character that XML forbids');
  const outermost: Open = { name: '', attributes: {}, children: [], text: '' };
  const stack = [outermost];
  TOKEN.lastIndex = DECLARATION.length;
  while (TOKEN.lastIndex < document.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(document);
    if (!match) throw new Error(`It is not well-formed at ${document.slice(at, at + 60)}`);
    read(stack, match);
  }
  const [root, ...rest] = outermost.children;
  if (stack.length !== 1 || !root || rest.length > 0 || outermost.text.trim() !== '')
    throw new Error('It has no one root');
  return root;
}

/** Why a document is not well-formed; undefined when it is. */
export function xmlProblem(document: string): string | undefined {
  try {
    parseXml(document);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function read(stack: Open[], [token, slash, name, attributes = '', empty]: RegExpExecArray): void {
  const top = stack.at(-1)!;
  if (name === undefined) {
    top.text += decode(token);
  } else if (slash === '/') {
    if (top.name !== name) throw new Error(`</${name}> ends <${top.name}>`);
    stack.pop();
  } else {
    const element: Open = { name, attributes: attributesOf(attributes), children: [], text: '' };
    top.children.push(element);
    if (empty !== '/') stack.push(element);
  }
}

function attributesOf(written: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of written.matchAll(ATTRIBUTE)) {
    if (name in attributes) throw new Error(`${name} stands there twice`);
    attributes[name] = decode(value);
  }
  return attributes;
}

function decode(text: string): string {
  if (text.includes(']]>')) throw new Error(']]> in a text');
  return text.replace(/&([^;\s]*);?/g, (reference, name: string) => {
    const character = reference.endsWith(';') ? ENTITIES[name] : undefined;
    if (character === undefined) throw new Error(`${reference} is no reference`);
    return character;
  });
}

/** The children of a name. */
export const all = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);

/** The text of the one child of a name. */
export function textOf(element: XmlElement, name: string): string {
  const [child, ...rest] = all(element, name);
  if (!child || rest.length > 0) throw new Error(`There is not one ${name} in ${element.name}`);
  return child.text;
}
