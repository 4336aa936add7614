import { firstLanguage } from './language-tags.js';

describe('the first language of several texts', () => {
  it('is the first valid tag', () => {
    expect(firstLanguage([undefined, '', 'pt_BR,en', 'de'])).toBe('pt-BR');
    expect(firstLanguage(['*', 'de'])).toBe('de');
    expect(firstLanguage(['EN-us', 'de'])).toBe('EN-us');
    expect(firstLanguage([undefined])).toBeUndefined();
  });

  it('H13 is never an invalid tag', () => {
    for (const text of ['en\nX: y', 'en\rX', '../en', 'english language', 'e', `en${'-abcdefgh'.repeat(9)}`]) {
      expect(firstLanguage([text])).toBeUndefined();
    }
  });
});
