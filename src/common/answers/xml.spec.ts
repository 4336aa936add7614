import { element, xmlDocument } from './xml.js';

describe('an element', () => {
  it('escapes texts, in content and in attributes', () => {
    const markup = element('a', { b: `"'><c/>&` }, `]]></a><!-- & "x"`).toString();
    expect(markup).toBe(`<a b="&quot;'&gt;&lt;c/&gt;&amp;">]]&gt;&lt;/a&gt;&lt;!-- &amp; &quot;x&quot;</a>`);
  });

  it('removes characters that XML forbids', () => {
    const forbidden = '\u0000\u0001\u0008\u000b\u000c\u000e\u001f\udfff\ud800\ufffe\uffff';
    const allowed = '\t\n \u0085\u{d7ff}\ue000\ufffd\u{10000}\u{10ffff}';
    expect(element('a', { b: forbidden + allowed }, forbidden + allowed).toString()).toBe(
      `<a b="${allowed}">${allowed}</a>`,
    );
  });

  it('holds elements and lists, and ignores empty values', () => {
    const inner = [element('b', {}, 'x'), false, null, undefined, '', element('c', { d: null, e: 0, f: '' })] as const;
    expect(element('a', {}, inner).toString()).toBe('<a><b>x</b><c e="0" f=""/></a>');
    expect(xmlDocument(element('a', {}))).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<a/>\n');
  });
});
