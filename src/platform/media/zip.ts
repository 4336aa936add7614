import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ZipFile } from 'yazl';

/** One file of an archive. */
export interface ZipEntry {
  /** Its folders and name, apart by slashes. */
  readonly path: string;
  /** Its content, read when its turn has come. */
  readonly content: Readable;
  /** Unless given, now. */
  readonly modifiedAt?: Date;
  /** Whether there is nothing to gain from packing it, as with pictures and videos. */
  readonly isPacked?: boolean;
}

/**
 * An archive of files as a stream. A file is asked for when the one before it was read to its end, so however large the
 * archive is, little of it is in memory. Fails when a file fails; destroying it ends the reading.
 */
export function zipped(entries: AsyncIterable<ZipEntry>): Readable {
  const output = new PassThrough();
  const fail = (error: unknown) => void output.destroy(error instanceof Error ? error : new Error(String(error)));
  write(entries, output, fail).catch(fail);
  return output;
}

async function write(
  entries: AsyncIterable<ZipEntry>,
  output: PassThrough,
  fail: (error: unknown) => void,
): Promise<void> {
  const { ZipFile } = await import('yazl'); // loaded only where archives are made
  const zip = new ZipFile();
  zip.on('error', fail);
  zip.outputStream.on('error', fail).pipe(output);
  await fill(zip, entries, output);
}

async function fill(zip: ZipFile, entries: AsyncIterable<ZipEntry>, output: PassThrough): Promise<void> {
  const abandoned = new AbortController();
  output.once('close', () => abandoned.abort());
  for await (const { path, content, modifiedAt, isPacked = false } of entries) {
    try {
      const read = finished(content, { signal: abandoned.signal });
      zip.addReadStream(content, path, { compress: !isPacked, ...(modifiedAt ? { mtime: modifiedAt } : {}) });
      await read;
    } finally {
      content.destroy();
    }
  }
  zip.end();
}
