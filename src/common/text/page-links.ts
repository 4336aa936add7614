/** What to look for in a page. */
export interface LinkQuery {
  /** One of the words of the attribute `rel`, in lower case. */
  readonly rel: string;
  /** Names of elements, in lower case. */
  readonly elements: readonly string[];
}

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
  parser.write(html);
  const origin = (base === undefined ? undefined : URL.parse(base, pageUrl)?.href) ?? pageUrl;
  return found.flatMap((href) => URL.parse(href, origin)?.href ?? []);
}
