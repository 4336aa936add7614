import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { entryLimit } from '../../platform/index.js';

/** `~r/…/flags`: a regular expression. Any other text stands for itself. */
const EXPRESSION = /^~r\/(.*)\/([a-z]*)$/s;
const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  u: 0,
};

/** A text or regular expression that an operator looks for in posts. */
export interface TextPattern {
  isIn(text: string): boolean;
  replaceIn(text: string, replacement: string): string;
}

const compiled = new LRUCache<string, TextPattern>(entryLimit(10_000));

/**
 * The pattern that a setting names. Regular expressions are those of RE2, which needs time in proportion to the text
 * for any expression (threat H16).
 * @throws when the expression cannot be read
 */
export function textPattern(source: string): TextPattern {
  const known = compiled.get(source);
  if (known) return known;
  const pattern = compile(source);
  compiled.set(source, pattern);
  return pattern;
}

/** Whether {@link textPattern} can read a pattern. */
export function isTextPattern(source: string): boolean {
  try {
    textPattern(source);
    return true;
  } catch {
    return false;
  }
}

function compile(source: string): TextPattern {
  const [, expression, flags = ''] = EXPRESSION.exec(source) ?? [];
  if (expression === undefined) {
    return {
      isIn: (text) => text.includes(source),
      replaceIn: (text, replacement) => text.replaceAll(source, () => replacement),
    };
  }
  const sum = Array.from(flags, flagOf).reduce((flagsSoFar, flag) => flagsSoFar | flag, 0);
  const regex = RE2JS.compile(expression, sum);
  return {
    isIn: (text) => regex.matcher(text).find(),
    replaceIn: (text, replacement) => regex.matcher(text).replaceAll(replacement),
  };
}

function flagOf(flag: string): number {
  const value = FLAGS[flag];
  if (value === undefined) throw new Error(`The flag ${flag} is not known`);
  return value;
}
