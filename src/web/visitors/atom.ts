import { element, type Xml, xmlDocument } from '../../common/index.js';
import { entryHtml, type Feed, type FeedEntry } from './feed.js';
import type { ShownPerson } from '../parts/shown.js';

export const ATOM = 'application/atom+xml';
export const ATOM_NAMESPACE = 'http://www.w3.org/2005/Atom';

/** A feed as Atom (RFC 4287), paged by RFC 5005. */
export function atom(feed: Feed): string {
  return xmlDocument(
    element(
      'feed',
      { xmlns: ATOM_NAMESPACE },
      element('id', {}, feed.id),
      element('title', {}, feed.title),
      feed.subtitle !== '' && element('subtitle', {}, feed.subtitle),
      element('updated', {}, feed.updatedAt),
      feed.author && [author(feed.author), element('logo', {}, feed.author.avatar)],
      link('self', feed.url, ATOM),
      link('alternate', feed.pageUrl, 'text/html'),
      feed.nextUrl !== undefined && link('next', feed.nextUrl, ATOM),
      element('generator', {}, feed.software),
      feed.entries.map(entry),
    ),
  );
}

function entry(entry: FeedEntry): Xml {
  const { post, title, sizes } = entry;
  return element(
    'entry',
    { 'xml:lang': post.language },
    element('id', {}, post.uri),
    element('title', {}, title),
    element('published', {}, post.createdAt),
    element('updated', {}, post.editedAt ?? post.createdAt),
    author(post.author),
    link('alternate', post.url, 'text/html'),
    link('alternate', post.uri, 'application/activity+json'),
    post.files.map((file) =>
      element('link', {
        rel: 'enclosure',
        href: file.url,
        type: file.mimeType,
        length: sizes.get(file.id),
        title: file.description || undefined,
      }),
    ),
    post.tags.map((term) => element('category', { term })),
    post.warning !== '' && element('summary', {}, post.warning),
    element('content', { type: 'html' }, entryHtml(post)),
  );
}

function author({ name, url }: ShownPerson): Xml {
  return element('author', {}, element('name', {}, name), element('uri', {}, url));
}

function link(rel: string, href: string, type: string): Xml {
  return element('link', { rel, href, type });
}
