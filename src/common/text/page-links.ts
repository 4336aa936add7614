import { setImmediate as otherWork } from 'node:timers/promises';

/** What to look for in a page. */
export interface LinkQuery {
  /** One of the words of the attribute `rel`, in lower case. */
  readonly rel: string;
  /** Names of elements, in lower case. */
  readonly elements: readonly string[];
}

/** How much of a page is read before others get a turn: of the worst pages some 30 ms. In UTF-16 units. */
const PART_LENGTH = 65_536;
/** Pages are no deeper than this; the parser takes time in the square of the depth. What lies behind is not read. */
const MAX_DEPTH = 500;

/**
 * Where the links of somebody else's page lead that have a certain `rel`, in their order. They are relative to the page's
 * `<base>`, if it has one, and to `pageUrl`; addresses that cannot be read are left out. Runs no script and fetches nothing.
 */
export async function linksOfPage(html: string, pageUrl: string, { rel, elements }: LinkQuery): Promise<string[]> {
  const { Parser } = await import('htmlparser2'); // loaded only where pages are read
  const found: string[] = [];
  let base: string | undefined;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, { href, rel: words }) {
      depth += 1;
      if (depth > MAX_DEPTH) parser.pause();
      if (href === undefined) return;
      if (name === 'base') base ??= href;
      else if (elements.includes(name) && words?.toLowerCase().split(/\s+/).includes(rel)) found.push(href);
    },
    onclosetag() {
      depth -= 1;
    },
  });
  for (let at = 0; at < html.length && depth <= MAX_DEPTH; at += PART_LENGTH) {
    parser.write(html.slice(at, at + PART_LENGTH));
    await otherWork();
  }
  const origin = (base === undefined ? undefined : URL.parse(base, pageUrl)?.href) ?? pageUrl;
  return found.flatMap((href) => URL.parse(href, origin)?.href ?? []);
}
