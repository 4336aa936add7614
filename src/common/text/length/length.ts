import { scan } from '../scan.js';

/** What each link of a post counts as, as the instance document tells apps. */
export const CHARACTERS_PER_URL = 23;

/** The longest emoji has 15 UTF-16 units. A longer character, such as a letter with 5,000 marks, counts as its units. */
const MAX_UNITS = 16;
/** The segmenter's time grows with the square of its text. */
const WINDOW = 128;

const segmenter = new Intl.Segmenter();

/**
 * Whether a text has more characters than `max`, as people see them: a family, a flag or a letter with its marks is one. It
 * never has more than 16 UTF-16 units for each. This is the rule of every limit that people meet.
 */
export function isLongerThan(max: number, text: string): boolean {
  if (text.length <= max) return false;
  let count = text.length > MAX_UNITS * max ? text.length : 0;
  for (let at = 0, isCut = false; at < text.length && count <= max;) {
    for (const { length } of charactersAt(text, at)) {
      count += isCut || length > MAX_UNITS ? length : 1;
      at += length;
      isCut = length >= WINDOW - 1;
    }
  }
  return count > max;
}

/**
 * As {@link isLongerThan}, for a text whose links and handles are linked: a link counts as {@link CHARACTERS_PER_URL}, a
 * handle without its domain. `heading` is counted with it as it is.
 */
export function isStatusLongerThan(max: number, text: string, heading = ''): boolean {
  if (heading.length + text.length > MAX_UNITS * max) return true;
  return isLongerThan(max, heading + countedText(text));
}

function countedText(text: string): string {
  return scan(text)
    .map((piece) => {
      if (piece.kind === 'link') return 'x'.repeat(CHARACTERS_PER_URL);
      return piece.kind === 'mention' ? `@${piece.username}` : piece.text;
    })
    .join('');
}

/** The characters from `at` on, without one that may be cut off. */
function charactersAt(text: string, at: number): string[] {
  const end = at + WINDOW;
  const window = text.slice(at, end).replace(/[\uD800-\uDBFF]$/, '');
  const characters = Array.from(segmenter.segment(window), ({ segment }) => segment);
  return end < text.length && characters.length > 1 ? characters.slice(0, -1) : characters;
}
