import { knownUrl } from '../../platform/index.js';
import type { Cursors } from './page.js';

/** Parameters that place a page or carry credentials; links to other pages leave them out. */
const LEFT_OUT = ['max_id', 'min_id', 'since_id', 'offset', 'access_token', 'admin_token'];

/**
 * The `Link` header of a page: `next` towards older rows, `prev` towards newer ones, absolute on the configured base
 * URL, never on the request's host (threat H14). Keeps other parameters (spec §10.3).
 */
export function pageLinks(baseUrl: string, originalUrl: string, { first, last }: Cursors): string {
  const link = (parameter: string, id: string, rel: string) => {
    const url = pageUrl(baseUrl, originalUrl);
    url.searchParams.set(parameter, id);
    return `<${url.href}>; rel="${rel}"`;
  };
  return `${link('max_id', last, 'next')}, ${link('min_id', first, 'prev')}`;
}

function pageUrl(baseUrl: string, originalUrl: string): URL {
  const [path = '/', ...query] = withoutOrigin(originalUrl).split('?');
  const url = knownUrl(baseUrl);
  url.pathname = path;
  url.search = query.join('?');
  for (const name of LEFT_OUT) url.searchParams.delete(name);
  return url;
}

/** The path and query of a request target, which a proxy may send in its absolute form. */
function withoutOrigin(target: string): string {
  return target.replace(/^https?:\/\/[^/?]*/i, '');
}
