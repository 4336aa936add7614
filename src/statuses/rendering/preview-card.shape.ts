import { type Static, Type } from 'typebox';
import { Described, Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
const Url = Type.String({ pattern: String.raw`^https?://\S+$` });
const Side = Type.Integer({ minimum: 0 });

/** The preview of a page that a post links to (reference PreviewCard). Contains no markup. */
export const PreviewCardShape = Type.Object(
  {
    url: Described(Url, 'The address of the page.'),
    title: Described(Type.String({ minLength: 1 }), 'The title of the page.'),
    description: Described(Type.String(), 'The description of the page.'),
    type: Described(Type.Literal('link'), 'The kind of the preview: always a link.'),
    author_name: Described(Type.String(), 'The name of the author.'),
    author_url: Described(Type.String(), 'The address of the author.'),
    authors: Described(
      Type.Array(
        Type.Object(
          {
            name: Described(Type.String(), 'The name of the author.'),
            url: Described(Type.String(), 'The address of the author.'),
            account: Described(Type.Null(), 'The account of the author: always null.'),
          },
          closed,
        ),
      ),
      'The authors of the page.',
    ),
    /** As the page's Open Graph tags name it. */
    language: Described(Nullable(Type.String()), 'The language of the page; null if unknown.'),
    /** Not known: pages do not say it in their Open Graph tags. */
    published_at: Described(Type.Null(), 'When the page was published: always null.'),
    /** Shares by day, which are counted for hashtags only. */
    history: Described(Type.Array(Type.Never(), { maxItems: 0 }), 'The use of the link by day: always none.'),
    provider_name: Described(Type.String(), 'The name of the site.'),
    provider_url: Described(Url, 'The address of the site.'),
    html: Described(Type.Literal(''), 'HTML to embed: always empty.'),
    width: Described(Side, 'The width of the picture in pixels.'),
    height: Described(Side, 'The height of the picture in pixels.'),
    image: Described(Nullable(Url), 'The address of the picture; null for none.'),
    image_description: Described(Type.String(), 'The description of the picture.'),
    embed_url: Described(Type.Literal(''), 'The address of a photo to embed: always empty.'),
    blurhash: Described(Type.Null(), 'A blurred form of the picture: always null.'),
    svc: Described(
      Type.Object(
        {
          opengraph: Described(Type.Record(Type.String(), Type.String()), 'What the page says of itself (Open Graph).'),
        },
        closed,
      ),
      "Fields of this service's own.",
    ),
  },
  { ...closed, title: 'Card' },
);
export type PreviewCardJson = Static<typeof PreviewCardShape>;

/** A card, or an empty object. */
export const PreviewCardOrNothingShape = Type.Union([PreviewCardShape, Type.Object({}, closed)], {
  title: 'PreviewCardOrNothing',
});
