import { isShortcode, normalizeEmoji, replaceShortcodes, shortcodesIn, shortcodesInHtml } from './emoji.js';

const VS16 = '\uFE0F';

describe('shortcodesIn', () => {
  it.each([
    ['none', 'no emoji: here', []],
    ['one', 'hi :tea:', ['tea']],
    ['unique, in order', ':b: :a: :b:', ['b', 'a']],
    ['every allowed character', ':Aa0_+-:', ['Aa0_+-']],
    ['side by side', ':a::b:', ['a', 'b']],
    ['a time of day', '12:30:45', []],
    ['beside a word', 'x:a: :a:y é:a:', []],
    ['beside a sign', '(:a:),"😀:b:', ['a', 'b']],
    ['in a script without spaces', '茶:tea:が', ['tea']],
    ['with spaces or dots', ':a b: :c.d:', []],
    ['empty', '::', []],
    ['of 64 characters', `:${'x'.repeat(64)}:`, ['x'.repeat(64)]],
    ['of 65 characters', `:${'x'.repeat(65)}:`, []],
  ])('%s', (_case, text, names) => {
    expect(shortcodesIn(text)).toEqual(names);
  });

  it.each([':', ':a', ':a:', 'a'])('reads 100 KB of %j', (seed) => {
    expect(shortcodesIn(seed.repeat(100_000 / seed.length)).length).toBeLessThanOrEqual(1);
  });
});

describe('shortcodesInHtml', () => {
  it.each([
    ['a paragraph', '<p>:tea:<br/>:milk: :tea:</p>', ['tea', 'milk']],
    ['a link', '<a href="https://a.example/:tea:">https://a.example/ :tea:</a> :milk:', ['milk']],
    ['an attribute', '<span title=":tea:">x</span>', []],
    ['code', '<pre><code>:tea:</code> :tea:</pre><b>:milk:</b>', ['milk']],
    ['an abbreviation', '<abbr>:tea:</abbr>', ['tea']],
    ['written brackets', '&lt;:tea:&gt;', ['tea']],
  ])('%s', (_case, html, names) => {
    expect(shortcodesInHtml(html)).toEqual(names);
  });

  it.each(['<', '<a', '<a>', ':a:<'])('reads 100 KB of %j', (seed) => {
    expect(shortcodesInHtml(seed.repeat(100_000 / seed.length)).length).toBeLessThanOrEqual(1);
  });
});

describe('replaceShortcodes', () => {
  const replaced = (html: string) =>
    replaceShortcodes(html, (name) => (name.startsWith('t') ? `<${name}>` : undefined));

  it.each([
    ['known ones, and no others', '<p>:tea: :milk: :tin:</p>', '<p><tea> :milk: <tin></p>'],
    ['side by side', ':tea::tea:!', '<tea><tea>!'],
    ['none in links, code and attributes', '<a title=":tea:">:tea:</a><code>:tea:</code>', undefined],
    ['none within words', '12:t:45 x:tea: :tea:x', undefined],
  ])('%s', (_case, html, expected) => {
    expect(replaced(html)).toBe(expected ?? html);
  });

  it.each(['<', '<a>', ':t:', ':t'])('reads 100 KB of %j', (seed) => {
    expect(replaced(seed.repeat(100_000 / seed.length)).length).toBeLessThan(200_000);
  });
});

describe('isShortcode', () => {
  it.each([
    ['tea', true],
    ['+1', true],
    ['a_b-c', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['', false],
    ['a b', false],
    ['../x', false],
    ['a\n', false],
    ['é', false],
    ['<b>', false],
  ])('%j: %s', (name, valid) => {
    expect(isShortcode(name)).toBe(valid);
  });
});

describe('normalizeEmoji', () => {
  it.each([
    ['an emoji', '😀', '😀'],
    ['a text character gets its selector', '❤', `❤${VS16}`],
    ['a qualified one stays', `❤${VS16}`, `❤${VS16}`],
    ['a needless selector goes', `😀${VS16}`, '😀'],
    ['a keycap', '1\u20E3', `1${VS16}\u20E3`],
    ['a skin tone', '👍🏽', '👍🏽'],
    ['a skin tone on a text character', '☝🏻', '☝🏻'],
    ['a flag', '🇩🇪', '🇩🇪'],
    ['a flag of tags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['a regional indicator', '🇩', '🇩'],
    ['a sequence', '👨‍👩‍👧', '👨‍👩‍👧'],
    ['a sequence without its selectors', '🏳\u200D🌈', `🏳${VS16}\u200D🌈`],
    ['the longest sequence', '👩🏻\u200D❤\u200D💋\u200D👨🏿', `👩🏻\u200D❤${VS16}\u200D💋\u200D👨🏿`],
  ])('%s', (_case, value, emoji) => {
    expect(normalizeEmoji(value)).toBe(emoji);
    expect(normalizeEmoji(emoji)).toBe(emoji);
  });

  it.each([
    ['nothing', ''],
    ['text', 'a'],
    ['a digit', '1'],
    ['a selector', VS16],
    ['a joiner', '\u200D'],
    ['two emoji', '😀😀'],
    ['an emoji and a space', '😀 '],
    ['an emoji and a newline', '😀\n'],
    ['a text presentation', '❤\uFE0E'],
    ['a flag of no country', '🇽🇽'],
    ['an unknown sequence', '😀\u200D😀'],
    ['a shortcode', ':tea:'],
    ['a joined chain of 100 KB', '😀\u200D'.repeat(33_000)],
    ['selectors of 100 KB', `😀${VS16.repeat(100_000)}`],
    ['a broken pair', '\uD83D'],
  ])('refuses %s', (_case, value) => {
    expect(normalizeEmoji(value)).toBeUndefined();
  });
});
