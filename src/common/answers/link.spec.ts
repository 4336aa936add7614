import { pageLinks } from './link.js';
import { Page } from './page.js';

const base = 'https://social.example';
const next = (url: string) => pageLinks(base, url, { first: '9', last: '1' }).split(', ')[0];

describe('pageLinks', () => {
  it('points to older rows with max_id and to newer ones with min_id', () => {
    expect(pageLinks(base, '/api/v1/timelines/home', { first: '9', last: '1' })).toBe(
      `<${base}/api/v1/timelines/home?max_id=1>; rel="next", <${base}/api/v1/timelines/home?min_id=9>; rel="prev"`,
    );
  });

  it.each([
    ['/x?limit=2&only_media=true', '/x?limit=2&only_media=true&max_id=1'],
    ['/x?a[]=1&a[]=2', '/x?a%5B%5D=1&a%5B%5D=2&max_id=1'],
    ['/x?max_id=7&since_id=3&min_id=4&offset=20&access_token=t&admin_token=u', '/x?max_id=1'],
    ['/x?url=https://a.example/?b=1&limit=2', '/x?url=https%3A%2F%2Fa.example%2F%3Fb%3D1&limit=2&max_id=1'],
    ['/x?q=%3E%0d%0a', '/x?q=%3E%0D%0A&max_id=1'],
    ['http://evil.example/x?a=1', '/x?a=1&max_id=1'],
    ['//evil.example/x', '//evil.example/x?max_id=1'],
    ['/@host/x', '/@host/x?max_id=1'],
  ])('%s', (url, expected) => expect(next(url)).toBe(`<${base}${expected}>; rel="next"`));
});

it('keeps the cursors of a page when its items are replaced', () => {
  const page = new Page([1, 2], { first: '1', last: '2' });
  expect(page.map((item) => item * 2)).toEqual(new Page([2, 4], { first: '1', last: '2' }));
  expect(page.with(['a'])).toEqual(new Page(['a'], { first: '1', last: '2' }));
});
