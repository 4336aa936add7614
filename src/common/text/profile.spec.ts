import { formatFieldValue, soleLink } from './profile.js';

describe('formatFieldValue', () => {
  it.each([
    ['nothing', '', ''],
    ['text', 'they/them & more', 'they/them &amp; more'],
    [
      'a web address',
      'https://x.example/@zoe',
      '<a href="https://x.example/@zoe" rel="me ugc">https://x.example/@zoe</a>',
    ],
    [
      'a web address in text',
      'see https://x.example.',
      'see <a href="https://x.example" rel="me ugc">https://x.example</a>.',
    ],
    ['handles and hashtags', '@bob #tea', '@bob #tea'],
    [
      'HTML',
      '<a href="https://x.example" rel="me">x</a>',
      '&lt;a href="<a href="https://x.example" rel="me ugc">https://x.example</a>" rel="me"&gt;x&lt;/a&gt;',
    ],
    ['a scripted address', 'javascript:x()', 'javascript:x()'],
  ])('formats %s', (_case, source, html) => {
    expect(formatFieldValue(source)).toBe(html);
  });
});

describe('soleLink', () => {
  it.each([
    ['https://x.example/@zoe', 'https://x.example/@zoe'],
    [' http://x.example ', 'http://x.example'],
    ['my page: https://x.example', undefined],
    ['https://x.example and more', undefined],
    ['https://x.example https://y.example', undefined],
    ['x.example', undefined],
    ['javascript:x()', undefined],
    ['@bob', undefined],
    ['', undefined],
  ])('finds in %j the link %j', (source, link) => {
    expect(soleLink(source)).toBe(link);
  });
});
