import { formatText, type TextResolver } from './format.js';
import { withoutFormatting } from './html.js';
import { POST_FORMATS } from './markup.js';
import { formatFieldValue } from './profile.js';
import { isLinkable, sanitizeFieldValue, sanitizeHtml, stripTags } from './sanitize.js';
import { scan } from './scan.js';

const resolver: TextResolver = {
  mention: ({ username, domain = 'a.example' }) => ({
    accountId: `id-${username}`,
    url: `https://${domain}/users/${username}`,
    username,
  }),
  baseUrl: 'https://a.example',
};

const ELEMENTS = 'a|abbr|b|blockquote|br|code|del|em|i|img|li|ol|p|pre|rb|rp|rt|rtc|ruby|span|strong|sub|sup|u|ul';
const ATTRIBUTES = 'href|data-user|data-tag|class|rel|name|title|src|width|height|alt|value|start|reversed|lang';
const ALLOWED_TAG = new RegExp(`^</?(?:${ELEMENTS})(?: (?:${ATTRIBUTES})(?:="[^"<>]*")?)*>$`);

/** A grammar of the whole output, stricter than any parser: other output could contain more than the allowed elements. */
function offences(html: string): string[] {
  const parts = html.match(/<[^>]*>?|[^<]+/g) ?? [];
  const tags = parts.filter((part) => part.startsWith('<'));
  const urls = tags.flatMap((tag) => Array.from(tag.matchAll(/ (?:href|src)="([^"]*)"/g), ([, url = '']) => url));
  return [
    ...tags.filter((tag) => !ALLOWED_TAG.test(tag)),
    ...parts.filter((part) => !part.startsWith('<') && part.includes('>')),
    ...urls.filter((url) => !isLinkable(url.replaceAll('&amp;', '&'))),
  ];
}

const SCRIPTS: readonly string[] = [
  // elements
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/x>alert(1)</script\t\n>',
  '<script',
  '<script><!--</script><img src=x onerror=alert(1)>-->',
  '<img src=x onerror=alert(1)>',
  '<img src="https://x.example/a" onerror="alert(1)" onload=alert(1)>',
  '<img/src="https://x.example/a"/onerror="alert(1)">',
  '<img src=`x`onerror=alert(1)>',
  '<image src=x onerror=alert(1)>',
  '<img srcset="https://x.example/a, javascript:alert(1)">',
  '<svg onload=alert(1)><g/onload=alert(1)></svg>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate attributeName=href values=javascript:alert(1) /></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><title><a title="</title><img src=x onerror=alert(1)>"></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math href="javascript:alert(1)">x</math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<iframe><p></iframe><img src=x onerror=alert(1)>',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  '<embed src="javascript:alert(1)">',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<form action="https://evil.example"><input name=password><button formaction="javascript:alert(1)">x</button></form>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<style><style/><img src=x onerror=alert(1)>',
  '<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<body onload=alert(1)><html onclick=alert(1)>',
  '<template><img src=x onerror=alert(1)></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<noembed><img title="</noembed><img src=x onerror=alert(1)>"></noembed>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<xmp><img title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<title><img title="</title><img src=x onerror=alert(1)>"></title>',
  '<select><option><img src=x onerror=alert(1)></option></select>',
  '<x onclick=alert(1)>x</x><p:script>x</p:script>',
  // attributes
  '<p onclick="alert(1)" style="background:url(javascript:alert(1))">x</p>',
  '<p/onclick=alert(1)//>x',
  '<a title="\'&quot;><img src=x onerror=alert(1)>">x</a>',
  "<a title='\"><img src=x onerror=alert(1)>'>x</a>",
  '<a title="x"onclick="alert(1)">x</a>',
  '<a title=x/onclick=alert(1)>x</a>',
  '<a =x"><img src=x onerror=alert(1)>">x</a>',
  '<a "><img src=x onerror=alert(1)>">x</a>',
  '<a __proto__="x" constructor="y" hasOwnProperty="z">x</a>',
  '<abbr title="&lt;img src=x onerror=alert(1)&gt;">x</abbr>',
  '<span class="h-card&quot;onclick=&quot;alert(1)">x</span>',
  // links
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="java&Tab;script&colon;alert(1)">x</a>',
  '<a href="&#x6A;avascript:alert(1)">x</a>',
  '<a href="&#0000106avascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="javascript&#58;alert(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="//evil.example">x</a><a href="\\\\evil.example">y</a>',
  '<a href="https://x.example/&quot;onmouseover=&quot;alert(1)">x</a>',
  '<a href="https://x.example/"><a href="javascript:alert(1)">x</a></a>',
  // parsing
  '<<img src=x onerror=alert(1)>',
  '<img src=x onerror=alert(1)//',
  '</p/><img src=x onerror=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- --!><img src=x onerror=alert(1)>',
  '<!doctype [<img src=x onerror=alert(1)>]>',
  '<?xml <img src=x onerror=alert(1)>?>',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '&amp;lt;script&amp;gt;',
  '<\u0000script>alert(1)</script>',
  '<p>\uFF1Cscript\uFF1Ealert(1)',
  '</textarea><script>alert(1)</script>',
  '\u2028<img src=x onerror=alert(1)>\u2029',
  // handles, hashtags and links that carry markup
  '@bob@x.example"><img src=x onerror=alert(1)>',
  '#tag"><img src=x onerror=alert(1)>',
  'https://x.example/"><img src=x onerror=alert(1)>',
  "https://x.example/'onmouseover='alert(1)",
  'https://x.example/<script>alert(1)</script>',
  '<p title="@bob #tea https://x.example">@bob</p>',
  // the other formats
  '[x](javascript:alert(1)) [x](JAVASCRIPT:alert(1)) [x](data:text/html,x) [x](<javascript:alert(1)>)',
  '[x](java&Tab;script:alert(1)) ![x](javascript:alert(1)) <javascript:alert(1)>',
  '[x](https://x.example "\\"><img src=x onerror=alert(1)>")',
  '![x" onerror="alert(1)](https://x.example/a)',
  '![x](https://x.example/a"onerror="alert(1))',
  '[x]\n\n[x]: javascript:alert(1)',
  '``` "><img src=x onerror=alert(1)>\nx\n```',
  '`<img src=x onerror=alert(1)>`',
  '[url=javascript:alert(1)]x[/url] [url="java\tscript:alert(1)"]x[/url]',
  '[url=https://x.example/"onclick="alert(1)]x[/url]',
  '[url=https://x.example/><img src=x onerror=alert(1)>]x[/url]',
  '[code]<img src=x onerror=alert(1)>[/code][b]<script>[/b]',
];

describe('markup with scripts', () => {
  it.each(SCRIPTS)('is harmless after sanitising: %j', (source) => {
    const outputs = [
      sanitizeHtml(source),
      sanitizeFieldValue(source),
      withoutFormatting(sanitizeHtml(source)),
      formatFieldValue(source),
      ...POST_FORMATS.map((type) => formatText(source, type, resolver).html),
    ];
    expect(outputs.flatMap(offences)).toEqual([]);
  });

  it('does not match the grammar of these tests', () => {
    const escaped = [
      '<script>',
      '<p onclick="x">',
      '<a href="javascript:x">',
      'a > b',
      '<p',
      '<br />',
      '<img src="/x">',
    ];
    expect(escaped.filter((html) => offences(html).length === 0)).toEqual([]);
  });

  it('is removed without the text around it', () => {
    const html = sanitizeHtml(`<p>before</p>${SCRIPTS[0] ?? ''}<p>after</p>`);
    expect(html).toBe('<p>before</p><p>after</p>');
  });
});

/** A careless parser needs quadratic time or a deep stack for each of these. */
const SEEDS: readonly string[] = [
  ...['a', '@', '@a', '@a@', '@a@b', '@a@b.', '@a.', '@.', 'a@', '@a@b:1', '#', '#a', '#1', '#_', '##'],
  ...[
    'http://',
    'https://a',
    'https://a.',
    'https://a(',
    'https://a)',
    'https://a]',
    'https://(',
    'http:',
    'https://a ',
    'https://a/_',
    'https://a-',
  ],
  ...['(', ')', '[', ']', '[](', '[a](', '![', '![a](', '[a]:', '[a]: b\n', '[a\n', '[=', '<http://', '<a@b.c'],
  ...[
    '*',
    '**a',
    '*a ',
    '_',
    '_a',
    '*_',
    '_*a',
    '_a #b_ ',
    '\\#a ',
    '~~',
    '~~a',
    '`',
    '`a',
    '\\',
    '"',
    '|',
    '> ',
    '- ',
    '- a\n',
    '1. ',
    '    ',
  ],
  ...['a\n=\n', '# ', '```\n', '\n', '\r', '\t', ':', ':a', ':a:', '!', '&', '&#', '&amp;', '&amp'],
  ...['[b]', '[/b]', '[b', '[b=', '[code]', '[url=', '[url=https://x]', '[quote]', '[b][i]', '[/b][i]'],
  ...[
    '<',
    '<a',
    '<a ',
    '<a href="',
    '<b>',
    '</b>',
    '<b></i>',
    '<p>',
    '</p>',
    '<li>',
    '<ul><li>',
    '<a><b>',
    '<p><b>',
    '<img>',
  ],
  ...[
    '<!--',
    '<!',
    '<?',
    '<![CDATA[',
    '<script>',
    '<style>',
    '<title>',
    '<iframe>',
    '<noscript></p>',
    '<svg>',
    '<svg><p>',
  ],
  ...['\u200B', '\u0301', 'e\u0301', '😀', '\u202E', '。', '\uD83D', '日'],
];

describe.each(SEEDS)('H16 40 KB of %j', (seed) => {
  const source = seed.repeat(Math.floor(40_000 / seed.length));

  it('is scanned to its end', () => {
    expect(scan(source).reduce((length, piece) => length + piece.text.length, 0)).toBe(source.length);
  });

  it.each(POST_FORMATS)('is formatted cleanly as %s', (type) => {
    expect(offences(formatText(source, type, resolver).html)).toEqual([]);
  });

  it('is sanitised and stripped', () => {
    expect(offences(sanitizeHtml(source))).toEqual([]);
    expect(stripTags(source).length).toBeLessThanOrEqual(source.length);
  });
});
