import { inParagraphs } from './paragraphs.js';

describe('inParagraphs', () => {
  it.each([
    ['nothing', '', ''],
    ['a text', 'a', '<p>a</p>'],
    ['a line', 'a<br>b', '<p>a<br>b</p>'],
    ['a blank line', 'a<br><br>b', '<p>a</p><p>b</p>'],
    ['blank lines', 'a<br> <br><br>b<br>c', '<p>a</p><p>b<br>c</p>'],
    ['lines at both ends', '<br>a<br><br>', '<p>a</p>'],
    ['a paragraph', '<p>a<br><br>b</p>', '<p>a<br><br>b</p>'],
    ['paragraphs with spaces', '<p>a</p>\n<p>b</p>', '<p>a</p>\n<p>b</p>'],
    ['text beside a paragraph', 'a<p>b</p>c', '<p>a</p><p>b</p><p>c</p>'],
    [
      'text beside a quotation',
      'a<br><blockquote>b<br><br>c</blockquote><br>d',
      '<p>a</p><blockquote>b<br><br>c</blockquote><p>d</p>',
    ],
    ['a list', '<ul><li>a</li><li><p>b</p></li></ul>c', '<ul><li>a</li><li><p>b</p></li></ul><p>c</p>'],
    ['formatting', '<b>a</b> <i>b</i><br><i>c</i>', '<p><b>a</b> <i>b</i><br><i>c</i></p>'],
    ['formatting across a blank line', '<b>a<br><br>b</b>c', '<p><b>a<br><br>b</b>c</p>'],
    ['formatting around a block', 'a<b>b<pre>c</pre></b>d', 'a<b>b<pre>c</pre></b><p>d</p>'],
    ['a picture', '<img src="https://x.example/a">', '<p><img src="https://x.example/a"></p>'],
    [
      'a link at the end',
      'a<br><br><a href="https://x.example">b</a>',
      '<p>a</p><p><a href="https://x.example">b</a></p>',
    ],
  ])('puts %s into paragraphs', (_case, html, expected) => {
    expect(inParagraphs(html)).toBe(expected);
    expect(inParagraphs(expected)).toBe(expected);
  });
});
