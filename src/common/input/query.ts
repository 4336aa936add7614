import { type IParseOptions, parse } from 'qs';
import { Invalid } from '../errors/errors.js';
import { emptyData, MAX_DEPTH, MAX_KEYS, plainData, PROTOTYPE_KEYS } from './plain-data.js';

const OPTIONS = {
  plainObjects: true,
  depth: MAX_DEPTH - 1, // counts brackets; the parameter itself is the first level
  strictDepth: true,
  parameterLimit: MAX_KEYS,
  arrayLimit: MAX_KEYS,
  throwOnLimitExceeded: true,
  decoder: (text: string) => decodeURIComponent(text.replaceAll('+', ' ')),
} satisfies IParseOptions;

/** Most brackets in all names together: the library builds an object for each. */
const MAX_BRACKETS = 4 * MAX_KEYS;
/** In any encoding. */
const BRACKET = /\[|%5b/i;
/** In any encoding: the two brackets of a list whose entries are objects. */
const UNNUMBERED = /(?:\[|%5b)(?:\]|%5d)(?:\[|%5b)/i;

/** A name and value of a form, decoded. */
export type FormField = readonly [name: string, value: string];

/**
 * Reads a query string or urlencoded form: `a[b]=1`, `a[]=1`, `a[0]=1`, repeated `a=1&a=2`, and lists of objects as
 * `a[0][b]=1` or `a[][b]=1` (spec §10.2).
 * @throws Invalid for malformed percent-encoding, bytes that are no UTF-8, and over the limits of `plain-data.ts`
 */
export function parseQuery(text: string | null | undefined): Record<string, unknown> {
  if (!text) return emptyData();
  return understood(() => {
    const values = pairs(text);
    if (values) return values;
    requireFew(namesIn(text));
    return structured(parse(numbered(text), OPTIONS));
  });
}

/** The names of a form, encoded; stops behind the first that is one too many. */
function namesIn(text: string): string[] {
  return text.split('&', MAX_KEYS + 1).map((part) => part.split('=', 1)[0] ?? '');
}

/** @throws Invalid for more names, or names of more parts, than any request has: before anything is made of them */
function requireFew(names: readonly string[]): void {
  // Splits no further than behind the first bracket that is one too many.
  const brackets = names.join('&').split(BRACKET, MAX_BRACKETS + 2).length - 1;
  if (names.length > MAX_KEYS || brackets > MAX_BRACKETS) throw new Invalid('The request has too many parameters');
}

/** Text without a bracket, in any encoding. */
const FLAT = /^(?:[^[\]%]|%(?!5[bd]))+$/i;
const LONGEST_FLAT = 1_000;

/**
 * Reads a short list of different names and values, as most queries are: plain data as it is; returns undefined for others. The
 * library, which reads all of them, needs ten times as long.
 */
function pairs(text: string): Record<string, unknown> | undefined {
  if (text.length > LONGEST_FLAT || !FLAT.test(text)) return undefined;
  const values = emptyData();
  for (const part of text.split('&')) {
    if (part === '') continue;
    const end = part.indexOf('=');
    const name = OPTIONS.decoder(end === -1 ? part : part.slice(0, end));
    if (name === '' || name in values || PROTOTYPE_KEYS.has(name)) return undefined;
    values[name] = end === -1 ? '' : OPTIONS.decoder(part.slice(end + 1));
  }
  return values;
}

/** Gives the decoded fields of a multipart form the structure that {@link parseQuery} gives a query. */
export function parseFields(fields: readonly FormField[]): Record<string, unknown> {
  requireFew(fields.map(([name]) => name));
  const byName = emptyData();
  const entries = new Entries();
  for (const [given, value] of fields) {
    const name = entries.numbered(given);
    const earlier = byName[name];
    byName[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return understood(() => structured(parse(byName as Record<string, string>, OPTIONS)));
}

function structured(values: object): Record<string, unknown> {
  return plainData(values, { form: true }) as Record<string, unknown>;
}

function understood(read: () => Record<string, unknown>): Record<string, unknown> {
  try {
    return read();
  } catch (error) {
    if (error instanceof URIError) throw new Invalid('The request is not percent-encoded UTF-8', { cause: error });
    if (error instanceof RangeError) throw new Invalid('The request has too many parameters', { cause: error });
    throw error;
  }
}

/** The text with numbered entries of lists of objects, where it has such. */
function numbered(text: string): string {
  if (!UNNUMBERED.test(text)) return text;
  const entries = new Entries();
  return text
    .split('&')
    .map((part) => {
      const end = part.indexOf('=');
      const name = OPTIONS.decoder(end === -1 ? part : part.slice(0, end));
      const better = entries.numbered(name);
      return better === name ? part : encodeURIComponent(better) + (end === -1 ? '' : part.slice(end));
    })
    .join('&');
}

/**
 * Numbers the entries of lists of objects, `a[][b]`, `a[][c]`, `a[][b]`: a repeated name begins the next entry. The
 * library would make one entry of all.
 */
class Entries {
  private readonly last = new Map<string, { index: number; names: Set<string> }>();

  numbered(name: string): string {
    const end = name.indexOf('[][');
    if (end === -1) return name;
    const [list, rest] = [name.slice(0, end), name.slice(end + 2)];
    let entry = this.last.get(list);
    if (!entry || entry.names.has(rest)) entry = { index: entry ? entry.index + 1 : 0, names: new Set() };
    if (!rest.endsWith('[]')) entry.names.add(rest);
    this.last.set(list, entry);
    return `${list}[${entry.index}]${rest}`;
  }
}
