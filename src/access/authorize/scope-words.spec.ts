import { LOCALES, translatorOf } from '../../common/index.js';
import { KNOWN_SCOPES } from '../../oauth/index.js';
import { scopeWords } from './scope-words.js';

describe('the words for scopes', () => {
  it.each([...LOCALES])('explain every scope that an app may ask for (%s)', (locale) => {
    const t = translatorOf(locale);
    for (const scope of KNOWN_SCOPES) expect(scopeWords(t, [scope])).toEqual([expect.stringMatching(/\w/)]);
  });

  it('name each scope once', () => {
    const t = translatorOf('en');
    expect(scopeWords(t, ['admin:read', 'admin:write:reports', 'read:lists', 'read:search'])).toEqual([
      'read: lists, search',
      'see everything in the administration of this server, if your account may',
      'change in the administration: reports',
    ]);
  });
});
