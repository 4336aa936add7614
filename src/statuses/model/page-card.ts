import { knownUrl, parseUrl } from '../../platform/index.js';
import { cleanText, type PageMeta, readPage } from '../../common/index.js';

/** The stored preview of a page: plain text, and http and https URLs (threat S11). */
export interface PageCard {
  readonly title: string;
  readonly description: string;
  readonly author_name: string;
  readonly author_url: string;
  readonly provider_name: string;
  readonly width: number;
  readonly height: number;
  readonly image: string | null;
  readonly image_description: string;
  /** The page's Open Graph tags by name. */
  readonly opengraph: Readonly<Record<string, string>>;
}

/** What a card shows of an account in place of what its page says of the author. */
export type CardAuthor = Pick<PageCard, 'author_name' | 'author_url'>;

/** An account that a page names as its author. */
export interface NamedAuthor {
  readonly accountId: string;
  /** The host of the page. */
  readonly host: string;
}

/** A page's oEmbed response of any type. Its markup is never used. */
export type Oembed = Readonly<Record<string, unknown>>;

const MAX_URL = 2_048;
const MAX_TITLE = 500;
const MAX_DESCRIPTION = 2_000;
const MAX_TAGS = 50;
const MAX_SIDE = 100_000;
/** Open Graph tags whose content is an address. */
const ADDRESS_TAG = /^og:(?:image|video|audio|logo|see_also|.*(?:url|iframe))$/;
/** A link without a class, in canonical HTML: mentions and hashtags carry one. */
const PLAIN_LINK = /<a(?![^>]*\sclass=")[^>]*\shref=/;
const NAMES_SOMETHING = /(?:^|\s)(?:mention|hashtag)(?:\s|$)/;
const IS_TAG = /(?:^|\s)tag(?:\s|$)/;

/** Whether canonical HTML has a link that is neither a mention nor a hashtag. */
export function hasPageLink(html: string): boolean {
  return PLAIN_LINK.test(html);
}

/**
 * The first page that a post links to, apart from mentions and hashtags. Undefined also when the page is on `ownHost`.
 */
export async function firstLink(html: string, ownHost: string): Promise<string | undefined> {
  let found: string | undefined;
  await readPage(html, {
    open(name, { href, class: names = '', rel = '' }) {
      if (found !== undefined || name !== 'a' || NAMES_SOMETHING.test(names) || IS_TAG.test(rel)) return;
      const url = linkedPage(href);
      if (url !== undefined && knownUrl(url).host !== ownHost) found = url;
    },
  });
  return found;
}

/** The page of a link, by which its card is stored: without the place in the page. Undefined for anything else. */
export function linkedPage(href: string | undefined): string | undefined {
  return webUrl(href)?.replace(/#.*$/s, '');
}

/** The preview of a page; null when the page has no title. */
export function previewOf(pageUrl: string, { title, meta }: PageMeta, oembed: Oembed): PageCard | null {
  const first = (...names: string[]) => names.map((name) => meta.get(name)).find((value) => value?.trim()) ?? '';
  const shown = plain(first('og:title', 'twitter:title') || title || textOf(oembed, 'title'), MAX_TITLE);
  if (shown === '') return null;
  const image = first('og:image:secure_url', 'og:image', 'twitter:image') || textOf(oembed, 'thumbnail_url');
  return {
    title: shown,
    description: plain(first('og:description', 'twitter:description', 'description'), MAX_DESCRIPTION),
    author_name: plain(textOf(oembed, 'author_name') || first('author'), MAX_TITLE),
    author_url: webUrl(textOf(oembed, 'author_url'), pageUrl) ?? '',
    provider_name:
      plain(first('og:site_name') || textOf(oembed, 'provider_name'), MAX_TITLE) || knownUrl(pageUrl).hostname,
    width: side(first('og:image:width')),
    height: side(first('og:image:height')),
    image: image === '' ? null : (webUrl(image, pageUrl) ?? null),
    image_description: plain(first('og:image:alt', 'twitter:image:alt'), MAX_DESCRIPTION),
    opengraph: opengraphOf(meta, pageUrl),
  };
}

/** Texts, and web addresses in full: tags for anything else are dropped. */
function opengraphOf(meta: ReadonlyMap<string, string>, pageUrl: string): Record<string, string> {
  const tags = [...meta].filter(([name]) => name.startsWith('og:')).slice(0, MAX_TAGS);
  return Object.fromEntries(
    tags.flatMap(([name, value]) => {
      const content = ADDRESS_TAG.test(name) ? webUrl(value, pageUrl) : textTag(value);
      return content === undefined ? [] : [[plain(name, MAX_TITLE), content]];
    }),
  );
}

/** The content of a tag that is no address; undefined for a text with a scheme that browsers execute. */
function textTag(value: string): string | undefined {
  const text = plain(value, MAX_DESCRIPTION);
  return /^(?:javascript|vbscript|data):/i.test(text) ? undefined : text;
}

/** Turns a text into one line without control characters. */
function plain(text: string, maxLength: number): string {
  return cleanText(text.replace(/[\s\p{Cc}]+/gu, ' ').trim(), { maxLength });
}

function textOf(object: Oembed, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}

/** Returns an http or https URL; undefined for anything else. */
export function webUrl(text: string | undefined, base?: string): string | undefined {
  const url = text ? parseUrl(text.trim(), base) : null;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return url && isWeb && url.username === '' && url.password === '' && url.href.length <= MAX_URL
    ? url.href
    : undefined;
}

function side(text: string): number {
  const pixels = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return pixels <= MAX_SIDE ? pixels : 0;
}
