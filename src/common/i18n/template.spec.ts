import { bdi, html, type Insert, safe } from './template.js';

const HOSTILE = `<img src=x onerror='x()'>"&`;
const ESCAPED = '&lt;img src=x onerror=&#39;x()&#39;&gt;&quot;&amp;';

describe('html', () => {
  it('escapes texts for content and for attributes in either quotes', () => {
    // prettier-ignore
    const markup = html`<p title="${HOSTILE}" lang='${HOSTILE}'>${HOSTILE}</p>`;
    expect(markup.toString()).toBe(`<p title="${ESCAPED}" lang='${ESCAPED}'>${ESCAPED}</p>`);
  });

  it.each<[string, Insert, string]>([
    ['markup unchanged', html`<b>${'<'}</b>`, '<b>&lt;</b>'],
    ['output of the sanitiser unchanged', safe('<b>x</b>'), '<b>x</b>'],
    ['lists of both', [html`<b>1</b>`, '<', [html`<i>2</i>`, 3]], '<b>1</b>&lt;<i>2</i>3'],
    ['numbers, also zero', 0, '0'],
    ['an empty text', '', ''],
    ['false as an empty text', false, ''],
    ['null as an empty text', null, ''],
    ['undefined as an empty text', undefined, ''],
    ['text that looks like a placeholder', '${x}', '${x}'],
  ])('inserts %s', (_case, insert, expected) => {
    expect(html`<p>${insert}</p>`.toString()).toBe(`<p>${expected}</p>`);
  });

  it('joins bytes of markup with texts, as if they were texts', () => {
    const part = html`<b>${'ü<'} 🐦</b>`;
    const page = (inner: Insert) => html`<p>${'ä'}${[inner, 'ß', [inner]]}</p>`;
    expect(page(part.packed()).toBuffer()).toEqual(Buffer.from(page(part).toString()));
    expect(page(part.packed()).toString()).toBe('<p>ä<b>ü&lt; 🐦</b>ß<b>ü&lt; 🐦</b></p>');
  });

  it('keeps backslashes of texts and of templates', () => {
    expect(html`a ${'c\\d'}`.toString()).toBe('a\b c\\d');
  });

  it('does not accept other objects as markup', () => {
    const impostor = { toString: () => '<script>' } as unknown as string;
    expect(html`${impostor}`.toString()).toBe('&lt;script&gt;');
  });
});

it('U3 isolates the direction of a name with bdi', () => {
  expect(bdi('\u202Eevil<').toString()).toBe('<bdi>\u202Eevil&lt;</bdi>');
});
