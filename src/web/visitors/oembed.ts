import { type Static, Type } from 'typebox';
import { Described, escapeHtml, Nullable } from '../../common/index.js';
import { excerpt, type ShownStatus } from '../parts/shown.js';

const WIDTH = 400;
const TEXT_LENGTH = 500;
const CACHE_SECONDS = 86_400;

/** A post for other sites (oEmbed 1.0). */
export const OembedShape = Type.Object(
  {
    type: Described(Type.Literal('rich'), 'The type of the answer: always HTML.'),
    version: Described(Type.Literal('1.0'), 'The version of oEmbed.'),
    title: Described(Type.String(), 'The beginning of the text, or the content warning.'),
    author_name: Described(Type.String(), 'The name of the author.'),
    author_url: Described(Type.String(), 'The address of the profile of the author.'),
    provider_name: Described(Type.String(), 'The name of the server.'),
    provider_url: Described(Type.String(), 'The address of the server.'),
    cache_age: Described(Type.Integer(), 'How long the answer may be cached, in seconds.'),
    html: Described(Type.String(), 'The HTML to embed.'),
    width: Described(Type.Integer(), 'The width of the HTML in pixels.'),
    height: Described(Nullable(Type.Integer()), 'The height in pixels: always null, since it depends on the text.'),
  },
  { additionalProperties: false, title: 'Oembed' },
);

export type OembedJson = Static<typeof OembedShape>;

/** A post as another site embeds it (oEmbed 1.0, type rich). A post with a content warning shows only the warning. */
export function oembedOf({ author, warning, text, url }: ShownStatus, site: { name: string; url: string }): OembedJson {
  const words = excerpt(warning || text, TEXT_LENGTH);
  const [link, name] = [escapeHtml(url), escapeHtml(author.name)];
  return {
    type: 'rich',
    version: '1.0',
    title: words,
    author_name: author.name,
    author_url: author.url,
    provider_name: site.name,
    provider_url: site.url,
    cache_age: CACHE_SECONDS,
    html: `<blockquote cite="${link}"><p>${escapeHtml(words)}</p><footer><a href="${link}">${name}</a></footer></blockquote>`,
    width: WIDTH,
    height: null,
  };
}

/** The address for other sites. */
export const oembedUrl = (postUrl: string): string => `/api/oembed?url=${encodeURIComponent(postUrl)}`;
