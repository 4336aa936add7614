import { open } from 'node:fs/promises';
import type { MediaFacts } from './media-facts.js';

/** The header comes before the video; more of the file is not looked at. */
const HEADER_BYTES = 262_144;
/** The file, segment, tracks, track, video: what nests deeper is no video. */
const MAX_DEPTH = 5;

/** Ids of EBML elements (RFC 9559). */
const Id = {
  segment: 0x18538067,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
} as const;

const CONTAINERS = new Set<number>([Id.segment, Id.info, Id.tracks, Id.track, Id.video]);
const SOUND = 2;
const NANOSECONDS = 1_000_000_000;
const USUAL_SCALE = 1_000_000;

/** Reads the header of a WebM file (RFC 9559): the size of the picture and the duration, as far as the header contains them. */
export async function readWebm(path: string): Promise<MediaFacts> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return factsIn(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

function factsIn(header: Buffer): MediaFacts {
  const values = new Map<number, Buffer>();
  collect(header, 0, header.length, values, 1);
  const scale = numberIn(values.get(Id.scale)) ?? USUAL_SCALE;
  const units = floatIn(values.get(Id.duration));
  const width = numberIn(values.get(Id.width));
  return {
    width,
    height: numberIn(values.get(Id.height)),
    ...(width === undefined && numberIn(values.get(Id.trackType)) === SOUND ? { isSound: true } : {}),
    duration: units === undefined || !(units > 0) ? undefined : (units * scale) / NANOSECONDS,
  };
}

/** The first value of each element, wherever it stands. */
function collect(bytes: Buffer, start: number, end: number, values: Map<number, Buffer>, depth: number): void {
  for (let at = start; at < end;) {
    const id = varint(bytes, at, { isMarkerKept: true });
    const size = id && varint(bytes, at + id.length, { isMarkerKept: false });
    if (!size) return;
    const contentStart = at + id.length + size.length;
    const contentEnd = Math.min(end, size.isUnknown ? end : contentStart + size.value);
    if (CONTAINERS.has(id.value) && depth < MAX_DEPTH) collect(bytes, contentStart, contentEnd, values, depth + 1);
    else if (!values.has(id.value)) values.set(id.value, bytes.subarray(contentStart, contentEnd));
    at = contentEnd;
  }
}

/** A number whose leading zeros give its length (RFC 8794 §4). */
export function varint(
  bytes: Buffer,
  at: number,
  { isMarkerKept }: { isMarkerKept: boolean },
): { value: number; length: number; isUnknown: boolean } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return undefined;
  const marker = 0x80 >> (length - 1);
  let value = isMarkerKept ? first : first & (marker - 1);
  let isUnknown = (first & (marker - 1)) === marker - 1;
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index] ?? 0;
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value, length, isUnknown };
}

function numberIn(bytes: Buffer | undefined): number | undefined {
  return bytes && bytes.length > 0 && bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : undefined;
}

function floatIn(bytes: Buffer | undefined): number | undefined {
  if (bytes?.length === 4) return bytes.readFloatBE(0);
  return bytes?.length === 8 ? bytes.readDoubleBE(0) : undefined;
}
