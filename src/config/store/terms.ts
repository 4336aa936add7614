import { isPlainObject } from '../../common/index.js';

/**
 * A value as the configuration API writes it (spec §4.1.9): JSON in which `":name"` is an atom, `{tuple: [...]}` a
 * tuple, a list of pairs with an atom first a keyword list, and `"~r/.../"` a regular expression. Values that this
 * server does not use are stored in this form and never interpreted.
 */
export type Term = unknown;

/** The entries of a keyword list, in order; undefined for other values. An empty list is an empty keyword list. */
export function keywordsOf(term: Term): Map<string, Term> | undefined {
  if (!Array.isArray(term)) return undefined;
  const pairs = term.map(tupleOf);
  const isKeywords = pairs.every((pair) => pair?.length === 2 && isAtom(pair[0]));
  return isKeywords ? new Map(pairs as [string, Term][]) : undefined;
}

/** The entries of a map, in order; undefined for other values. */
export function mapOf(term: Term): [key: string, value: Term][] | undefined {
  return isPlainObject(term) && !tupleOf(term) ? Object.entries(term) : undefined;
}

/**
 * The value without some entries of a keyword list or a map, undefined when none of them is left. A value of another
 * form has no entries, and stays.
 */
export function withoutEntries(term: Term, isGone: (key: string) => boolean): Term {
  const keywords = keywordsOf(term);
  const entries = [...(keywords ?? mapOf(term) ?? [])];
  if (entries.length === 0) return term;
  const rest = entries.filter(([key]) => !isGone(key));
  if (rest.length === 0) return undefined;
  return keywords ? keywordList(rest) : Object.fromEntries(rest);
}

/** The keyword list of these entries. */
export function keywordList(entries: Iterable<readonly [key: string, value: Term]>): Term {
  return [...entries].map(([key, value]) => ({ tuple: [key, value] }));
}

export function isAtom(term: Term): term is string {
  return typeof term === 'string' && term.startsWith(':');
}

/**
 * The new value of a setting that is updated: keyword lists are merged at every level; of other values, and of the
 * entries in `replaced`, the new one counts (spec §4.1.9, rules 5 to 7).
 */
export function mergeTerms(old: Term, update: Term, replaced: ReadonlySet<string> = new Set()): Term {
  const [before, after] = [keywordsOf(old), keywordsOf(update)];
  if (!before?.size || !after?.size) return update;
  for (const [key, value] of after) before.set(key, replaced.has(key) ? value : mergeTerms(before.get(key), value));
  return keywordList(before);
}

/** Plain data of a value: tuples as lists, keyword lists and maps as objects, both with keys that are no atoms. */
export function plainOf(term: Term): unknown {
  const tuple = tupleOf(term);
  if (tuple) return tuple.map(plainOf);
  const keywords = keywordsOf(term);
  if (keywords?.size) return objectOf(keywords);
  if (Array.isArray(term)) return term.map(plainOf);
  const map = mapOf(term);
  return map ? objectOf(map) : term;
}

/** The form of plain data: objects as maps with atoms for keys, lists of numbers and lists inside lists as tuples. */
export function termOf(value: unknown, isInList = false): Term {
  if (Array.isArray(value)) {
    const terms = value.map((item) => termOf(item, true));
    const isTuple = isInList || (value.length > 0 && value.every((item) => typeof item === 'number'));
    return isTuple ? { tuple: terms } : terms;
  }
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [`:${key}`, termOf(item)]));
}

function objectOf(entries: Iterable<readonly [key: string, value: Term]>): object {
  return Object.fromEntries([...entries].map(([key, value]) => [key.replace(/^:/, ''), plainOf(value)]));
}

/** The items of a tuple; undefined for other values. */
export function tupleOf(term: Term): readonly Term[] | undefined {
  if (!isPlainObject(term) || Object.keys(term).length !== 1 || !Array.isArray(term['tuple'])) return undefined;
  return term['tuple'] as readonly Term[];
}
