import { type IParseOptions, parse } from 'qs';
import { Invalid } from './errors.js';
import { emptyData, MAX_DEPTH, MAX_KEYS, plainData } from './plain-data.js';

const OPTIONS = {
  plainObjects: true,
  depth: MAX_DEPTH - 1, // counts brackets; the parameter itself is the first level
  strictDepth: true,
  parameterLimit: MAX_KEYS,
  arrayLimit: MAX_KEYS,
  throwOnLimitExceeded: true,
  decoder: (text: string) => decodeURIComponent(text.replaceAll('+', ' ')),
} satisfies IParseOptions;

/** A name and value of a form, decoded. */
export type FormField = readonly [name: string, value: string];

/**
 * Reads a query string or urlencoded form: `a[b]=1`, `a[]=1`, `a[0]=1`, repeated `a=1&a=2` (entities: request encoding).
 * @throws Invalid for malformed percent-encoding, bytes that are no UTF-8, and over the limits of `plain-data.ts`
 */
export function parseQuery(text: string | null | undefined): Record<string, unknown> {
  return text ? structured(text) : emptyData();
}

/** Gives the decoded fields of a multipart form the structure that {@link parseQuery} gives a query. */
export function parseFields(fields: readonly FormField[]): Record<string, unknown> {
  if (fields.length > MAX_KEYS) throw new Invalid('The request has too many parameters');
  const byName = emptyData();
  for (const [name, value] of fields) {
    const earlier = byName[name];
    byName[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return structured(byName);
}

function structured(source: string | Record<string, unknown>): Record<string, unknown> {
  try {
    const values =
      typeof source === 'string' ? parse(source, OPTIONS) : parse(source as Record<string, string>, OPTIONS);
    return plainData(values, { form: true }) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof URIError) throw new Invalid('The request is not percent-encoded UTF-8', { cause: error });
    if (error instanceof RangeError) throw new Invalid('The request has too many parameters', { cause: error });
    throw error;
  }
}
