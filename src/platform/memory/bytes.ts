/** A piece of what is sent: a text, or its bytes in UTF-8. */
export type Part = string | Buffer;

/** The length of each part in bytes. */
export function byteLengths(parts: readonly Part[]): number[] {
  return parts.map((part) => (typeof part === 'string' ? Buffer.byteLength(part) : part.length));
}

/** All parts in one buffer, which is the part itself if there is one of bytes only. */
export function joinedBytes(parts: readonly Part[]): Buffer {
  const [part] = parts;
  return parts.length === 1 && part !== undefined && typeof part !== 'string'
    ? part
    : copied(parts, (size) => Buffer.allocUnsafe(size));
}

/** A copy with memory of its own, for caches: a slice of Node's pool would keep all of its slab. */
export function packedBytes(parts: readonly Part[]): Buffer {
  return copied(parts, (size) => Buffer.allocUnsafeSlow(size));
}

function copied(parts: readonly Part[], allocate: (size: number) => Buffer): Buffer {
  const lengths = byteLengths(parts);
  const buffer = allocate(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  parts.forEach((part, index) => {
    if (typeof part !== 'string') at += part.copy(buffer, at);
    else at += buffer.write(part, at, part.length === lengths[index] ? 'latin1' : 'utf8'); // as many bytes as units: ASCII
  });
  return buffer;
}
