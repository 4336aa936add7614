import { assertCleanText, cleanText, codePointLength, isBlank, textProblem } from './gate.js';

const LONE = '\uD83D';

describe('textProblem', () => {
  it.each([
    ['empty', '', undefined],
    ['letters', 'Grüße 你好 😀', undefined],
    ['noncharacters, which every encoding carries', '\uFFFE\u{1FFFF}', undefined],
    ['controls other than NUL', '\u0001\u007F\r\n', undefined],
    ['NUL', 'a\0b', 'nul'],
    ['NUL beside a lone surrogate', `\0${LONE}`, 'nul'],
    ['a lone high surrogate', `a${LONE}`, 'ill-formed'],
    ['a lone low surrogate', '\uDE00b', 'ill-formed'],
    ['a pair the wrong way round', '\uDE00\uD83D', 'ill-formed'],
  ])('%s', (_case, text, problem) => {
    expect(textProblem(text)).toBe(problem);
  });
});

describe('cleanText', () => {
  it.each([
    ['leaves clean text unchanged', 'Grüße 😀', {}, 'Grüße 😀'],
    ['removes NUL', 'a\0b\0', {}, 'ab'],
    ['replaces a lone surrogate', `a${LONE}b`, {}, 'a\uFFFDb'],
    ['keeps a text of the maximum length', '😀😀', { maxLength: 2 }, '😀😀'],
    ['cuts a longer text at a code point', '😀😀😀', { maxLength: 2 }, '😀😀'],
    ['cuts a mixed text at a code point', 'a😀b', { maxLength: 2 }, 'a😀'],
    ['splits no surrogate pair', 'a😀', { maxLength: 1 }, 'a'],
    ['accepts a length of zero', 'abc', { maxLength: 0 }, ''],
  ])('%s', (_case, text, options, clean) => {
    expect(cleanText(text, options)).toBe(clean);
  });
});

describe('assertCleanText', () => {
  const nested = (depth: number): unknown => (depth === 0 ? {} : { a: nested(depth - 1) });
  const keyed = (keys: number): unknown =>
    Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 1]));

  it.each([
    [
      'an ordinary input',
      { status: 'hi', poll: { options: ['a', 'b'], multiple: true }, media_ids: [], expires_in: null },
    ],
    ['no input', undefined],
    ['numbers and booleans', { a: 1, b: false }],
    ['objects without prototype', Object.assign(Object.create(null) as object, { a: 'b' })],
    ['32 levels', nested(31)],
    ['1000 keys', keyed(1000)],
    ['long lists', { ids: Array.from({ length: 5000 }, () => 'x') }],
    [
      'files and dates, which are no text',
      { file: Buffer.from('a\0b'), at: new Date(0), by: new Map([['a\0', 'b\0']]) },
    ],
  ])('passes %s', (_case, input) => {
    expect(assertCleanText(input)).toBeUndefined();
  });

  it.each([
    ['a field', { ok: 'a', status: 'a\0' }, 'status'],
    ['a list item', { poll: { options: ['a', `b${LONE}`] } }, 'poll.options[1]'],
    ['an object in a list', { fields_attributes: [{ name: 'a' }, { name: '\0' }] }, 'fields_attributes[1].name'],
    ['a list in a list', [['a'], ['b', '\0']], '[1][1]'],
    ['a key, without quoting it', { source: { 'a\0b': 1 } }, 'source'],
    ['a key of the input itself', { [`a${LONE}`]: 1 }, 'input'],
    ['a string alone', '\0', 'input'],
    ['the first of two', { b: '\0', a: '\0' }, 'b'],
    ['a `__proto__` key from JSON', JSON.parse('{"__proto__":{"a":"\\u0000"}}'), '__proto__.a'],
    ['33 levels', nested(32), Array.from({ length: 32 }, () => 'a').join('.')],
    ['1001 keys', keyed(1001), 'input'],
    ['1001 keys in many objects', { list: Array.from({ length: 500 }, () => ({ a: 1, b: 2 })) }, 'list[499]'],
  ])('names %s', (_case, input, path) => {
    expect(assertCleanText(input)).toBe(path);
  });

  it('does not follow 100,000 levels', () => {
    const input: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(assertCleanText(input)).toBe('[0]'.repeat(32));
  });
});

describe('codePointLength', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 2],
    ['😀', 1],
    ['👨‍👩‍👧', 5],
    ['a😀b😀', 4],
    [`${LONE}a`, 2],
    ['😀'.repeat(50_000), 50_000],
  ])('counts the code points of text number %#', (text, length) => {
    expect(codePointLength(text)).toBe(length);
  });
});

describe('isBlank', () => {
  it.each([
    ['empty', '', true],
    ['spaces of all kinds', ' \t\r\n\u00A0\u2003\u3000', true],
    ['zero-width characters', '\u200B\u200C\u200D\u2060\uFEFF', true],
    ['direction marks', '\u200E\u202E\u2066\u2069', true],
    ['fillers and empty Braille', '\u115F\u3164\uFFA0\u2800', true],
    ['variation selectors and tags', '\uFE0F\u{E0041}', true],
    ['a soft hyphen', '\u00AD', true],
    ['controls', '\u0001\u007F', true],
    ['a letter among them', '\u200Ba\u200B', false],
    ['an emoji', '❤️', false],
    ['punctuation', '.', false],
    ['right-to-left text', '\u202Eשלום', false],
    ['100 KB of nothing', '\u200B '.repeat(50_000), true],
    ['100 KB of nothing and a letter', `${'\u200B '.repeat(50_000)}a`, false],
  ])('%s', (_case, text, blank) => {
    expect(isBlank(text)).toBe(blank);
  });
});
