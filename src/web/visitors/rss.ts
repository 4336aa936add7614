import { element, type Xml, xmlDocument } from '../../common/index.js';
import { ATOM_NAMESPACE } from './atom.js';
import { entryHtml, type Feed, type FeedEntry } from './feed.js';
import type { ShownFile, ShownStatus } from '../parts/shown.js';

export const RSS = 'application/rss+xml';

/** A feed as RSS 2.0. The first file is the only enclosure that it allows; Media RSS lists all files. */
export function rss(feed: Feed): string {
  const { author, title, pageUrl } = feed;
  return xmlDocument(
    element(
      'rss',
      {
        version: '2.0',
        'xmlns:atom': ATOM_NAMESPACE,
        'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
        'xmlns:media': 'http://search.yahoo.com/mrss/',
      },
      element(
        'channel',
        {},
        element('title', {}, title),
        element('link', {}, pageUrl),
        element('description', {}, feed.subtitle || title),
        element('lastBuildDate', {}, date(feed.updatedAt)),
        element('generator', {}, feed.software),
        element('atom:link', { rel: 'self', href: feed.url, type: RSS }),
        feed.nextUrl !== undefined && element('atom:link', { rel: 'next', href: feed.nextUrl, type: RSS }),
        author &&
          element(
            'image',
            {},
            element('url', {}, author.avatar),
            element('title', {}, title),
            element('link', {}, pageUrl),
          ),
        feed.entries.map(item),
      ),
    ),
  );
}

function item(entry: FeedEntry): Xml {
  const { post, title, sizes } = entry;
  const [first] = post.files;
  return element(
    'item',
    {},
    element('title', {}, title),
    element('link', {}, post.url),
    element('guid', { isPermaLink: 'false' }, post.uri),
    element('pubDate', {}, date(post.createdAt)),
    element('dc:creator', {}, post.author.name),
    post.tags.map((tag) => element('category', {}, tag)),
    element('description', {}, entryHtml(post)),
    // RSS requires a length even if it is unknown.
    first && element('enclosure', { url: first.url, length: sizes.get(first.id) ?? 0, type: first.mimeType }),
    post.files.map((file) => media(post, file, sizes)),
  );
}

function media({ isSensitive }: ShownStatus, file: ShownFile, sizes: ReadonlyMap<string, string>): Xml {
  return element(
    'media:content',
    {
      url: file.url,
      type: file.mimeType,
      fileSize: sizes.get(file.id),
      medium: file.type === 'unknown' ? undefined : file.type,
    },
    element('media:rating', { scheme: 'urn:simple' }, isSensitive ? 'adult' : 'nonadult'),
    file.description !== '' && element('media:description', { type: 'plain' }, file.description),
  );
}

/** The date in RFC 822 format, with a four-digit year. */
function date(time: string): string {
  return new Date(time).toUTCString();
}
