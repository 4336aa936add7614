import { LRUCache } from 'lru-cache';

/** The approximate cost of an entry besides its bytes: the key's characters and the bookkeeping. */
const ENTRY_OVERHEAD_BYTES = 200;

/** The bound of an `LRUCache` in entries. Its `max` would reserve the room of all of them at once, 40 bytes for each. */
export function entryLimit(entries: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}

/** Keeps the most recently used buffers within a bound in bytes. An entry larger than the whole bound is not kept. */
export class ByteCache {
  private readonly stored: LRUCache<string, Buffer>;

  /** Look-ups that found an entry, and those that found none. */
  hits = 0;
  misses = 0;

  constructor(maxBytes: number) {
    this.stored = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (value, key) => value.length + 2 * key.length + ENTRY_OVERHEAD_BYTES,
    });
  }

  /** How many entries there are. */
  get entries(): number {
    return this.stored.size;
  }

  /** Their size, as counted for the limit. */
  get bytes(): number {
    return this.stored.calculatedSize;
  }

  get(key: string): Buffer | undefined {
    const found = this.stored.get(key);
    if (found === undefined) this.misses += 1;
    else this.hits += 1;
    return found;
  }

  set(key: string, value: Buffer): void {
    this.stored.set(key, owned(value));
  }
}

/** Bytes of texts one after the other, behind a header that is still to be written, in memory of their own. */
export function packTexts(headerBytes: number, texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const packed = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, headerBytes));
  let at = headerBytes;
  for (const text of texts) at += packed.write(text, at);
  return packed;
}

/** Small buffers are cut from slabs of 8 KB, and one of them keeps the whole slab: a cache of such takes three times its bound. */
function owned(value: Buffer): Buffer {
  if (value.buffer.byteLength === value.length) return value;
  const copy = Buffer.allocUnsafeSlow(value.length);
  value.copy(copy);
  return copy;
}
