import { type Static, Type } from 'typebox';
import { Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
const Url = Type.String({ pattern: String.raw`^https?://\S+$` });
const Side = Type.Integer({ minimum: 0 });

/** The preview of a page that a post links to (reference PreviewCard). Contains no markup. */
export const PreviewCardShape = Type.Object(
  {
    url: Url,
    title: Type.String({ minLength: 1 }),
    description: Type.String(),
    type: Type.Literal('link'),
    author_name: Type.String(),
    author_url: Type.String(),
    authors: Type.Array(Type.Object({ name: Type.String(), url: Type.String(), account: Type.Null() }, closed)),
    /** As the page's Open Graph tags name it. */
    language: Nullable(Type.String()),
    /** Not known: pages do not say it in their Open Graph tags. */
    published_at: Type.Null(),
    /** Shares by day, which are counted for hashtags only. */
    history: Type.Array(Type.Never(), { maxItems: 0 }),
    provider_name: Type.String(),
    provider_url: Url,
    html: Type.Literal(''),
    width: Side,
    height: Side,
    image: Nullable(Url),
    image_description: Type.String(),
    embed_url: Type.Literal(''),
    blurhash: Type.Null(),
    svc: Type.Object({ opengraph: Type.Record(Type.String(), Type.String()) }, closed),
  },
  { ...closed, title: 'Card' },
);
export type PreviewCardJson = Static<typeof PreviewCardShape>;

/** A card, or an empty object. */
export const PreviewCardOrNothingShape = Type.Union([PreviewCardShape, Type.Object({}, closed)], {
  title: 'PreviewCardOrNothing',
});
