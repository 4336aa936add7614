import type { PreviewCardJson } from './preview-card.shape.js';
import type { PageCard } from '../model/page-card.js';

/** The page that a post shows, as it is read from the database. */
export interface PreviewCardRow {
  readonly url: string;
  readonly preview: PageCard;
}

/** The column `card` of statements: of the status with this id, null when there is nothing to show. */
export function cardOf(statusId: string): string {
  return `(select json_build_object('url', c.url, 'preview', c.preview) from status_cards k join cards c on c.id = k.card_id
    where k.status_id = ${statusId} and c.preview is not null)`;
}

/** Tags of pages that name files. */
const FILE_TAG = /^og:(?:image|video|audio)(?::url|:secure_url)?$/;

/** A card under the brand's name for what is our own. People load its files where `fileUrl` says. */
export function cardJson({ url, preview }: PreviewCardRow, brand: string, fileUrl: (url: string) => string): object {
  const { opengraph: tags, image, ...shown } = preview;
  const opengraph = Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [name, FILE_TAG.test(name) ? fileUrl(value) : value]),
  );
  const { svc, ...rest } = {
    ...shown,
    image: image && fileUrl(image),
    url,
    type: 'link',
    provider_url: new URL(url).origin,
    html: '',
    embed_url: '',
    blurhash: null,
    svc: { opengraph },
  } satisfies PreviewCardJson;
  return { ...rest, [brand]: svc };
}
