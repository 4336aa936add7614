import { isLinkable, sanitizeFieldValue, sanitizeHtml, sanitizePage, stripTags } from './sanitize.js';

describe('sanitizeHtml', () => {
  it.each([
    ['text', 'just text &amp; more'],
    ['paragraphs and lines', '<p>a<br>b</p><p>c</p>'],
    ['inline elements', '<b>a</b><strong>b</strong><i>c</i><em>d</em><u>e</u><del>f</del><sub>g</sub><sup>h</sup>'],
    ['blocks', '<blockquote><p>a</p></blockquote><pre><code>x &lt; y</code></pre>'],
    ['lists', '<ul><li>a</li></ul><ol start="3" reversed><li value="7">b</li></ol>'],
    ['ruby', '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>'],
    ['an abbreviation', '<abbr title="a &amp; b">ab</abbr>'],
    [
      'our mention',
      '<span class="h-card"><a class="u-url mention" data-user="AhX2" href="https://b.example/users/zoe" rel="ugc">@<span>zoe</span></a></span>',
    ],
    ['our hashtag', '<a class="hashtag" data-tag="birds" href="https://a.example/tag/birds" rel="tag ugc">#Birds</a>'],
    [
      'a reference server’s link',
      '<a href="https://x.example/a" rel="nofollow noopener noreferrer"><span class="invisible">https://</span><span class="ellipsis">x.example/a</span></a>',
    ],
    [
      'a reference server’s hashtag',
      '<a class="mention hashtag" href="https://b.example/tags/tea" rel="tag">#<span>tea</span></a>',
    ],
    [
      'our quote link',
      '<span class="quote-inline"><br><br>RE: <a href="https://b.example/1">https://b.example/1</a></span>',
    ],
    [
      'an emoji image',
      '<img src="https://x.example/e.png" class="emoji" width="20" height="20" alt=":tea:" title="tea">',
    ],
    [
      'links of chats and of shared files',
      '<a href="xmpp:tea@chat.example?join">a</a> <a href="magnet:?xt=urn:btih:x&amp;dn=y">b</a>',
    ],
    ['the languages of parts', '<p lang="ja">漢 <span lang="zh-Hant-TW" class="h-card">漢</span></p>'],
    ['an empty alternative text', '<img src="https://x.example/e.png" alt="">'],
    ['quotes and entities', '<p>"a" \'b\' &lt;c&gt; &amp;amp;</p>'],
  ])('keeps %s', (_case, html) => {
    expect(sanitizeHtml(html)).toBe(html);
  });

  it.each([
    ['unknown elements, not their text', '<marquee><label>a</label></marquee><font color="red">b</font>', 'ab'],
    ['scripts and styles with their content', 'a<script>x()</script>b<style>p{}</style>c', 'abc'],
    ['form and frame content', 'a<textarea>x</textarea><iframe>y</iframe><xmp>z</xmp>b', 'ab'],
    ['comments', 'a<!-- <b>x</b> -->b<!doctype html><?php x ?>c', 'abc'],
    ['unknown attributes', '<p id="x" style="color:red" onclick="x()" dir="rtl">a</p>', '<p>a</p>'],
    [
      'languages that are none',
      '<p lang="">a</p><p lang="ja x">b</p><span lang=\'"><b>\'>c</span>',
      '<p>a</p><p>b</p><span>c</span>',
    ],
    ['languages of other elements', '<b lang="ja">a</b> <a lang="ja">b</a>', '<b>a</b> <a>b</a>'],
    [
      'styles of elements that may have attributes',
      '<a href="https://x.example" style="color:red">a</a><img src="https://x.example/b" style="width:9px">',
      '<a href="https://x.example">a</a><img src="https://x.example/b">',
    ],
    [
      'foreign classes',
      '<a class="mention evil u-url" href="https://x.example">a</a>',
      '<a class="mention u-url" href="https://x.example">a</a>',
    ],
    ['classes of other elements', '<span class="mention">a</span><p class="h-card">b</p>', '<span>a</span><p>b</p>'],
    [
      'foreign link types',
      '<a href="https://x.example" rel="ugc opener author">a</a>',
      '<a href="https://x.example" rel="ugc">a</a>',
    ],
    [
      'link types when none is left',
      '<a href="https://x.example" rel="opener">a</a>',
      '<a href="https://x.example">a</a>',
    ],
    ['targets', '<a href="https://x.example" target="_blank">a</a>', '<a href="https://x.example">a</a>'],
    [
      'relative links',
      '<a href="/logout">a</a><a href="//x.example">b</a><a href="?c">c</a>',
      '<a>a</a><a>b</a><a>c</a>',
    ],
    ['scripted links', '<a href="javascript:x()">a</a><a href="data:text/html,x">b</a>', '<a>a</a><a>b</a>'],
    ['images of other schemes', 'a<img src="data:image/png;base64,AA">b<img src="/x.png">c<img alt="d">', 'abc'],
    ['images of schemes that are for links', 'a<img src="mailto:b@c.example">b<img src="ipfs://d/e.png">c', 'abc'],
    ['event handlers of images', '<img src="https://x.example/a" onerror="x()">', '<img src="https://x.example/a">'],
  ])('drops %s', (_case, html, clean) => {
    expect(sanitizeHtml(html)).toBe(clean);
  });

  it.each([
    ['nothing', '', ''],
    ['bare signs', 'a < b > c & d', 'a &lt; b &gt; c &amp; d'],
    ['open elements', '<p>a<b>b', '<p>a<b>b</b></p>'],
    ['crossed elements', '<b><i>a</b></i>', '<b><i>a</i></b>'],
    ['stray ends', 'a</b></p>b', 'a<p></p>b'],
    ['paragraphs without ends', '<p>a<p>b', '<p>a</p><p>b</p>'],
    ['capitals', '<P>a<BR>b</P>', '<p>a<br>b</p>'],
    ['XML forms', 'a<br/>b<br />c', 'a<br>b<br>c'],
    ['named and numbered entities', '&eacute;&#233;&#xe9;&nbsp;&hellip;', 'ééé\u00A0…'],
    ['entities of nothing', '&#0;&#xD800;&unknown;', '\uFFFD\uFFFD&amp;unknown;'],
    ['quotes in attributes', '<abbr title=\'"a" > b\'>x</abbr>', '<abbr title="&quot;a&quot; &gt; b">x</abbr>'],
    ['an attribute twice', '<abbr title="a" title="b">x</abbr>', '<abbr title="a">x</abbr>'],
  ])('writes %s in canonical form', (_case, html, clean) => {
    expect(sanitizeHtml(html)).toBe(clean);
  });

  it('keeps the text of 100,000 nested elements, not the nesting', () => {
    const html = sanitizeHtml(`${'<b>'.repeat(100_000)}x${'</b>'.repeat(100_000)}y`);
    expect(html.match(/<b>/g)).toHaveLength(64);
    expect(html.replace(/<[^>]*>/g, '')).toBe('xy');
  });

  it('keeps the text of 20,000 elements side by side', () => {
    const html = sanitizeHtml('<i>x</i>'.repeat(20_000));
    expect(stripTags(html)).toBe('x'.repeat(20_000));
    expect(html.match(/</g)).toHaveLength(10_000); // the rest is cut off, since its time is unknown
  });
});

describe('the types of links', () => {
  const link = (rel?: string) => `<a href="https://x.example"${rel === undefined ? '' : ` rel="${rel}"`}>a</a>`;
  const all = 'nofollow noopener ugc';

  it.each([
    ['a text of the staff', sanitizeHtml, 'staff', 'ME ugc', 'ugc'],
    ['a text of the staff', sanitizeHtml, 'staff', undefined, undefined],
    ['a post of this server', sanitizeHtml, 'local', undefined, 'ugc'],
    ['a post of this server', sanitizeHtml, 'local', 'me', 'ugc'],
    ['a post of this server', sanitizeHtml, 'local', 'tag ugc', 'tag ugc'],
    ['a post of another server', sanitizeHtml, 'remote', undefined, all],
    ['a post of another server', sanitizeHtml, 'remote', 'me', all],
    ['a post of another server', sanitizeHtml, 'remote', 'nofollow\tMe\nme', all],
    ['a hashtag of another server', sanitizeHtml, 'remote', 'tag', `tag ${all}`],
    ['a post of another server', sanitizeHtml, 'remote', 'noreferrer noopener', 'noreferrer noopener nofollow ugc'],
    ['a page of the staff', sanitizePage, 'staff', 'me', undefined],
    ['a field of this server', sanitizeFieldValue, 'local', 'me ugc', 'me ugc'],
    ['a field of another server', sanitizeFieldValue, 'remote', 'me', `me ${all}`],
    ['a field of another server', sanitizeFieldValue, 'remote', undefined, all],
  ] as const)('are cleaned in %s', (_case, sanitize, origin, given, clean) => {
    expect(sanitize(link(given), origin)).toBe(link(clean));
  });

  it('are not added to an anchor without an address', () => {
    expect(sanitizeHtml('<a name="x">a</a>', 'remote')).toBe('<a name="x">a</a>');
  });
});

describe('sanitizePage', () => {
  it('keeps headings and tables, and removes scripts', () => {
    const allowed = '<h1>Tea</h1><table><tbody><tr><td>x</td></tr></tbody></table><hr>';
    expect(sanitizePage(`${allowed}<script>x</script><h2 onclick="x" style="x">y</h2>`)).toBe(`${allowed}<h2>y</h2>`);
  });
});

describe('sanitizeFieldValue', () => {
  it.each([
    ['text', 'a &amp; b', 'a &amp; b'],
    [
      'a verified link',
      '<a href="https://x.example" rel="me nofollow">x</a>',
      '<a href="https://x.example" rel="me nofollow ugc">x</a>',
    ],
    [
      'hidden parts',
      '<a href="https://x.example/evil"><span class="invisible">https://x.example/</span>good</a>',
      '<a href="https://x.example/evil" rel="ugc">https://x.example/good</a>',
    ],
    ['classes', '<a class="mention" href="https://x.example">x</a>', '<a href="https://x.example" rel="ugc">x</a>'],
    ['other elements', '<p>a<br><b>b</b><img src="https://x.example/a.png"></p>', 'a b'],
    ['scripted links', '<a href="javascript:x()" rel="me">a</a>', '<a rel="me">a</a>'],
  ])('%s', (_case, html, clean) => {
    expect(sanitizeFieldValue(html)).toBe(clean);
  });
});

describe('stripTags', () => {
  it.each([
    ['nothing', '', ''],
    ['text', 'a &amp; b', 'a & b'],
    ['lines', 'a<br>b<br/>c', 'a\nb\nc'],
    ['paragraphs', '<p>a</p><p>b</p>', 'a\nb'],
    ['other blocks', '<h1>a</h1><div>b</div><ul><li>c</li><li>d</li></ul>', 'a\nb\nc\nd'],
    ['inline elements', 'a<b>b</b><span>c</span>', 'abc'],
    ['links', '<a href="https://x.example">text</a>', 'text'],
    ['code', '<pre><code>if (a &lt; b)\n  c</code></pre>', 'if (a < b)\n  c'],
    ['entities', '&lt;b&gt; &eacute; &quot;x&quot; &amp;lt;', '<b> é "x" &lt;'],
    ['scripts', 'a<script>x</script>b<style>y</style><!-- z -->', 'ab'],
    ['text that looks like a tag', '1 < 2 > 0', '1 < 2 > 0'],
    ['100,000 nested elements', `${'<div><b>'.repeat(100_000)}x`, 'x'],
  ])('%s', (_case, html, text) => {
    expect(stripTags(html)).toBe(text);
  });
});

describe('isLinkable', () => {
  it.each([
    'https://x.example/a',
    'HTTP://x.example',
    'mailto:a@x.example',
    'gemini://x.example',
    'magnet:?xt=urn:btih:x',
    'xmpp:a@x.example',
    'ipfs://x',
    'https://münchen.example/ü',
  ])('%s', (url) => {
    expect(isLinkable(url)).toBe(true);
  });

  it.each([
    '',
    'x',
    '/x',
    '//x.example',
    '#x',
    'javascript:x()',
    'JaVaScRiPt:x()',
    ' javascript:x()',
    'java\nscript:x()',
    '\u0001javascript:x()',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://x.example/1',
    'file:///etc/passwd',
    'about:blank',
    'view-source:https://x.example',
    'https://',
    'https://a b',
    'tel:1',
  ])('refuses %j', (url) => {
    expect(isLinkable(url)).toBe(false);
  });
});
