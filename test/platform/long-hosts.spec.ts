import { isStatusLongerThan, linksOfPage, sanitizeHtml, stripTags } from '../../src/common/index.js';
import { scan } from '../../src/common/text/scan.js';
import { parseActivity } from '../../src/federation/wire/activity.js';
import { parseAttachments } from '../../src/federation/wire/attachments.js';
import { parseObject } from '../../src/federation/wire/object.js';
import { firstLink, previewOf, webUrl } from '../../src/statuses/model/page-card.js';

/** The time of the URL parser grows with the square of such a name. */
const LONG = `https://${'漢'.repeat(2_000)}/`;
const MO = 'https://mo.example/users/mo';
const NOTE = { id: `${MO}/1`, type: 'Note', attributedTo: MO, content: 'tea' };
const IDN = 'https://bücher.example/';
const HREF = 'https://xn--bcher-kva.example/';
const many = (url: string, count: number) => Array.from({ length: count }, () => url);
const links = (url: string, count: number) => many(`<a href="${url}">x</a>`, count).join('');
const scanned = (url: string) => scan(many(url, 40).join(' ')).filter(({ kind }) => kind === 'link').length;
const ofPage = (url: string) =>
  linksOfPage(`<link rel="me" href="${url}">`.repeat(40), MO, { rel: 'me', elements: ['link'] });
const activity = (url: string) =>
  parseActivity({ id: `${MO}#1`, type: 'Like', actor: MO, object: [NOTE.id, ...many(url, 199)], to: many(url, 1_000) });
const preview = (url: string) =>
  previewOf(
    MO,
    {
      title: 'Tea',
      oembed: undefined,
      meta: new Map([
        ['og:image', url],
        ['og:url', url],
      ]),
    },
    { author_url: url },
  );

/** A reader, and what it makes of many addresses with an ordinary name of another script, and with a long one. */
const READERS: readonly (readonly [string, (url: string) => unknown, unknown, unknown])[] = [
  ['addressees', (url) => activity(url)?.to, [IDN], []],
  ['objects', (url) => activity(url)?.objects.length, 2, 1],
  ['the actor', (url) => parseActivity({ id: url, type: 'Like', actor: url, object: url })?.actorUri, IDN, undefined],
  [
    'attachments',
    (url) => parseAttachments(many(url, 32).map((href) => ({ type: 'Link', href, mediaType: 'image/png' }))).length,
    32,
    0,
  ],
  [
    'the page of a post',
    (url) => parseObject({ ...NOTE, id: `${IDN}1`, attributedTo: IDN, url })?.url ?? null,
    IDN,
    null,
  ],
  ['links of a text', scanned, 40, 0],
  ['the length of a text', (url) => isStatusLongerThan(1_000, many(url, 7).join(' ')), false, true],
  ['links of HTML', (url) => sanitizeHtml(links(url, 40)).match(/href/g)?.length ?? 0, 40, 0],
  ['HTML without tags', (url) => stripTags(links(url, 40)), 'x'.repeat(40), 'x'.repeat(40)],
  ['links of a page', ofPage, many(HREF, 40), []],
  [
    'the base of a page',
    (url) => linksOfPage(`<base href="${url}"><link rel="me" href="a">`, MO, { rel: 'me', elements: ['link'] }),
    [`${HREF}a`],
    ['https://mo.example/users/a'],
  ],
  ['the first link', (url) => firstLink(links(url, 40), 'our.example'), HREF, undefined],
  ['the address of a card', webUrl, HREF, undefined],
  ['a card', (url) => preview(url)?.image, HREF, null],
];

describe('addresses with a host that is too long', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(READERS)('F13 never reach the URL parser: %s', async (_case, read, ordinary, long) => {
    expect(await read(IDN)).toEqual(ordinary);
    const parsers = [jest.spyOn(URL, 'parse'), jest.spyOn(URL, 'canParse')];
    expect(await read(LONG)).toEqual(long);
    const parsed = parsers.flatMap(({ mock }) => mock.calls.map(([text]) => text));
    expect(parsed.filter((text) => text.includes('漢'.repeat(64)))).toEqual([]);
  });
});
