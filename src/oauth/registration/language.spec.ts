import { describe, expect, it } from 'vitest';
import { firstLanguage } from './language.js';

describe('the language of a new account', () => {
  it('is the first language of the header', () => {
    expect(firstLanguage([undefined, '', 'pt_BR,en', 'de'])).toBe('pt-BR');
    expect(firstLanguage(['*', 'de'])).toBe('de');
    expect(firstLanguage(['EN-us', 'de'])).toBe('EN-us');
    expect(firstLanguage([undefined])).toBeUndefined();
  });

  it('H13 is always a language tag', () => {
    for (const text of ['en\nX: y', 'en\rX', '../en', 'english language', 'e', `en${'-abcdefgh'.repeat(9)}`]) {
      expect(firstLanguage([text])).toBeUndefined();
    }
  });
});
