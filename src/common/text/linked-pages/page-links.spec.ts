import { linksOfPage } from './page-links.js';

const PAGE = 'https://a.example/about/me';
const ME = { rel: 'me', elements: ['a', 'link'] };
const links = (html: string) => linksOfPage(html, PAGE, ME);

describe('linksOfPage', () => {
  it.each([
    ['<a rel="me" href="https://b.example/x">x</a>', ['https://b.example/x']],
    ['<link rel=me href=https://b.example/x>', ['https://b.example/x']],
    ['<A REL="noopener ME\nnofollow" HREF="https://b.example/x">', ['https://b.example/x']],
    ["<a rel='me' href='/x?a=1&amp;b=2#c'>", ['https://a.example/x?a=1&b=2#c']],
    ['<a rel="me" href="x">', ['https://a.example/about/x']],
    ['<a rel="me" href="x"><base href="https://c.example/d/"><base href="/e/">', ['https://c.example/d/x']],
    ['<base href="http://["><a rel="me" href="/x">', ['https://a.example/x']],
    ['<a rel="me" href="/1"><a rel="me" href="/2">', ['https://a.example/1', 'https://a.example/2']],
    ['<div><p><a rel="me" href="/x"', []],
  ])('finds in %s', async (html, expected) => {
    expect(await links(html)).toEqual(expected);
  });

  it.each([
    '<a href="/x">',
    '<a rel="menu" href="/x">',
    '<a rel="me">',
    '<a rel="me" href="http://[">',
    '<area rel="me" href="/x">',
    '<!-- <a rel="me" href="/x"> -->',
    '<script>"<a rel=me href=/x>"</script>',
    '<textarea><a rel="me" href="/x"></textarea>',
    '<title><a rel="me" href="/x"></title>',
    '<img alt="<a rel=me href=/x>">',
    '&lt;a rel="me" href="/x"&gt;',
    '',
    '<',
  ])('finds nothing in %s', async (html) => {
    expect(await links(html)).toEqual([]);
  });

  it.each([
    '<a ',
    '<div>',
    '<a rel=me href=',
    '<p></b>',
    '<a x',
    '<a rel="',
    '&amp;',
    '<!--',
    '</',
    '<svg>',
    '<select><option>',
    '<ul><li>',
  ])('S6 reads a page of many %s in linear time', async (piece) => {
    expect(Array.isArray(await links(piece.repeat(1_000_000 / piece.length)))).toBe(true); // quadratic time would exceed the timeout
  });

  it('finds links across the parts of a page', async () => {
    for (let at = 65_490; at < 65_540; at += 1) {
      const html = `${' '.repeat(at)}<a rel="me" href="/x?a=1&amp;b=2">x</a>`;
      expect(await links(html)).toEqual(['https://a.example/x?a=1&b=2']);
    }
  });

  it('S6 reads links before endless nesting', async () => {
    const deep = '<div>'.repeat(100_000);
    expect(await links(`<a rel="me" href="/x">x</a>${deep}<a rel="me" href="/y">`)).toEqual(['https://a.example/x']);
  });
});
