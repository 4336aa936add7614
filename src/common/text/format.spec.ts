import { findMentions, formatText, type TextResolver } from './format.js';
import type { PostFormat } from './markup.js';
import type { Handle } from './scan.js';

/** Finds every account except `nobody`; ids are easy to read. */
const resolver: TextResolver = {
  mention({ username, domain }) {
    if (username === 'nobody') return undefined;
    const acct = domain === undefined ? username : `${username}@${domain}`;
    return { accountId: `id-${acct}`, url: `https://${domain ?? 'a.example'}/users/${username}`, username, acct };
  },
  baseUrl: 'https://a.example',
};

const format = (source: string, type: PostFormat = 'text/plain') => formatText(source, type, resolver);
const htmlOf = (source: string, type: PostFormat = 'text/plain') => format(source, type).html;

const mention = (name: string, id = name, host = 'a.example') =>
  `<span class="h-card"><a class="u-url mention" data-user="id-${id}" href="https://${host}/users/${name}" rel="ugc">@<span>${name}</span></a></span>`;
const tag = (shown: string, name = shown) =>
  `<a class="mention hashtag" data-tag="${name}" href="https://a.example/tag/${encodeURIComponent(name)}" rel="tag ugc">#<span>${shown}</span></a>`;
const paragraph = (html: string) => (html === '' ? '' : `<p>${html}</p>`);
const link = (url: string, text = url) => `<a href="${url}" rel="ugc">${text}</a>`;

describe('formatText', () => {
  it('returns everything that it found', () => {
    expect(format('Hi @zoe@B.example and @bob!\n#Birds https://x.example/a @bob #birds')).toEqual({
      html: `<p>Hi ${mention('zoe', 'zoe@b.example', 'b.example')} and ${mention('bob')}!<br>${tag('Birds', 'birds')} ${link('https://x.example/a')} ${mention('bob')} ${tag('birds')}</p>`,
      text: 'Hi @zoe and @bob!\n#Birds https://x.example/a @bob #birds',
      mentions: ['id-zoe@b.example', 'id-bob'],
      leading: [],
      tags: ['birds'],
    });
  });

  it('counts an account once in all spellings', () => {
    const zoe = { accountId: '7', url: 'https://a.example/users/zoe', username: 'zoe' };
    const { html, mentions } = formatText('@ZOE @zoe@a.example', 'text/plain', { ...resolver, mention: () => zoe });
    expect(mentions).toEqual(['7']);
    expect(html.match(/@<span>zoe<\/span>/g)).toHaveLength(2);
  });

  it('counts hyphens to a name where an account has it', () => {
    const known = (names: string[]) => ({
      ...resolver,
      mention: (handle: Handle) => (names.includes(handle.username) ? resolver.mention(handle) : undefined),
    });
    const mentionsOf = (source: string, ...names: string[]) => {
      const { mentions, leading, text } = formatText(source, 'text/plain', known(names));
      expect([text, leading]).toEqual([source, mentions]);
      return mentions;
    };
    expect(findMentions('@bob- hi', 'text/plain').map(({ username }) => username)).toEqual(['bob-', 'bob']);
    expect(mentionsOf('@bob- hi', 'bob', 'bob-')).toEqual(['id-bob-']);
    expect(mentionsOf('@bob--, hi', 'bob', 'bob-')).toEqual(['id-bob']);
    expect(mentionsOf('@bob- hi')).toEqual([]);
  });

  it('links no mention to an address that is not linkable', () => {
    const evil = { accountId: '7', url: 'javascript:x()', username: 'zoe' };
    expect(formatText('@zoe', 'text/plain', { ...resolver, mention: () => evil }).html).toBe(
      '<p><span class="h-card"><a class="u-url mention" data-user="7" rel="ugc">@<span>zoe</span></a></span></p>',
    );
  });

  describe('text/plain', () => {
    it.each([
      ['nothing', '', ''],
      ['HTML is text', '<b>a</b> & "b"', '&lt;b&gt;a&lt;/b&gt; &amp; "b"'],
      ['lines of all systems', 'a\nb\r\nc\rd', 'a<br>b<br>c<br>d'],
      ['paragraphs', 'a\r\n\r\nb\n\n\nc\n', 'a</p><p>b</p><p>c'],
      ['a hashtag at the end', 'tea\n\n#tea', `tea</p><p>${tag('tea')}`],
      ['markup of other formats is text', '**a** [b]c[/b]', '**a** [b]c[/b]'],
      ['a link with parameters', 'https://x.example/?a=1&b="2"', `${link('https://x.example/?a=1&amp;b=')}"2"`],
      ['an unknown handle', '@nobody and @nobody@x.example', '@nobody and @nobody@x.example'],
      ['a handle in an address', 'https://x.example/@bob#tea', link('https://x.example/@bob#tea')],
      ['an e-mail address', 'bob@x.example', 'bob@x.example'],
      ['a hashtag of another script', '#日本', tag('日本')],
      ['shortcodes stay', ':a_b: :tea:', ':a_b: :tea:'],
      ['right-to-left text stays', 'שלום \u202Eabc', 'שלום \u202Eabc'],
    ])('%s', (_case, source, html) => {
      expect(htmlOf(source)).toBe(paragraph(html));
    });
  });

  describe('text/html', () => {
    it.each([
      ['clean markup is unchanged', '<p>a <b>b</b></p>', '<p>a <b>b</b></p>'],
      ['texts are linked', '<p>@bob <i>#tea</i></p>', `<p>${mention('bob')} <i>${tag('tea')}</i></p>`],
      ['a link across an entity', 'https://x.example/?a=1&amp;b=2', link('https://x.example/?a=1&amp;b=2')],
      [
        'links are unchanged',
        '<a href="https://x.example">@bob https://y.example</a> @bob',
        `<a href="https://x.example" rel="ugc">@bob https://y.example</a> ${mention('bob')}`,
      ],
      [
        'code and its content are unchanged',
        '<code>@bob</code><pre>#tea <b>#tea</b></pre>#tea',
        `<p><code>@bob</code></p><pre>#tea <b>#tea</b></pre><p>${tag('tea')}</p>`,
      ],
      ['scripts are removed', 'a<script>@bob</script>b', 'ab'],
      ['handlers are removed', '<p onclick="x()">#tea</p>', `<p>${tag('tea')}</p>`],
      ['broken markup is repaired first', '<b>#tea <i>@bob', `<b>${tag('tea')} <i>${mention('bob')}</i></b>`],
      ['escaped markup stays text', '&lt;b&gt;@bob', `&lt;b&gt;${mention('bob')}`],
    ])('%s', (_case, source, html) => {
      expect(htmlOf(source, 'text/html')).toBe(html.startsWith('<p>') ? html : paragraph(html));
    });

    it('counts no mention in the markup of the author', () => {
      const { mentions } = format(
        '<a class="u-url mention" data-user="id-bob" href="https://a.example/users/bob">@bob</a>',
        'text/html',
      );
      expect(mentions).toEqual([]);
    });
  });

  describe('text/markdown', () => {
    it.each([
      ['emphasis', '*a* **b** ~~c~~ `d`', '<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>'],
      ['a newline is a line', 'a\nb\n\nc', '<p>a<br>b</p><p>c</p>'],
      ['a heading is a bold paragraph', '# a\n## b', '<p><strong>a</strong></p><p><strong>b</strong></p>'],
      ['lists and quotes', '- a\n- b\n\n> c', '<ul><li>a</li><li>b</li></ul><blockquote><p>c</p></blockquote>'],
      ['a list that starts later', '3. a', '<ol start="3"><li>a</li></ol>'],
      ['code', '```js\n@bob <b>\n\n#tea\n```', '<pre><code>@bob &lt;b&gt;\n\n#tea\n</code></pre>'],
      ['handles in code', '`@bob`', '<p><code>@bob</code></p>'],
      ['HTML is text', '<b>a</b><script>x</script>', '<p>&lt;b&gt;a&lt;/b&gt;&lt;script&gt;x&lt;/script&gt;</p>'],
      ['tables are text', '|a|\n|-|\n|b|', '<p>|a|<br>|-|<br>|b|</p>'],
      ['a hashtag is no heading', '#tea', `<p>${tag('tea')}</p>`],
      [
        'underscores in handles',
        '@a_b_c @_x_ @__init__',
        `<p>${mention('a_b_c')} ${mention('_x_')} ${mention('__init__')}</p>`,
      ],
      ['underscores in far handles', '@_a_@b.example', `<p>${mention('_a_', '_a_@b.example', 'b.example')}</p>`],
      ['underscores in hashtags', '#_a_', `<p>${tag('_a_')}</p>`],
      ['underscores in shortcodes', ':_a_: :b_c:', '<p>:_a_: :b_c:</p>'],
      ['italic hashtags', '_#p #q_ #r_', `<p><em>${tag('p')} ${tag('q')}</em> ${tag('r_')}</p>`],
      [
        'bold hashtags',
        '__a #p__ **#q** ~~#r_~~',
        `<p><strong>a ${tag('p')}</strong> <strong>${tag('q')}</strong> <del>${tag('r_')}</del></p>`,
      ],
      ['bold italic hashtags', '_a __#p___', `<p><em>a <strong>${tag('p')}</strong></em></p>`],
      ['italic handles', '_Hi @zoe_ *@bob*', `<p><em>Hi ${mention('zoe')}</em> <em>${mention('bob')}</em></p>`],
      ['italic links', '_a https://x.example/b_', `<p><em>a ${link('https://x.example/b')}</em></p>`],
      ['italic shortcodes', '_a :b_c:_', '<p><em>a :b_c:</em></p>'],
      ['an end of no beginning', 'a _ b a_b #q_ @_x_', `<p>a _ b a_b ${tag('q_')} ${mention('_x_')}</p>`],
      ['italics that have ended', '_a_ #q_ @x_', `<p><em>a</em> ${tag('q_')} ${mention('x_')}</p>`],
      [
        'italics around a named link',
        '_a [#q_](https://x.example)_',
        `<p><em>a ${link('https://x.example', '#q_')}</em></p>`,
      ],
      [
        'a link that ends in underscores',
        'https://m.example/@_x_ https://m.example/__',
        `<p>${link('https://m.example/@_x_')} ${link('https://m.example/__')}</p>`,
      ],
      ['a link with escapes', 'https://x.example/\\_a\\_\\*', `<p>${link('https://x.example/_a_')}*</p>`],
      ['a line break after a link', 'https://x.example/a\\\nb', `<p>${link('https://x.example/a')}<br>b</p>`],
      ['escaped hashtags', '\\#x \\##x a\\#x \\# x', '<p><span>#</span>x <span>##</span>x a<span>#</span>x # x</p>'],
      [
        'escaped handles',
        '\\@bob \\@bob@b.example \\@@bob',
        '<p><span>@</span>bob <span>@</span>bob@b.example <span>@@</span>bob</p>',
      ],
      ['escaped shortcodes', '\\:tea: :tea\\: \\: a', '<p><span>:</span>tea: :tea<span>:</span> <span>:</span> a</p>'],
      ['escaped links', 'https\\://x.example', '<p>https<span>:</span>//x.example</p>'],
      ['an escaped backslash', '\\\\#x \\\\@bob', `<p>\\${tag('x')} \\${mention('bob')}</p>`],
      [
        'an escape in the words of an image',
        '![\\#a](https://x.example/a.png)',
        '<p><img src="https://x.example/a.png" alt="#a"></p>',
      ],
      ['an escape in italics', '_\\#x_', '<p><em><span>#</span>x</em></p>'],
      [
        'code in backticks',
        '``a ` #x @bob`` `:tea: https://x.example`',
        '<p><code>a ` #x @bob</code> <code>:tea: https://x.example</code></p>',
      ],
      ['code that is none', '\\`@bob`', `<p>` + '`' + mention('bob') + '`</p>'],
      ['markup in links', 'https://x.example/_a_*b*c', `<p>${link('https://x.example/_a_*b*c')}</p>`],
      [
        'emphasis around all of them',
        '**@bob** _#tea_ *https://x.example* _@bob_',
        `<p><strong>${mention('bob')}</strong> <em>${tag('tea')}</em> <em>${link('https://x.example')}</em> <em>${mention('bob')}</em></p>`,
      ],
      [
        'links',
        '[a *b*](https://x.example "t") <https://y.example>',
        '<p><a title="t" href="https://x.example" rel="ugc">a <em>b</em></a> ' + `${link('https://y.example')}</p>`,
      ],
      ['a handle as a link’s text', '[@bob](https://x.example)', `<p>${link('https://x.example', '@bob')}</p>`],
      [
        'a link as a link’s text',
        '[https://a_b_.example](https://x.example)',
        `<p>${link('https://x.example', 'https://a_b_.example')}</p>`,
      ],
      ['a relative link', '[a](/b)', '<p><a rel="ugc">a</a></p>'],
      ['a scripted link', '[a](javascript:x)', '<p>[a](javascript:x)</p>'],
      ['an image', '![a](https://x.example/a.png)', '<p><img src="https://x.example/a.png" alt="a"></p>'],
      ['an image of no web address', '![a](/a.png)', '<p></p>'],
      ['an escape', '\\*a\\* \\<b>', '<p>*a* &lt;b&gt;</p>'],
      ['entities', '&lt;b&gt; &copy; &#64;bob', `<p>&lt;b&gt; © ${mention('bob')}</p>`],
    ])('%s', (_case, source, html) => {
      expect(htmlOf(source, 'text/markdown')).toBe(html);
    });

    it('keeps its lines in the plain text', () => {
      expect(format('# a\n\nb *c*\nd\n\n- e\n- f', 'text/markdown').text).toBe('a\nb c\nd\ne\nf');
    });
  });

  describe('text/bbcode', () => {
    it.each([
      ['emphasis', '[b]a[/b][i]b[/i][u]c[/u][s]d[/s]', '<strong>a</strong><em>b</em><u>c</u><del>d</del>'],
      ['capitals', '[B]a[/b]', '<strong>a</strong>'],
      ['lines', 'a\nb', 'a<br>b'],
      ['HTML is text', '<b>a</b> & [b]<i>[/b]', '&lt;b&gt;a&lt;/b&gt; &amp; <strong>&lt;i&gt;</strong>'],
      ['a quote', '[quote]a[/quote] [quote=bob]b[/quote]', '<blockquote>a</blockquote> <blockquote>b</blockquote>'],
      [
        'code, without changes',
        '[code][b]@bob\n<i>[/b][/code] @bob',
        `<code>[b]@bob<br>&lt;i&gt;[/b]</code> ${mention('bob')}`,
      ],
      ['code without end', '[code]a [b]b', '<code>a [b]b</code>'],
      ['a link', '[url]https://x.example/a[/url]', `<span>${link('https://x.example/a')}</span>`],
      [
        'a named link',
        '[url=https://x.example/?a=1&b=2]@bob [b]a[/b][/url]',
        link('https://x.example/?a=1&amp;b=2', '@bob <strong>a</strong>'),
      ],
      ['a quoted link', '[url="https://x.example"]a[/url]', link('https://x.example', 'a')],
      [
        'a scripted link',
        '[url=javascript:x()]a[/url][url]javascript:x()[/url]',
        '<span>a</span><span>javascript:x()</span>',
      ],
      [
        'a link that breaks out',
        '[url=https://x.example/"onclick="x()]a[/url]',
        link('https://x.example/&quot;onclick=&quot;x()', 'a'),
      ],
      ['colours are dropped', '[color=red]a[/color]', '<span>a</span>'],
      [
        'what tags without looks enclose, apart from its neighbours',
        'see[url]https://x.example/a[/url]now[color=red]@bob[/color]by',
        `see<span>${link('https://x.example/a')}</span>now<span>${mention('bob')}</span>by`,
      ],
      ['unknown tags are text', '[img]a[/img] [b c] [] [/]', '[img]a[/img] [b c] [] [/]'],
      ['stray ends are text', 'a[/b]', 'a[/b]'],
      ['open tags end', '[b]a[i]b', '<strong>a<em>b</em></strong>'],
      ['crossed tags are repaired', '[b]a[i]b[/b]c[/i]', '<strong>a<em>b</em></strong>c[/i]'],
      ['texts are linked', '[b]@bob[/b] #tea', `<strong>${mention('bob')}</strong> ${tag('tea')}`],
    ])('%s', (_case, source, html) => {
      expect(htmlOf(source, 'text/bbcode')).toBe(html.startsWith('<blockquote>') ? html : paragraph(html));
    });

    it('limits the depth of nesting', () => {
      const html = htmlOf(`${'[b]'.repeat(100)}x`, 'text/bbcode');
      expect(html.match(/<strong>/g)).toHaveLength(32);
      expect(html).toContain('[b]x');
    });
  });
});

describe('findMentions', () => {
  it.each<[string, string, PostFormat, string[]]>([
    ['plain text', '@bob @zoe@B.example x@y.example', 'text/plain', ['bob@', 'zoe@b.example']],
    ['each handle once', '@bob @BOB @bob@x.example @bob@X.example', 'text/plain', ['bob@', 'bob@x.example']],
    ['punycode', '@bob@münchen.example @bob@xn--mnchen-3ya.example', 'text/plain', ['bob@xn--mnchen-3ya.example']],
    ['HTML', '<p title="@x">@bob</p><a href="https://x.example">@amy</a><script>@zoe</script>', 'text/html', ['bob@']],
    ['Markdown', '**@a_b_** `@zoe` [@amy](https://x.example)', 'text/markdown', ['a_b_@']],
    ['BBCode', '[b]@bob[/b] [code]@zoe[/code]', 'text/bbcode', ['bob@']],
    ['emphasis', '_@a @b_ **@c**', 'text/markdown', ['a@', 'b@', 'c@']],
    ['escapes', '\\@amy \\@zoe@b.example @bob', 'text/markdown', ['bob@']],
    ['escapes where there are none', '\\@amy', 'text/plain', ['amy@']],
    ['nothing', '', 'text/plain', []],
  ])('%s', (_case, source, type, handles) => {
    expect(findMentions(source, type).map(({ username, domain }) => `${username}@${domain ?? ''}`)).toEqual(handles);
  });

  it.each<[string, PostFormat]>([
    ['@bob @nobody@x.example', 'text/plain'],
    ['**@a_b** `@x` @c', 'text/markdown'],
    ['<b>@a</b> <code>@b</code>', 'text/html'],
    ['[b]@a[/b][code]@b[/code]', 'text/bbcode'],
  ])('finds the same handles as formatting: %j', (source, type) => {
    const asked: unknown[] = [];
    formatText(source, type, { ...resolver, mention: ({ username, domain }) => void asked.push({ username, domain }) });
    expect(asked.length).toBeGreaterThan(0);
    expect(findMentions(source, type)).toEqual(asked);
  });
});

describe('the tags of a text', () => {
  it.each<[string, string, PostFormat | undefined, string[]]>([
    ['plain text', '#B #a #b https://x.example/#c', undefined, ['b', 'a']],
    ['HTML', '<p>#a</p><code>#b</code>', 'text/html', ['a']],
    ['Markdown', '# heading #a\n`#b` \\#c _#d #e_', 'text/markdown', ['a', 'd', 'e']],
    ['BBCode', '[b]#a[/b]', 'text/bbcode', ['a']],
  ])('are found in %s', (_case, source, type, tags) => {
    expect(format(source, type).tags).toEqual(tags);
  });
});
