import { normalizeDomain, searchedDomain } from './idna.js';

describe('normalizeDomain', () => {
  it.each([
    ['example.org', 'example.org'],
    ['Example.ORG', 'example.org'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['例え。jp', 'xn--r8jz45g.jp'],
    ['ｅｘａｍｐｌｅ.org', 'example.org'],
    ['exa\u00ADmple.org', 'example.org'],
    ['a_b.example', 'a_b.example'],
    ['localhost', 'localhost'],
    ['localhost:4000', 'localhost:4000'],
    ['127.0.0.1:4001', '127.0.0.1:4001'],
    ['0x7f.1', '127.0.0.1'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('%s is %s', (host, domain) => {
    expect(normalizeDomain(host)).toBe(domain);
    expect(normalizeDomain(domain)).toBe(domain);
  });

  it.each([
    ['nothing', ''],
    ['a space', 'exa mple.org'],
    ['a line end', 'example.org\n'],
    ['a path', 'example.org/x'],
    ['a backslash', 'example.org\\x'],
    ['a query', 'example.org?x'],
    ['a fragment', 'example.org#x'],
    ['a user', 'user@example.org'],
    ['an escape', 'example%2eorg'],
    ['an IPv6 literal', '[::1]'],
    ['a trailing dot', 'example.org.'],
    ['an empty label', 'example..org'],
    ['a label that starts with a hyphen', '-a.example'],
    ['a label that ends with a hyphen', 'a-.example'],
    ['a direction mark', '\u202Eexample.org'],
    ['a joiner out of place', 'a\u200Db.example'],
    ['a number as last label', 'example.123'],
    ['an empty port', 'example.org:'],
    ['port 0', 'example.org:0'],
    ['port 65536', 'example.org:65536'],
    ['a label of 64 characters', `${'a'.repeat(64)}.example`],
    ['a name of 254 characters', `${'a.'.repeat(123)}example8`],
    ['100 KB', 'a.'.repeat(50_000)],
  ])('refuses %s', (_case, host) => {
    expect(normalizeDomain(host)).toBeUndefined();
  });
});

describe('searchedDomain', () => {
  it.each([
    ['München.example', 'xn--mnchen-3ya.example'],
    ['Example', 'example'],
    ['10.0', '10.0'],
    ['exam ple', 'exam ple'],
    ['Ünder..score', 'ünder..score'],
  ])('%s is %s', (text, searched) => {
    expect(searchedDomain(text)).toBe(searched);
  });
});
