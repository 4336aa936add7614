import { setImmediate as otherWork } from 'node:timers/promises';

/** How much of a page is read before others get a turn: of the worst pages some 30 ms. In UTF-16 units. */
const PART_LENGTH = 65_536;
/** Pages are no deeper than this; the parser takes time in the square of the depth. What lies behind is not read. */
const MAX_DEPTH = 500;

/** What happens while a page is read. Names of elements and attributes are in lower case. */
export interface PageEvents {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** Reads somebody else's HTML from its beginning to its end. Runs no script and fetches nothing. */
export async function readPage(html: string, events: PageEvents): Promise<void> {
  const { Parser } = await import('htmlparser2'); // loaded only where pages are read
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (depth > MAX_DEPTH) parser.pause();
      events.open(name, attributes);
    },
    ontext: (text) => events.text?.(text),
    onclosetag(name) {
      depth -= 1;
      events.close?.(name);
    },
  });
  for (let at = 0; at < html.length && depth <= MAX_DEPTH; at += PART_LENGTH) {
    parser.write(html.slice(at, at + PART_LENGTH));
    await otherWork();
  }
}
