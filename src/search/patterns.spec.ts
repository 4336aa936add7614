import { describe, expect, it } from 'vitest';
import { accountPatterns } from './patterns.js';

describe('the patterns for accounts', () => {
  it.each([
    ['bob', 'bob%', undefined, ['bob%', '% bob%']],
    ['Bob', 'Bob%', undefined, ['Bob%', '% Bob%', 'bob%', '% bob%']],
    ['@bo', 'bo%', undefined, ['bo%', '% bo%']],
    ['anna lee', 'anna lee%', undefined, ['anna lee%', '% anna lee%']],
    ['zoe@', 'zoe', '%', []],
    ['@Zoe@B.ex', 'Zoe', 'b.ex%', []],
    ['50%_\\', '50\\%\\_\\\\%', undefined, ['50\\%\\_\\\\%', '% 50\\%\\_\\\\%']],
  ])('of %s', (text, nickname, domain, displayNames) => {
    expect(accountPatterns(text)).toEqual({ nickname, domain, displayNames });
  });

  it.each(['', '@', '%', '🐈', '@@', '...'])('of %j are none', (text) => {
    expect(accountPatterns(text)).toBeUndefined();
  });
});
