import { accountPatterns } from './patterns.js';

describe('accountPatterns', () => {
  it.each([
    ['bob', 'bob', undefined, ['bob%', '% bob%']],
    ['Bob', 'Bob', undefined, ['Bob%', '% Bob%', 'bob%', '% bob%']],
    ['@bo', 'bo', undefined, ['bo%', '% bo%']],
    ['!te', 'te', undefined, ['te%', '% te%']],
    ['!tea@b.ex', 'tea', 'b.ex%', []],
    ['anna lee', 'anna lee', undefined, ['anna lee%', '% anna lee%']],
    ['zoe@', 'zoe', '%', []],
    ['@Zoe@B.ex', 'Zoe', 'b.ex%', []],
    ['kim@Bücher.example', 'kim', 'xn--bcher-kva.example%', []],
    ['kim@1', 'kim', '1%', []],
    ['50%_\\', '50%_\\', undefined, ['50\\%\\_\\\\%', '% 50\\%\\_\\\\%']],
  ])('returns the patterns for %s', (text, nickname, domain, displayNames) => {
    expect(accountPatterns(text)).toEqual({ nickname, domain, displayNames });
  });

  it.each(['', '@', '%', '🐈', '@@', '...'])('returns undefined for %j', (text) => {
    expect(accountPatterns(text)).toBeUndefined();
  });
});
