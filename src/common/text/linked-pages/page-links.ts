import { parseUrl } from '../../../platform/urls/urls.js';
import { readPage } from './page-reader.js';

/** The links to look for in a page. */
export interface LinkQuery {
  /** One of the words of the attribute `rel`, in lower case. */
  readonly rel: string;
  /** Names of elements, in lower case. */
  readonly elements: readonly string[];
  /** The media types that the link may name; without it, any or none. */
  readonly isOfType?: (type: string) => boolean;
}

/**
 * The targets of a foreign page's links with a certain `rel`, in order. They are relative to the page's `<base>`, if it
 * has one, and to `pageUrl`; unreadable addresses are left out. Runs no script and fetches nothing.
 */
export async function linksOfPage(html: string, pageUrl: string, query: LinkQuery): Promise<string[]> {
  const { rel, elements, isOfType = () => true } = query;
  const found: string[] = [];
  let base: string | undefined;
  await readPage(html, {
    open(name, { href, rel: words, type = '' }) {
      if (href === undefined) return;
      if (name === 'base') base ??= href;
      else if (elements.includes(name) && words?.toLowerCase().split(/\s+/).includes(rel) && isOfType(type))
        found.push(href);
    },
  });
  const origin = (base === undefined ? undefined : parseUrl(base, pageUrl)?.href) ?? pageUrl;
  return found.flatMap((href) => parseUrl(href, origin)?.href ?? []);
}
