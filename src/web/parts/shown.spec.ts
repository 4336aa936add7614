import { excerpt } from './shown.js';

describe('an excerpt', () => {
  it.each([
    ['a  line\n of words', 40, 'a line of words'],
    ['one two three', 13, 'one two three'],
    ['one two three', 12, 'one two…'],
    ['one two three', 8, 'one two…'],
    ['@alice 吾輩は猫である。名前はまだ無い。', 12, '@alice 吾輩は猫で…'],
    ['吾輩は猫である。名前はまだ無い。', 5, '吾輩は猫で…'],
    ['🍵🍵🍵🍵', 3, '🍵🍵🍵…'],
    ['', 5, ''],
  ])('shortens %j to %d characters as %j', (text, length, words) => {
    expect(excerpt(text, length)).toBe(words);
  });
});
