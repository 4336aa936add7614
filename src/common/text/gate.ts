/** Why a text is refused: PostgreSQL stores no NUL, and no encoding carries a lone surrogate. */
export type TextProblem = 'nul' | 'ill-formed';

const MAX_DEPTH = 32;
const MAX_KEYS = 1000;

/**
 * Invisible characters: spaces, controls, zero-width and other ignorable characters, fillers, the empty Braille cell.
 */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** The reason to refuse a text, or `undefined` for clean text. */
export function textProblem(value: string): TextProblem | undefined {
  if (value.includes('\0')) return 'nul';
  return value.isWellFormed() ? undefined : 'ill-formed';
}

/**
 * Cleans a text whose author cannot correct it, such as a remote server's: drops NUL, turns a lone surrogate into
 * U+FFFD, and cuts off what exceeds `maxLength` code points.
 */
export function cleanText(value: string, options: { readonly maxLength?: number } = {}): string {
  const { maxLength = Infinity } = options;
  const text = (value.length > 4 * maxLength ? value.slice(0, 4 * maxLength) : value)
    .replaceAll('\0', '')
    .toWellFormed();
  return text.length <= maxLength ? text : text.slice(0, endOfCharacters(text, maxLength));
}

/**
 * Accents above the thirtieth on one letter (the stream-safe form of Unicode). To put them in order takes a time in
 * the square of their number.
 */
const STACKED = /(\p{M}{30})\p{M}+/gu;

/** A foreign or typed text in a form of Unicode, without the accents that nobody could read. */
export function normalized(text: string, form: 'NFC' | 'NFKC'): string {
  return text.replace(STACKED, '$1').normalize(form);
}

/** The index after the first code points. */
function endOfCharacters(text: string, count: number): number {
  let at = 0;
  for (let left = count; left > 0 && at < text.length; left -= 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

/**
 * Walks a parsed input of plain objects and arrays (other objects, such as files, are passed by). Returns the path of
 * the first string that the gate refuses, of an object with a refused key, or of the place where the input goes deeper
 * than 32 levels or beyond 1000 keys: `poll.options[1]`, or `input` for the input itself.
 */
export function assertCleanText(value: unknown): string | undefined {
  const path = flawIn(value, 0, { keys: MAX_KEYS });
  return path === '' ? 'input' : path?.replace(/^\./, '');
}

/** The number of code points, the unit of bounds that people do not meet; those that they do meet are `isLongerThan`'s. */
export function codePointLength(text: string): number {
  const pairs = text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0;
  return text.length - pairs;
}

/** Whether a text shows nothing: empty, or only spaces and invisible characters. */
export function isBlank(text: string): boolean {
  return INVISIBLE.test(text);
}

/** The path, from `value` on, of its first flaw; '' is `value` itself. Recursion ends at the depth limit. */
function flawIn(value: unknown, depth: number, budget: { keys: number }): string | undefined {
  if (typeof value === 'string') return textProblem(value) === undefined ? undefined : '';
  const entries = entriesOf(value);
  if (entries === undefined) return undefined;
  if (depth === MAX_DEPTH) return '';
  for (const [key, child] of entries) {
    if (typeof key === 'string' && isKeyRefused(key, budget)) return '';
    const path = flawIn(child, depth + 1, budget);
    if (path !== undefined) return typeof key === 'string' ? `.${key}${path}` : `[${key}]${path}`;
  }
  return undefined;
}

function isKeyRefused(key: string, budget: { keys: number }): boolean {
  budget.keys -= 1;
  return budget.keys < 0 || textProblem(key) !== undefined;
}

function entriesOf(value: unknown): Iterable<[string | number, unknown]> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return value.entries();
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? Object.entries(value) : undefined;
}
