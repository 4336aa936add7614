import { setImmediate as otherWork } from 'node:timers/promises';
import { cleanText } from '../gate.js';

/** Units of UTF-16 that are read before other work runs: some 30 ms for the worst pages. */
const PART_LENGTH = 65_536;
/** The deepest nesting that is read; the parser takes time in the square of the depth. */
const MAX_DEPTH = 500;

/** Callbacks while a page is read. Names of elements and attributes are in lower case. */
export interface PageEvents {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** Reads foreign HTML from beginning to end, without NUL. Runs no script and fetches nothing. */
export async function readPage(page: string, events: PageEvents): Promise<void> {
  const { Parser } = await import('htmlparser2'); // loaded only where pages are read
  const html = cleanText(page);
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
