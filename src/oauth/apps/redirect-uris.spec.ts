import { isRedirectUri, isWebAddress, parseRedirectUris } from './redirect-uris.js';

describe('redirect URIs', () => {
  it('are read from a list, or from one text', () => {
    expect(parseRedirectUris(['https://a.example/ app://b', 'https://a.example/\nurn:c'])).toEqual([
      'https://a.example/',
      'app://b',
      'urn:c',
    ]);
  });

  it.each([
    'https://app.example/callback?a=1',
    'http://localhost:3000/oauth',
    'http://[::1]:8080/',
    'app://callback',
    'icecubesapp://',
    'tusky://oauth',
    'metatext://oauth.callback',
    'toot.app:/oauth',
    'mastodon://joinmastodon.org/oauth',
    'moshidon-android-auth://callback',
    'fedilab://backtofedilab',
    'subway-tooter://oauth/',
    'megalodon-android-auth://callback',
    'com.example.app:/oauth',
    'urn:ietf:wg:oauth:2.0:oob',
  ])('may be %s', (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://app.example/#fragment',
    'app://callback#',
    'https://',
    'https:///path',
    'http:app.example',
    'app:',
    'foo://[',
    'foo://a b',
    'https://[',
    '/callback',
    'callback',
    'https://app.example/\r\nSet-Cookie:a=b',
    'https://app.example/\r',
    'https://app.example/ü',
    'https://app.example/\u0000',
    ' https://app.example/',
    '',
  ])('O2 H13 are refused as %j', (uri) => expect(isRedirectUri(uri)).toBe(false));

  it('O2 are refused above 2000 characters', () => {
    expect(isRedirectUri(`https://app.example/${'a'.repeat(100_000)}`)).toBe(false);
  });
});

describe('the website of an app', () => {
  it('is an http(s) address', () => {
    expect(isWebAddress('https://app.example')).toBe(true);
    for (const text of [
      'javascript:alert(1)',
      'app.example',
      'https://',
      'https:// app.example',
      'ftp://app.example',
    ]) {
      expect(isWebAddress(text)).toBe(false);
    }
  });
});
