import { knownUrl } from '../../platform/index.js';
import { languageTag } from '../../common/index.js';
import type { PreviewCardJson } from './preview-card.shape.js';
import type { PageCard } from '../model/page-card.js';

/** The card of a post as read from the database. */
export interface PreviewCardRow {
  readonly url: string;
  readonly preview: PageCard;
}

/** Open Graph tags whose content is the URL of a file. */
const FILE_TAG = /^og:(?:image|video|audio)(?::url|:secure_url)?$/;

/**
 * Renders a card, with our own members under the brand. `fileUrl` maps the URLs of files, for example to the media
 * proxy.
 */
export function cardJson({ url, preview }: PreviewCardRow, brand: string, fileUrl: (url: string) => string): object {
  const { opengraph: tags, image, ...shown } = preview;
  const opengraph = Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [name, FILE_TAG.test(name) ? fileUrl(value) : value]),
  );
  const { svc, ...rest } = {
    ...shown,
    authors: authorsOf(preview),
    language: languageTag(tags['og:locale'] ?? '') ?? null,
    published_at: null,
    history: [],
    image: image && fileUrl(image),
    url,
    type: 'link',
    provider_url: knownUrl(url).origin,
    html: '',
    embed_url: '',
    blurhash: null,
    svc: { opengraph },
  } satisfies PreviewCardJson;
  return { ...rest, [brand]: svc };
}

function authorsOf({ author_name: name, author_url: url }: PageCard): PreviewCardJson['authors'] {
  return name === '' && url === '' ? [] : [{ name, url, account: null }];
}
