import type { Readable } from 'node:stream';

const LINE_FEED = 0x0a;

/** Cuts rows in the text form of `copy` into pieces of whole rows, of about `bytes` each unless a row is longer. */
export async function* rowChunks(rows: Readable, bytes: number): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const data of rows as AsyncIterable<Buffer>) {
    pieces.push(data);
    length += data.length;
    if (length < bytes) continue;
    const all = Buffer.concat(pieces, length);
    const end = all.lastIndexOf(LINE_FEED) + 1;
    const rest = Buffer.from(all.subarray(end));
    pieces = rest.length > 0 ? [rest] : [];
    length = rest.length;
    if (end > 0) yield all.subarray(0, end);
  }
  if (length > 0) yield Buffer.concat(pieces, length);
}
