import { parseUrl } from './urls.js';

const LONG = '漢'.repeat(2_000);
const ESCAPED = encodeURIComponent(LONG);
const BASE = 'https://x.example/a';
const LABEL = '漢'.repeat(63);

describe('parseUrl', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['a host', `https://${LONG}/`],
    ['without a path', `https://${LONG}`],
    ['before a query', `https://${LONG}?a`],
    ['before a fragment', `https://${LONG}#a`],
    ['before a backslash', `https://${LONG}\\a`],
    ['with a port', `https://${LONG}:8080/`],
    ['with a user', `https://ada:a@b@${LONG}/`],
    ['behind backslashes', `https:\\\\${LONG}/`],
    ['behind many slashes', `https:///\\//${LONG}/`],
    ['behind no slashes', `https:${LONG}/`],
    ['behind blanks', `\0 \u001F https://${LONG}/`],
    ['with tabs and lines', `ht\ttp\ns:\r/\t/${LONG}/`],
    ['of capitals', `HTTPS://${LONG}/`],
    ['of a socket', `wss://${LONG}/`],
    ['of a file', `file://${LONG}/`],
    ['escaped', `https://${encodeURIComponent('漢'.repeat(100))}/`],
    ['a label', `https://${LABEL}漢.example/`],
    ['many labels', `https://${'漢字.'.repeat(150)}example/`],
    ['of ASCII', `https://${'a.'.repeat(200)}example/`],
    ['relative to a base', `//${LONG}/`, BASE],
    ['relative to a base, behind backslashes', `\t/\n\\${LONG}/`, BASE],
    ['relative to a base, with its scheme', `https:${LONG}/`, BASE],
  ])('reads no host that is too long: %s', (_case, text, base?: string) => {
    const parser = jest.spyOn(URL, 'parse');
    expect(parseUrl(text, base)).toBeNull();
    expect(parser).not.toHaveBeenCalled();
  });

  it.each([
    ['a name of another script', 'https://bücher.example/a', 'https://xn--bcher-kva.example/a'],
    ['labels of other scripts', 'https://例え.テスト/', 'https://xn--r8jz45g.xn--zckzah/'],
    ['an escaped name', 'https://b%C3%BCcher.example:8080/', 'https://xn--bcher-kva.example:8080/'],
    ['the longest label', ` https://${'a'.repeat(63)}.example`, `https://${'a'.repeat(63)}.example/`],
    ['a long path', `https://x.example/${LONG}`, `https://x.example/${ESCAPED}`],
    ['a long query', `https://x.example?${LONG}`, `https://x.example/?${ESCAPED}`],
    ['a long user', `https://${'a'.repeat(400)}@x.example/`, `https://${'a'.repeat(400)}@x.example/`],
    ['a long mail address', `mailto:${'a'.repeat(400)}@x.example`, `mailto:${'a'.repeat(400)}@x.example`],
    ['long data', `data:text/plain;base64,${'a'.repeat(400)}`, `data:text/plain;base64,${'a'.repeat(400)}`],
    ['an address', 'https://[::1]:4001/a', 'https://[::1]:4001/a'],
    ['a long path relative to a base', LONG, `https://x.example/${ESCAPED}`, BASE],
    ['a long path from the root of a base', `/${LONG}`, `https://x.example/${ESCAPED}`, BASE],
    ['a host relative to a base', '//bücher.example/b', 'https://xn--bcher-kva.example/b', BASE],
  ])('reads %s', (_case, text, href, base?: string) => {
    expect(parseUrl(text, base)?.href).toBe(href);
  });

  it.each([1, 12, 15, 63])('reads again what it has read: labels of %d signs', (signs) => {
    const label = Array.from({ length: signs }, (_, at) => String.fromCodePoint(0x4e00 + 7 * at)).join('');
    const url = parseUrl(`https://ü@${[label, label, label, label].join('.')}:8080/`);
    if (url === null)
      expect(signs).toBe(63); // in ASCII it is longer than any name
    else expect(parseUrl(url.href)?.href).toBe(url.href);
  });
});
