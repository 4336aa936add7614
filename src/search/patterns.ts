import { HANDLE_SIGN, searchedDomain, unique } from '../common/index.js';
import type { AccountPatterns } from './account-search.repository.js';

const HANDLE = /^([^\s@]+)@([^\s@]*)$/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Returns the patterns for a search text: the beginning of a nickname or of a word in a display name, or a handle whose
 * domain may be incomplete. Undefined for a text without letters or digits, which no index can look up.
 */
export function accountPatterns(text: string): AccountPatterns | undefined {
  if (!LETTER_OR_DIGIT.test(text)) return undefined;
  const name = text.replace(HANDLE_SIGN, '');
  const [, nickname, domain] = HANDLE.exec(name) ?? [];
  if (nickname !== undefined && domain !== undefined) {
    return { nickname, domain: `${literal(searchedDomain(domain))}%`, displayNames: [] };
  }
  const words = literal(name);
  // The database lowercases each capital to one letter, never to a final sigma.
  const spellings = unique([words, words.toLowerCase()]);
  return {
    nickname: name,
    domain: undefined,
    displayNames: spellings.flatMap((spelling) => [`${spelling}%`, `% ${spelling}%`]),
  };
}

/** Escapes the wildcards of `like`. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
