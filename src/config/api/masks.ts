import { isDeepStrictEqual } from 'node:util';
import { MASK } from '../store/settings.service.js';
import { keywordList, keywordsOf, mapOf, type Term, tupleOf } from '../store/terms.js';

/** Names of entries whose values are masked in groups that are no settings here. */
const SECRET_NAME = /pass(word|phrase)?$|secret|token$|api_?key|access_?key|private_?key|salt$/i;

/** The value of an entry with masks in the place of secrets, in keyword lists and maps at every level. */
export function masked(name: Term, term: Term): Term {
  if (typeof term === 'string') return term !== '' && typeof name === 'string' && SECRET_NAME.test(name) ? MASK : term;
  const map = mapOf(term);
  if (map) return Object.fromEntries(map.map(([key, value]) => [key, masked(key, value)]));
  const tuple = tupleOf(term);
  if (tuple?.length === 2) return { tuple: [tuple[0], masked(tuple[0], tuple[1])] };
  if (tuple) return { tuple: tuple.map((item) => masked('', item)) };
  return Array.isArray(term) ? term.map((item: Term) => masked('', item)) : term;
}

/** The value with what was stored in the place of masks. */
export function unmasked(term: Term, old: Term): Term {
  if (term === MASK) return old ?? term;
  const map = mapOf(term);
  if (map) return Object.fromEntries(withSecrets(map, new Map(mapOf(old))));
  const tuple = tupleOf(term);
  if (tuple) return { tuple: tuple.map((item, at) => unmasked(item, tupleOf(old)?.[at])) };
  if (!Array.isArray(term)) return term;
  const keywords = keywordsOf(term);
  return keywords?.size ? keywordList(withSecrets([...keywords], keywordsOf(old))) : listWithSecrets(term, old);
}

const withSecrets = (entries: readonly (readonly [string, Term])[], before?: ReadonlyMap<string, Term>) =>
  entries.map(([name, value]) => [name, unmasked(value, before?.get(name))] as const);

/** Takes the secrets of an item from the one that was shown like it, or else from the one in its place. */
function listWithSecrets(list: readonly Term[], old: Term): Term[] {
  const before: readonly Term[] = Array.isArray(old) ? old : [];
  const shown = before.map((item) => masked('', item));
  return list.map((item, at) => {
    const sent = masked('', item);
    const same = [at, ...shown.keys()].find((each) => isDeepStrictEqual(shown[each], sent));
    return unmasked(item, before[same ?? at]);
  });
}
