import { CHARACTERS_PER_URL, isLongerThan, isStatusLongerThan } from './length.js';

/** The smallest limit that a text keeps. */
function lengthBy(isLonger: (max: number, text: string) => boolean, text: string): number {
  let max = 0;
  while (isLonger(max, text)) max += 1;
  return max;
}

const FAMILY = '👨‍👩‍👧‍👦';
const KISS = '👩🏿‍❤️‍💋‍👩🏿';
const ENGLAND = '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';

describe('isLongerThan', () => {
  it.each([
    ['nothing', '', 0],
    ['letters', 'tea', 3],
    ['a character outside of the plane', '😀a', 2],
    ['a family', FAMILY, 1],
    ['the longest emoji', KISS, 1],
    ['a flag', '🇩🇪🇫🇷', 2],
    ['a flag of a region', ENGLAND, 1],
    ['a skin tone and a selector', '👍🏽❤️', 2],
    ['a keycap', '1️⃣', 1],
    ['letters with marks', 'e\u0301u\u0308', 2],
    ['letters with marks of other scripts', 'हिन्दी', 2],
    ['composed syllables', '\u1112\u1161\u11AB글', 2],
    ['a line', 'a\r\nb', 3],
    ['a letter with as many marks as fit', `a${'\u0301'.repeat(15)}`, 1],
    ['a letter with more', `a${'\u0301'.repeat(16)}`, 17],
    ['links and handles', 'https://x.example/ @bob@x.example', 33],
  ])('counts %s', (_case, text, length) => {
    expect(lengthBy(isLongerThan, text)).toBe(length);
  });

  it.each([FAMILY, KISS, ENGLAND, '🇩🇪', 'e\u0301', '日', 'x', '\u1112\u1161\u11AB', `a${'\u0301'.repeat(15)}`])(
    'counts many of %j',
    (character) => {
      expect(isLongerThan(500, character.repeat(500))).toBe(false);
      expect(isLongerThan(500, character.repeat(501))).toBe(true);
      expect(isLongerThan(500, `a${character.repeat(500)}`)).toBe(true);
    },
  );

  it.each([
    ['marks', `a${'\u0301'.repeat(5_000)}`],
    ['joined emoji', '👨‍'.repeat(3_000)],
    ['variation selectors', `a${'\uFE0F'.repeat(5_000)}`],
    ['marks, more than are read', `a${'\u0301'.repeat(500_000)}`],
    ['marks of an earlier letter', '\u0301'.repeat(5_001)],
  ])('refuses one letter with thousands of %s', (_case, text) => {
    expect(isLongerThan(5_000, text)).toBe(true);
    expect(isStatusLongerThan(5_000, text)).toBe(true);
  });
});

describe('isStatusLongerThan', () => {
  it.each([
    ['a long link', `https://x.example/${'a'.repeat(180)}`, CHARACTERS_PER_URL],
    ['a short link', 'https://x.de', CHARACTERS_PER_URL],
    ['a link in a sentence', `see https://x.example/${'_'.repeat(180)}.`, 4 + CHARACTERS_PER_URL + 1],
    ['links in Markdown', `[a](https://x.example/${'a'.repeat(180)})`, 5 + CHARACTERS_PER_URL],
    ['a handle', '@bob', 4],
    ['a handle of another server', '@bob@a-rather-long-name.example, hi', 8],
    ['an address that is no handle', 'bob@x.example', 13],
    ['a hashtag', '#tea', 4],
    ['a family', FAMILY, 1],
  ])('counts %s', (_case, text, length) => {
    expect(lengthBy(isStatusLongerThan, text)).toBe(length);
  });

  it('counts every character of the heading', () => {
    const heading = 'https://x.example/aaaaaaaaaaaaaaaaaaaaaaa';
    expect(lengthBy((max, text) => isStatusLongerThan(max, text, heading), 'a')).toBe(heading.length + 1);
  });

  it('refuses links that are too long together', () => {
    expect(isStatusLongerThan(500, `https://x.example/${'a'.repeat(7_900)}`)).toBe(false);
    expect(isStatusLongerThan(500, `https://x.example/${'a'.repeat(8_000)}`)).toBe(true);
    expect(isStatusLongerThan(500, `@bob@${'a.'.repeat(4_000)}example`)).toBe(true);
  });
});
