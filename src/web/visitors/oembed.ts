import { type Static, Type } from 'typebox';
import { escapeHtml, Nullable } from '../../common/index.js';
import { excerpt, type ShownStatus } from '../parts/shown.js';

const WIDTH = 400;
const TEXT_LENGTH = 500;
const CACHE_SECONDS = 86_400;

/** A post for other sites (oEmbed 1.0). */
export const OembedShape = Type.Object(
  {
    type: Type.Literal('rich'),
    version: Type.Literal('1.0'),
    title: Type.String(),
    author_name: Type.String(),
    author_url: Type.String(),
    provider_name: Type.String(),
    provider_url: Type.String(),
    cache_age: Type.Integer(),
    html: Type.String(),
    width: Type.Integer(),
    height: Nullable(Type.Integer()),
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
