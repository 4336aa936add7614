import { PLAIN_WORK, TEXT_WORK } from '../workers/text-work.js';

const TEX = '<annotation encoding="application/x-tex">\\frac{1}{a} &lt; b</annotation>';
const math = (content: string, attributes = '') => `<math${attributes}><semantics>${content}</semantics></math>`;
const SIGNS = '<mfrac><mn>1</mn><mi>a</mi></mfrac>';

/** What posts of other servers become: HTML with the elements that posts have, and text for search. */
describe('The blocks of a text', () => {
  const post = (content: string) =>
    TEXT_WORK.post({ content, mediaType: undefined, before: '', after: '', summary: '' });

  it.each([
    ['a heading', '<h2>Setup</h2>Run it.', '<p><strong>Setup</strong></p>Run it.', 'Setup\nRun it.'],
    ['a heading in the middle', 'a<h6>b</h6>c', 'a<p><strong>b</strong></p>c', 'a\nb\nc'],
    ['a heading with blocks', '<h1><p>a</p><div>b</div></h1>c', '<p><strong>a<br>b</strong></p>c', 'a\nb\nc'],
    ['a heading with lines', '<h1>a<br>b</h1>', '<p><strong>a<br>b</strong></p>', 'a\nb'],
    ['a heading in a heading', '<h1>a<i><h2>b</h2></i>c</h1>', '<p><strong>a<i><br>b</i><br>c</strong></p>', 'a\nb\nc'],
    ['a heading without end', '<h1>a<h2>b</h2>c', '<p><strong>a</strong></p><p><strong>b</strong></p>c', 'a\nb\nc'],
    ['a division', 'Run it.<div>Now.</div>Done.', 'Run it.<br>Now.<br>Done.', 'Run it.\nNow.\nDone.'],
    ['divisions', '<div>a</div><div><div>b</div></div>', 'a<br>b', 'a\nb'],
    ['divisions in the source', '<div>\n  a\n</div>\n<div>b</div>\n', 'a<br>b', 'a\nb'],
    ['empty divisions', 'a<div></div><div> </div>b', 'a<br>b', 'a\nb'],
    ['divisions with formatting', '<div>a</div><div><b>b</b></div>', 'a<br><b>b</b>', 'a\nb'],
    ['formatting with divisions', '<b><div>a</div></b>b', '<b>a</b><br>b', 'a\nb'],
    ['divisions of paragraphs', '<div><p>a</p></div><div><p>b</p></div>', '<p>a</p><p>b</p>', 'a\nb'],
    ['a division that ends by a line', '<div>a<br></div><div>b</div>', 'a<br>b', 'a\nb'],
    ['a paragraph beside text', 'a<p>b</p>c', 'a<p>b</p>c', 'a\nb\nc'],
    ['a quotation beside text', 'a<blockquote>b</blockquote>c', 'a<blockquote>b</blockquote>c', 'a\nb\nc'],
    ['a list beside text', 'a<ul><li>b</li></ul>c', 'a<ul><li>b</li></ul>c', 'a\nb\nc'],
    ['paragraphs in a list', '<ul><li><p>a</p></li><li>b</li></ul>', '<ul><li><p>a</p></li><li>b</li></ul>', 'a\nb'],
    ['paragraphs on lines', '<p>a</p>\n<p>b</p>', '<p>a</p>\n<p>b</p>', 'a\nb'],
    ['a line', 'a<hr>b<hr/>c', 'a<br>b<br>c', 'a\nb\nc'],
    ['a table', '<table><tr><th>a</th><th>b</th></tr><tr><td>c<td>d</table>e', 'a b<br>c d<br>e', 'a b\nc d\ne'],
    ['a caption', '<table><caption>a</caption><tr><td>b</td></tr></table>', 'a<br>b', 'a\nb'],
    ['definitions', '<dl><dt>a</dt><dd>b</dd><dt>c<dd>d</dl>e', 'a<br>b<br>c<br>d<br>e', 'a\nb\nc\nd\ne'],
    [
      'a figure',
      'x<figure><img src="https://x.example/a" alt="a"><figcaption>b</figcaption></figure>c',
      'x<br><img src="https://x.example/a" alt="a"><br>b<br>c',
      'x\n\nb\nc',
    ],
    ['details', '<details><summary>a</summary>b</details>c', 'a<br>b<br>c', 'a\nb\nc'],
    ['parts of pages', '<header>a</header><section>b</section><footer>c</footer>', 'a<br>b<br>c', 'a\nb\nc'],
    ['no line between words', 'a<font>b</font><tt>c</tt>', 'abc', 'abc'],
    ['a formula in TeX', `a ${math(SIGNS + TEX)} b`, 'a $\\frac{1}{a} &lt; b$ b', 'a $\\frac{1}{a} < b$ b'],
    ['a formula as a block', math(SIGNS + TEX, ' display="block"'), '$$\\frac{1}{a} &lt; b$$', '$$\\frac{1}{a} < b$$'],
    [
      'a formula with a text',
      math(`${SIGNS}<annotation encoding="text/plain">1 of a</annotation>`),
      '1 of a',
      '1 of a',
    ],
    [
      'a formula with another annotation',
      math(`${SIGNS}<annotation-xml encoding="MathML-Content"><ci>k</ci></annotation-xml>`),
      '1a',
      '1a',
    ],
    [
      'a formula with an alternative text',
      math(SIGNS, ' alttext="1/a &lt; &quot;b&quot;"'),
      '1/a &lt; "b"',
      '1/a < "b"',
    ],
    ['a formula of signs', math('<mi>x</mi><mo>=</mo><mn>1</mn>'), 'x=1', 'x=1'],
    [
      'formulas',
      `${math(`<mi>x</mi>${TEX}`)}, ${math('<mi>y</mi>')}`,
      '$\\frac{1}{a} &lt; b$, y',
      '$\\frac{1}{a} < b$, y',
    ],
    ['a formula in a formula', '<math><math><mi>x</mi></math><mi>y</mi></math>z', 'xyz', 'xyz'],
    ['an annotation of nothing', 'a<annotation>b</annotation>c', 'abc', 'abc'],
    ['scripts in a formula', math('<mi>x</mi><style><img src=x onerror=y></style><script>z</script>'), 'x', 'x'],
  ])('%s keeps its lines', (_case, content, html, text) => {
    const made = post(content);
    expect([made.html, made.text]).toEqual([html, text]);
    expect(TEXT_WORK.sanitize(made.html)).toBe(made.html);
  });

  it.each([
    [
      'content warnings',
      (html: string) => TEXT_WORK.post({ content: '', mediaType: 0, before: '', after: '', summary: html }).spoiler,
    ],
    ['texts without tags', TEXT_WORK.strip],
    ['texts that take too long', PLAIN_WORK.strip],
    [
      'pages of the author',
      (html: string) => TEXT_WORK.format(html, 'text/html', { mentions: new Map(), baseUrl: '' }).text,
    ],
  ])('keep their lines in %s', (_what, textOf) => {
    expect(textOf('<h2>Setup</h2>Run it.<div class="x">Now.</div><dl><dt>a</dt><dd>b</dd></dl>c')).toBe(
      'Setup\nRun it.\nNow.\na\nb\nc',
    );
  });

  it('are separated by spaces in the fields of a profile', () => {
    const [field] = TEXT_WORK.profile({
      displayName: '',
      note: '',
      fields: [{ name: 'a', value: '<p>a <a href="https://x.example">b</a></p><div>c<br>d</div><ul><li>e</li></ul>' }],
    }).fields;
    expect(field?.value).toBe('a <a href="https://x.example" rel="nofollow noopener ugc">b</a> c d e');
  });
});
