import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Content } from '../media/storage.js';

/** Bytes that are sent at once, and again when that fails. Some storages demand that all parts but the last are equal. */
export const PART_BYTES = 8 * 1024 * 1024;

/** A part of a content; there is always a last one, if an empty one. */
export interface Part {
  /** Overwritten by the next part. */
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/**
 * Cuts a content into parts of `size` bytes, of which one is in memory at a time: the next one takes its place, since buffers
 * that wait to be collected would be several times as much.
 */
export async function* partsOf(content: Content, size: number): AsyncGenerator<Part> {
  const room = Buffer.allocUnsafeSlow(Math.min(size, await lengthOf(content)));
  let length = 0;
  for await (const piece of bytesOf(content)) {
    for (let copied = 0; copied < piece.length;) {
      if (length === size) {
        yield { bytes: room, isLast: false };
        length = 0;
      }
      const count = piece.copy(room, length, copied);
      copied += count;
      length += count;
    }
  }
  yield { bytes: room.subarray(0, length), isLast: true };
}

/** The entity tag that a storage without encryption of its own gives a content that was sent in parts. */
export class ExpectedTag {
  private readonly sums: Buffer[] = [];

  /** Adds a part; returns its MD5. */
  add(part: Buffer): Buffer {
    const sum = createHash('md5').update(part).digest();
    this.sums.push(sum);
    return sum;
  }

  /** Whether the tag contradicts what was sent. Tags of another form say nothing about it. */
  isContradictedBy(tag: string | undefined): boolean {
    const text = tag?.replaceAll('"', '') ?? '';
    const [, sum, parts] = /^([0-9a-f]{32})(?:-(\d+))?$/.exec(text) ?? [];
    if (sum === undefined || Number(parts ?? 1) !== this.sums.length) return false; // sent in parts of another size
    return text !== this.text(parts !== undefined);
  }

  private text(isOfParts: boolean): string {
    const sums = Buffer.concat(this.sums);
    return isOfParts ? `${createHash('md5').update(sums).digest('hex')}-${this.sums.length}` : sums.toString('hex');
  }
}

/**
 * Whether a content contradicts the entity tag of an object that was sent in parts of `size` bytes.
 * Reads the whole content.
 */
export async function contradicts(content: Content, size: number, tag: string | undefined): Promise<boolean> {
  const expected = new ExpectedTag();
  for await (const { bytes } of partsOf(content, size)) expected.add(bytes);
  return expected.isContradictedBy(tag);
}

/** Without a limit for a stream, of which nobody knows it. */
async function lengthOf(content: Content): Promise<number> {
  if (Buffer.isBuffer(content)) return content.length;
  return content instanceof Readable ? Infinity : (await stat(content.path)).size;
}

function bytesOf(content: Content): AsyncIterable<Buffer> {
  if (Buffer.isBuffer(content)) return Readable.from([content]);
  return content instanceof Readable ? content : createReadStream(content.path);
}
