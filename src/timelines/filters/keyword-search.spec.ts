import { KeywordSearch } from './keyword-search.js';

const parts = (...keywords: string[]) => keywords.map((keyword) => ({ keyword, wholeWord: false }));
const words = (...keywords: string[]) => keywords.map((keyword) => ({ keyword, wholeWord: true }));
const found = (keywords: readonly { keyword: string; wholeWord: boolean }[], text: string) =>
  [...new KeywordSearch(keywords).find(text)].map((index) => keywords[index]!.keyword).sort();

describe('KeywordSearch', () => {
  it.each([
    ['tea', 'a Teapot', true],
    ['tea', 'STEAM', true],
    ['TEA', 'tea', true],
    ['tea', 'te a', false],
    ['green tea', 'green \n\t tea', true],
    ['straße', 'STRASSE', true],
    ['ὈΔΟΣ', 'ὀδος', true],
    ['café', 'cafe\u0301', true],
    ['cafe', 'café', false],
    ['tea', 'ｔｅａ', true],
    ['日本', '日本語', true],
    ['🦊', 'a 🦊!', true],
    ['.*', 'anything', false],
    ['.*', 'a .* b', true],
    ['(a+)+$', 'aaaa', false],
    ['[', 'a[0]', true],
    ['\\b', 'a\\b', true],
    ['$&', 'a$&', true],
  ])('finds %j in %j: %s', (keyword, text, stands) => {
    expect(found(parts(keyword), text)).toEqual(stands ? [keyword] : []);
  });

  it.each([
    ['tea', 'tea', true],
    ['tea', 'a tea.', true],
    ['tea', '#tea', true],
    ['tea', 'teapot', false],
    ['tea', 'steam', false],
    ['tea', 'tea_time', false],
    ['tea', 'tea2', false],
    ['tea', 'téa tea', true],
    ['tea', 'teapot tea', true],
    ['tea', 'öteaö', false],
    ['tea', '𝔄tea', false],
    ['чай', 'чай!', true],
    ['чай', 'чайник', false],
    ['#tea', 'a#tea b', true],
    ['#tea', '#teapot', false],
    ['c++', 'c++17', true],
    ['🦊', 'a🦊b', true],
    ['e', 'e\u20dd', false],
  ])('finds %j in %j as a whole word: %s', (keyword, text, stands) => {
    expect(found(words(keyword), text)).toEqual(stands ? [keyword] : []);
  });

  it('finds keywords next to, inside and across other keywords', () => {
    const keywords = parts('he', 'she', 'his', 'hers', 'e', 'rs x');
    expect(found(keywords, 'ushers')).toEqual(['e', 'he', 'hers', 'she']);
    expect(found(keywords, 'hers x')).toEqual(['e', 'he', 'hers', 'rs x']);
    expect(found(keywords, 'his')).toEqual(['his']);
    expect(found(keywords, '')).toEqual([]);
    expect(found([...words('she'), ...parts('he')], 'ushers she')).toEqual(['he', 'she']);
    expect([...new KeywordSearch(parts('tea', 'TEA')).find('Tea')]).toEqual([0, 1]);
  });

  it('finds keywords around and within a letter with thousands of accents', () => {
    const text = `tea a${'\u0301'.repeat(9_000)}${'\u0316'.repeat(9_000)} milk`;
    expect(found(parts('tea', 'milk', 'á', 'coffee'), text)).toEqual(['milk', 'tea', 'á']);
  });

  it('never finds a keyword that is empty after folding', () => {
    expect(found(parts('', ' '), 'anything')).toEqual([]);
    expect(found([], 'anything')).toEqual([]);
  });
});

it('agrees with a plain search in random texts', () => {
  const letters = (at: number, length: number) =>
    Array.from({ length }, (_, n) => 'ab'[(at * 2_654_435_761 + n * n * 40_503 * (at + 3)) % 7 > 3 ? 1 : 0]).join('');
  for (let at = 0; at < 300; at += 1) {
    const keywords = parts(...Array.from({ length: 6 }, (_, n) => letters(at + 7 * n, 1 + ((at + n) % 5))));
    const text = letters(at * 31, 12);
    const expected = keywords.map(({ keyword }) => keyword).filter((keyword) => text.includes(keyword));
    expect({ text, found: found(keywords, text) }).toEqual({ text, found: expected.sort() });
  }
});

it('takes a constant number of steps for each character with any keywords', () => {
  let steps = 0;
  const counting = class extends KeywordSearch {
    constructor() {
      super(parts(...Array.from({ length: 100 }, (_, n) => `${'a'.repeat(n)}b`)));
      const edges = Reflect.get(this, 'edges') as Map<number, number>;
      const get = edges.get.bind(edges);
      edges.get = (edge) => {
        steps += 1;
        return get(edge);
      };
    }
  };
  const search = new counting();
  search.find(`${'a'.repeat(20_000)}${'c'.repeat(20_000)}`);
  expect(steps).toBeLessThan(4 * 40_000);
});
