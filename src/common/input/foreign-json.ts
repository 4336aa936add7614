import { cleanText } from '../text/gate.js';

/** Deepest nesting of objects and arrays (a flat object has depth 1). */
const MAX_DEPTH = 64;
/** Most values in all objects and arrays together, unless the caller needs fewer. */
const MAX_VALUES = 50_000;
/** Escapes of NUL and of surrogates: the only way in which well-formed bytes hold a text that cannot be stored. */
const UNCLEAN_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** Some servers begin a file with it; readers may ignore it (RFC 8259 §8.1). */
const BYTE_ORDER_MARK = /^\uFEFF/;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** By how much a character outside of strings changes the depth, by its code. */
const DEPTH_CHANGES = Int8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return Number('[{'.includes(character)) - Number(']}'.includes(character));
});

/** Text that is no JSON, or more of it than anybody needs. */
export class UnreadableJson extends Error {
  override name = 'UnreadableJson';
}

/** JSON with more in it than its reader has a use for. */
export class ExcessiveJson extends UnreadableJson {
  override name = 'ExcessiveJson';

  constructor(readonly bound: 'depth' | 'number') {
    super(bound === 'depth' ? 'The text is nested too deeply' : 'The text has too many values');
  }
}

/** Bounds of a text besides its depth. */
export interface JsonBounds {
  /** Values in all objects and arrays together. */
  readonly maxValues?: number;
  /** Keys in all objects together, repeated ones included. */
  readonly maxKeys?: number;
}

/**
 * The one reader of JSON from outside: of apps, of other servers, of pages. Depth, values and keys are counted before the
 * text is parsed, since the parser takes seconds for what is nested without end (threat H26).
 * @throws UnreadableJson, ExcessiveJson over the bounds
 */
export function readForeignJson(text: string, bounds: JsonBounds = {}): unknown {
  requireModest(text, bounds);
  try {
    return JSON.parse(text.replace(BYTE_ORDER_MARK, ''));
  } catch (cause) {
    throw new UnreadableJson('The text is not JSON', { cause });
  }
}

/**
 * Reads JSON whose author cannot correct it: texts that could not be stored are cleaned (see {@link cleanText}).
 * @throws UnreadableJson
 */
export function readForeignDocument(text: string): unknown {
  const value = readForeignJson(text);
  return UNCLEAN_ESCAPE.test(text) ? cleaned(value) : value;
}

function requireModest(text: string, { maxValues = MAX_VALUES, maxKeys = Infinity }: JsonBounds): void {
  let depth = 0;
  let values = 0;
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (code === COLON) keys += 1;
    else depth += DEPTH_CHANGES[code] ?? 0;
    if (depth > MAX_DEPTH) throw new ExcessiveJson('depth');
    if (values > maxValues || keys > maxKeys) throw new ExcessiveJson('number');
  }
}

/** The index of the quote that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
  return text.length;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [cleanText(key), cleaned(each)]));
}
