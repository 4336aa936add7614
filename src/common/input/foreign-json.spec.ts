import { ExcessiveJson, readForeignDocument, readForeignJson, UnreadableJson } from './foreign-json.js';

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

describe('JSON from outside', () => {
  it.each([
    '{}',
    '[1, "a", null]',
    '"text"',
    '{"a": "\\"]]}}\\\\", "b": [{"c": ","}]}',
    nested(64),
    '{"a":'.repeat(63) + '{}' + '}'.repeat(63),
  ])('is read: %s', (text) => {
    expect(readForeignJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '',
    '{',
    '"text',
    '["\\"]',
    nested(65),
    nested(500_000),
    '{"a":'.repeat(65) + '1' + '}'.repeat(65),
    '['.repeat(1_000_000),
    `[${'1,'.repeat(50_001)}1]`,
    '\u0000',
  ])('is refused: %.40s', (text) => {
    expect(() => readForeignJson(text)).toThrow(UnreadableJson);
  });

  it.each([
    ['keys', '{"a":{"b":1,"c":2}}', { maxKeys: 3 }, { maxKeys: 2 }],
    ['repeated keys', '{"a":1,"a":1,"a":1}', { maxKeys: 3 }, { maxKeys: 2 }],
    ['values', '[[1,2],[3]]', { maxValues: 2 }, { maxValues: 1 }],
  ])('is refused with more %s than the reader can use', (_what, text, enough, less) => {
    expect(readForeignJson(text, enough)).toEqual(JSON.parse(text));
    expect(() => readForeignJson(text, less)).toThrow(ExcessiveJson);
  });

  it('may contain any number of brackets in strings', () => {
    const text = JSON.stringify({ a: '['.repeat(1_000), b: '\\"['.repeat(100), c: '\\' });
    expect(readForeignJson(text)).toEqual(JSON.parse(text));
  });

  it('F13 from other servers contains no text that cannot be stored', () => {
    const text =
      '{"a\\u0000": ["b\\u0000c", "\\ud800", {"d": "\\uD83D\\uDE00 \\udc00"}], "__proto__": {"x": "\\u0000"}}';
    const read = readForeignDocument(text) as Record<string, unknown>;
    expect(JSON.stringify(read)).toBe('{"a":["bc","\ufffd",{"d":"😀 \ufffd"}],"__proto__":{"x":""}}');
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});
