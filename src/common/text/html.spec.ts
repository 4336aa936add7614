import { cutHtml, textOfHtml, withoutFormatting, withoutVouching } from './html.js';
import { sanitizeHtml } from './sanitize.js';

/** The open elements at the end; closing tags without an opening one are named too. */
function unclosedIn(html: string): string[] {
  const open: string[] = [];
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z]+)[^<>]*>/g)) {
    if (slash === '' && name !== 'br') open.push(name);
    else if (slash === '/' && open.pop() !== name) open.push(`/${name}`);
  }
  return open;
}

describe('withoutFormatting', () => {
  it.each([
    ['formatting', '<p><b>a</b><em>b</em><br>c</p>', '<p>ab<br>c</p>'],
    ['lists and quotes', '<ul><li value="3">a</li></ul><blockquote>b</blockquote>', '<p>a</p><p>b</p>'],
    ['code', '<pre><code>a\nb</code></pre>', '<p>a<br>b</p>'],
    ['paragraphs in quotes', '<blockquote><p lang="de">a</p><p>b</p></blockquote>', '<p lang="de">a</p><p>b</p>'],
    ['lists in lists', '<ul><li>a<ul><li><p>b</p></li></ul>c</li></ul>', '<p>a</p><p>b</p><p>c</p>'],
    ['blocks in links', '<li><a href="x"><p>a</p></a></li>', '<p><a href="x">a</a></p>'],

    [
      'links and mentions',
      '<span class="h-card"><a class="mention" href="https://x.example">@<span>a</span></a></span>',
      '<span class="h-card"><a class="mention" href="https://x.example">@<span>a</span></a></span>',
    ],
    ['images', '<img src="https://x.example/a.png" alt="a">', '<img src="https://x.example/a.png" alt="a">'],
  ])('%s', (_case, html, clean) => {
    expect(withoutFormatting(html)).toBe(clean);
  });
});

describe('textOfHtml', () => {
  it.each([
    ['a line once', 'a<br>\nb', 'a\nb'],
    ['lines of the source as spaces', 'a\n  <b>b</b>\nc', 'a b c'],
    ['none beside blocks', '<p>\n a\n</p>\n<p>b</p>\nc', 'a\nb\nc'],
    ['lines of code', 'x\n<pre><code>a\n  b</code></pre>\ny', 'x\na\n  b\ny'],
    ['spaces', 'a<br>  b', 'a\n  b'],
  ])('has %s', (_case, html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });
});

describe('withoutVouching', () => {
  const link = (attributes: string) => `<p>rel="me" <a ${attributes}>a</a> <a ${attributes}>me</a></p>`;

  it.each([
    ['nothing else', 'href="https://x.example" rel="me"', 'href="https://x.example" rel=""'],
    ['the first of several', 'href="https://x.example" rel="me ugc"', 'href="https://x.example" rel="ugc"'],
    ['the last of several', 'href="https://x.example" rel="ugc me"', 'href="https://x.example" rel="ugc"'],
    ['one in between', 'href="https://x.example" rel="tag me ugc"', 'href="https://x.example" rel="tag ugc"'],
    ['two of them', 'href="https://x.example" rel="me me"', 'href="https://x.example" rel=""'],
    [
      'one behind a text like it',
      'title="a rel=" href="https://me" rel="me"',
      'title="a rel=" href="https://me" rel=""',
    ],
    ['one behind an empty name', 'name title="a" rel="me"', 'name title="a" rel=""'],
  ])('removes %s', (_case, stored, shown) => {
    expect(withoutVouching(link(stored))).toBe(link(shown));
  });

  it.each(['href="https://x.example/me" rel="tag ugc"', 'href="https://x.example" title="me" rel="nofollow"'])(
    'keeps %s',
    (attributes) => {
      expect(withoutVouching(link(attributes))).toBe(link(attributes));
    },
  );
});

describe('cutHtml', () => {
  it.each([
    ['nothing of a text that fits', 8, 'ab&amp;c', 'ab&amp;c'],
    ['a text', 3, 'abcdef', 'abc'],
    ['no half of an entity', 5, 'a&amp;b', 'a'],
    ['no half of a character', 5, 'a日本', 'a日'],
    ['no half of an emoji', 4, 'a😀', 'a'],
    ['open elements by their ends', 14, '<p><b>abcdef</b></p>', '<p><b></b></p>'],
    ['within open elements', 16, '<p><b>abcdef</b></p>', '<p><b>ab</b></p>'],
    ['elements without room for their end', 8, '<p>a</p><p>b</p>', '<p>a</p>'],
    ['lines', 6, 'a<br>b<br>', 'a<br>b'],
    ['tags as a whole', 20, '<a href="https://x.example/">x</a>', ''],
  ])('cuts %s', (_case, maxBytes, html, cut) => {
    expect(cutHtml(html, maxBytes)).toBe(cut);
  });

  it.each(['<p><b>', '&', '<ul><li>', '<a href="https://x.example/">x</a>', '日', '<p>x<br>', '😀'])(
    'F22 keeps 100 kB of %j balanced, in 64 kB',
    (seed) => {
      const cut = cutHtml(sanitizeHtml(seed.repeat(100_000 / seed.length)), 65_536);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(65_536);
      expect(unclosedIn(cut)).toEqual([]);
    },
  );
});
