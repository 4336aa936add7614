import { StatusFlag } from '../statuses/index.js';

/** The parsed query of a search for posts. */
export interface SearchTerms {
  /** Words and quoted phrases, with a minus before excluded ones; undefined when the text has operators only. */
  readonly text: string | undefined;
  /** The author: a handle, or `me`. */
  readonly from: string | undefined;
  /** Parts that a post must have, as bits of {@link StatusFlag}. */
  readonly parts: number;
  /** Parts that a post must not have. */
  readonly missing: number;
}

const PARTS: ReadonlyMap<string, number> = new Map([
  ['media', StatusFlag.media],
  ['poll', StatusFlag.poll],
  ['link', StatusFlag.card],
]);

const TERM = /-?"[^"]*"?|\S+/g;
const OPERATOR = /^(-?)(from|has):(\S+)$/;

/**
 * Characters of scripts that put no spaces between words, or attach endings to them. The index (`statuses.tsv`, in the
 * migrations) treats each character as a word, so that a phrase search finds any part of a sentence.
 */
const UNSPACED =
  /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3005-\u3007\u3040-\u30FF\u3100-\u312F\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uF900-\uFAFF\uFF66-\uFF9F\u{20000}-\u{323AF}]/gu;

/**
 * Separates the operators `from:`, `has:` and `-has:` from the words. Quoted text and unknown operators count as words.
 */
export function searchTerms(query: string): SearchTerms {
  const words: string[] = [];
  const found = { from: undefined as string | undefined, parts: 0, missing: 0 };
  for (const term of query.match(TERM) ?? []) if (!addOperator(term, found)) words.push(spaced(term));
  return { ...found, text: words.length > 0 ? words.join(' ') : undefined };
}

/** Whether the term is an operator; stores its value. */
function addOperator(term: string, found: Mutable<Omit<SearchTerms, 'text'>>): boolean {
  const [, minus, name, value = ''] = OPERATOR.exec(term.toLowerCase()) ?? [];
  if (name === 'from' && !minus) {
    found.from = value;
    return true;
  }
  const part = name === 'has' ? PARTS.get(value) : undefined;
  if (part === undefined) return false;
  if (minus) found.missing |= part;
  else found.parts |= part;
  return true;
}

/** Splits a word or phrase as the index does. */
function spaced(term: string): string {
  if (term.search(UNSPACED) === -1) return term;
  const [minus, phrase] = term.startsWith('-') ? ['-', term.slice(1)] : ['', term];
  const words = phrase.replaceAll('"', ' ').replace(UNSPACED, ' $& ').trim().split(/\s+/);
  return `${minus}"${words.join(' ')}"`;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
