import { normalizeTag, scan } from './scan.js';

/** The pieces other than text, each as its kind and its source. */
function found(text: string): string[] {
  return scan(text).flatMap((piece) => (piece.kind === 'text' ? [] : [`${piece.kind} ${piece.text}`]));
}

describe('scan', () => {
  it('returns the whole text in order', () => {
    const text = 'Hi @zoe@B.example, #Tea at https://x.example/a?b=1 (or http://). Bye';
    expect(
      scan(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
    expect(scan(text)[1]).toEqual({ kind: 'mention', text: '@zoe@B.example', username: 'zoe', domain: 'b.example' });
    expect(scan(text)[3]).toEqual({ kind: 'tag', text: '#Tea', name: 'tea' });
  });

  it.each([
    ['@bob', ['mention @bob']],
    ['@bob@x.example', ['mention @bob@x.example']],
    ['(@bob) "@amy" ¿@zoe? -@kim', ['mention @bob', 'mention @amy', 'mention @zoe', 'mention @kim']],
    ['@bob, @amy. @zoe: @kim!', ['mention @bob', 'mention @amy', 'mention @zoe', 'mention @kim']],
    ["@bob's @amy@x.example's", ['mention @bob', 'mention @amy@x.example']],
    ['@bob@x.example.', ['mention @bob@x.example']],
    ['@a.b-c_d @_x_', ['mention @a.b-c_d', 'mention @_x_']],
    ['@bob.- and @bob@x.example-', ['mention @bob', 'mention @bob@x.example']],
    ['@bob@localhost:4000, @amy@x.example: hi', ['mention @bob@localhost:4000', 'mention @amy@x.example']],
    ['@bob@x.example:3 things', ['mention @bob@x.example']],
    ['@bob@münchen.example', ['mention @bob@münchen.example']],
    ['@bob@', ['mention @bob']],
    ['@bob@-x', ['mention @bob']],
    ['one\n@bob', ['mention @bob']],
    ['@BOB', ['mention @BOB']],
    ['@bob-@x.example @-@x.example', ['mention @bob-@x.example', 'mention @-@x.example']],
    ['@bob.@x.example', ['mention @bob.@x.example']],
    ['@josé@x.example @日本@x.example', ['mention @josé@x.example', 'mention @日本@x.example']],
    ['@bob- @-bob @bob--, @bobさん', ['mention @bob-', 'mention @-bob', 'mention @bob--', 'mention @bob']],
    [`@${'x'.repeat(128)}`, [`mention @${'x'.repeat(128)}`]],
  ])('finds the handles in %j', (text, pieces) => {
    expect(found(text)).toEqual(pieces);
  });

  it.each([
    ['an e-mail address', 'write to bob@x.example or a.b+c@x.example'],
    ['a letter before', 'é@bob 日@bob 1@bob _@bob'],
    ['a path or a parameter', 'x.example/@bob and a=@bob'],
    ['two signs', '@@bob'],
    ['signs alone', '@ @. @- @!'],
    ['the beginning of another name', '@josé @jose\u0301 @bob1é @a-é'],
    ['an impossible host', '@bob@a..b @bob@x.123'],
    ['an endless name', `@${'x'.repeat(129)}`],
  ])('finds no handle in %s', (_case, text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['#tea', ['tag #tea']],
    ['#Tea, #tea2 (#a_b)', ['tag #Tea', 'tag #tea2', 'tag #a_b']],
    ['#2024w #_x', ['tag #2024w', 'tag #_x']],
    ['#日本語。#Größe', ['tag #日本語', 'tag #Größe']],
    ['#हिन्दी', ['tag #हिन्दी']],
    ["#bob's #a-b #a.b", ['tag #bob', 'tag #a', 'tag #a']],
    ['#love❤️', ['tag #love']],
    ['#Paral·lel #日本・東京 #a··b', ['tag #Paral·lel', 'tag #日本・東京', 'tag #a··b']],
    ['#tea· #·tea #tea・', ['tag #tea', 'tag #tea']],
    [`#${'x'.repeat(128)}`, [`tag #${'x'.repeat(128)}`]],
    ['#می\u200Cخواهم #tea\u200Cpot #چای\u200C', ['tag #می\u200Cخواهم', 'tag #tea', 'tag #چای']],
  ])('finds the hashtags in %j', (text, pieces) => {
    expect(found(text)).toEqual(pieces);
  });

  it.each([
    ['digits only', '#1 #2024 #1_2'],
    ['no letter', '# #_ #- #!'],
    ['a letter before', 'a#tea 日#tea'],
    ['a path or an entity', '/#tea &#xA9; &#tea'],
    ['two signs', '##tea'],
    ['a keycap', '#\uFE0F\u20E3'],
    ['an endless name', `#${'x'.repeat(129)}`],
  ])('finds no hashtag in %s', (_case, text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['https://x.example', ['link https://x.example']],
    ['HTTP://X.example/A', ['link HTTP://X.example/A']],
    ['https://x.example/a?b=1&c=2#d', ['link https://x.example/a?b=1&c=2#d']],
    ['see https://x.example/a.', ['link https://x.example/a']],
    ['https://x.example/a?!.,:;…', ['link https://x.example/a']],
    ['https://x.example/a, https://y.example/b', ['link https://x.example/a', 'link https://y.example/b']],
    ['(https://x.example/a)', ['link https://x.example/a']],
    ['https://x.example/A_(b)', ['link https://x.example/A_(b)']],
    ['(https://x.example/A_(b))', ['link https://x.example/A_(b)']],
    ['https://x.example/a(', ['link https://x.example/a']],
    ['[https://x.example/a](https://y.example)', ['link https://x.example/a', 'link https://y.example']],
    ['<https://x.example/a>"https://y.example"', ['link https://x.example/a', 'link https://y.example']],
    ['「https://x.example/あ」、https://y.example。', ['link https://x.example/あ', 'link https://y.example']],
    ['見てhttps://x.example', ['link https://x.example']],
    ['https://münchen.example/ü', ['link https://münchen.example/ü']],
    ['http://localhost:4000/x', ['link http://localhost:4000/x']],
    ['http://[::1]:4000/x', ['link http://[::1]:4000/x']],
    ['https://x.example/@bob#tea', ['link https://x.example/@bob#tea']],
    ['https://web.archive.example/https://x.example', ['link https://web.archive.example/https://x.example']],
    ['https://x.example/\u202Egpj.exe', ['link https://x.example/']],
    ['https://x.example/constructor(toString)', ['link https://x.example/constructor(toString)']],
  ])('finds the links in %j', (text, pieces) => {
    expect(found(text)).toEqual(pieces);
  });

  it.each([
    'https://m.example/@_x_',
    'https://m.example/@__x__',
    'https://x.example/a-',
    'https://x.example/?q=',
    'https://x.example/a=',
    'https://x.example/a/',
    'https://x.example/?a=1&',
    'https://x.example/c++',
    'https://x.example/#',
    'https://x.example/100%',
    'https://x.example/A_(b)',
    'https://x.example/a[1]',
    'https://x.example/%E3%81%82',
    'https://x.example/%20',
    'https://x.example/日本',
    'http://[::1]',
    'http://[::1]:4000',
  ])('finds the whole of %s, alone and in a sentence', (link) => {
    for (const around of ['', ' ', '.', ', a', '!', '?!', ':\n', '; a', '…', '。', '|', '*', '~~', '**', '\\\n']) {
      expect(found(`see ${link}${around}`)).toEqual([`link ${link}`]);
    }
    expect(found(`(${link}) "${link}" '${link}' 「${link}」`)).toEqual(Array(4).fill(`link ${link}`));
  });

  it.each([
    ['a full stop of another script', ['।', '؟', '،', '۔', '።', '。', '．', '｡', '､', '～', '〜', '：', '‽']],
    ['a dash', ['—', '–']],
    ['a sign that people put around it', ['*', '**', '~~', '|', "'", '"']],
    ['a bracket', [')', ']', '}', '(', '（', '）', '」', '】', '》', '>']],
    ['a backslash', ['\\', '\\\n', '\\_']],
  ])('ends a link before %s', (_case, signs) => {
    for (const sign of signs) {
      expect(found(`https://x.example/a${sign}`)).toEqual(['link https://x.example/a']);
      expect(found(`https://x.example${sign}`)).toEqual(['link https://x.example']);
    }
  });

  it.each([
    ['_https://x.example/a_', ['link https://x.example/a']],
    ['__https://x.example/a__ b', ['link https://x.example/a']],
    ['_https://x.example/a_b', ['link https://x.example/a_b']],
    [
      'https://x.example_ https://y.example-, https://z.example=',
      ['link https://x.example', 'link https://y.example', 'link https://z.example'],
    ],
  ])('leaves out the characters around the link in %j', (text, pieces) => {
    expect(found(text)).toEqual(pieces);
  });

  it.each([
    ['a bare scheme', 'http:// https://. http://)'],
    ['no host', 'http://?x http://#bob'],
    ['an impossible host', 'http://a..b:x/@bob http://%zz/#tea'],
    ['another scheme', 'javascript://x ftp://x data:text/html,x'],
    ['a letter before', 'xhttps://x'],
    ['a bare host', 'x.example/a www.x.example'],
  ])('finds no link in %s', (_case, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('normalizeTag', () => {
  it.each([
    ['Tea', 'tea'],
    ['GRÖSSE', 'grösse'],
    ['cafe\u0301', 'café'],
    ['日本', '日本'],
  ])('%s is %s', (name, normal) => {
    expect(normalizeTag(name)).toBe(normal);
  });
});
