/*
 * The parts of picture files. Runs in the process that decodes them, also untranslated from the sources, and therefore imports
 * no other file of this server.
 */

/** Pixels of the longer side of a thumbnail. */
export const THUMBNAIL_SIDE = 400;

/** A part of the file by its positions; the end is not included. */
type Part = readonly [start: number, end: number];

/**
 * A picture without its unneeded parts: notes, previews, data of cameras and programs, bytes after its end (threat M9).
 * The pixels, the colour profile and the order of frames stay unchanged. Returns the same buffer when nothing is unneeded,
 * and undefined for a picture of another structure, which has to be encoded again.
 */
export function onlyThePicture(bytes: Buffer, mime: string): Buffer | undefined {
  return FORMATS[mime]?.(bytes);
}

const FORMATS: Readonly<Record<string, (bytes: Buffer) => Buffer | undefined>> = {
  'image/jpeg': (bytes) => joined(bytes, jpegParts(bytes)),
  'image/png': (bytes) => joined(bytes, pngParts(bytes)),
  'image/gif': (bytes) => joined(bytes, gifParts(bytes)),
  'image/webp': webp,
  'image/avif': avif,
};

/** JPEG (ITU T.81 annex B): tables, frames and scans; of the other parts only those that describe colours. */
function jpegParts(bytes: Buffer): Part[] | undefined {
  const parts: Part[] = [[0, 2]];
  for (let at = 2; bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === JPEG.end) return [...parts, [at, at + 2]];
    if (at + 4 > bytes.length) return undefined;
    const bodyEnd = at + 2 + bytes.readUInt16BE(at + 2);
    const end = marker === JPEG.scan ? endOfScan(bytes, bodyEnd) : bodyEnd;
    if (end === undefined || bodyEnd < at + 4) return undefined;
    if (JPEG.needed.has(marker) || saysColours(marker, bytes.subarray(at + 4, bodyEnd))) parts.push([at, end]);
    else if (!isNote(marker)) return undefined;
    at = end;
  }
  return undefined;
}

const JPEG = {
  end: 0xd9,
  scan: 0xda,
  /** Frames of each kind, and the tables that decoders read. */
  needed: new Set([
    ...[0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf],
    ...[0xc4, 0xcc, 0xda, 0xdb, 0xdc, 0xdd],
  ]),
} as const;
const COMMENT = 0xfe;
const LENGTH_OF_JFIF = 14; // without a preview

function isNote(marker: number): boolean {
  return (marker >= 0xe0 && marker <= 0xef) || marker === COMMENT;
}

function saysColours(marker: number, body: Buffer): boolean {
  if (marker === 0xe0) return body.length === LENGTH_OF_JFIF && startsWith(body, 'JFIF\0');
  if (marker === 0xe2) return startsWith(body, 'ICC_PROFILE\0');
  return marker === 0xee && startsWith(body, 'Adobe') && body.length === 12;
}

/** The position of the next marker: in a scan, bytes that look like a marker are followed by a zero or a number. */
function endOfScan(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    const isMarker = next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7);
    if (isMarker) return at;
  }
  return undefined;
}

const PNG_CHUNKS = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS'],
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'sBIT', 'bKGD', 'pHYs'],
  ...['acTL', 'fcTL', 'fdAT'],
]);

/** PNG: chunks that decoders need, those that say what colours mean, and those of animations. */
function pngParts(bytes: Buffer): Part[] | undefined {
  const parts: Part[] = [[0, 8]];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (end > bytes.length) return undefined;
    if (PNG_CHUNKS.has(type)) parts.push([at, end]);
    else if (!/^[a-z]/.test(type)) return undefined; // an unknown critical chunk
    if (type === 'IEND') return parts;
    at = end;
  }
  return undefined;
}

/** Whether a PNG has more than one frame. That stands before its pixels. */
export function isMovingPng(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return bytes.readUInt32BE(at + 8) > 1;
    if (type === 'IDAT') return false;
  }
  return false;
}

const GIF = { image: 0x2c, extension: 0x21, trailer: 0x3b, control: 0xf9, application: 0xff, text: 0x01 } as const;
/** How often an animation runs. */
const LOOPS = /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/;
const LONGEST_LOOP = 32;

/** GIF: the images, how long each of them is shown, and how often all of them. */
function gifParts(bytes: Buffer): Part[] | undefined {
  let at = 13 + tableLength(bytes[10]);
  const parts: Part[] = [[0, at]];
  for (;;) {
    const kind = bytes[at];
    if (kind === GIF.trailer) return [...parts, [at, at + 1]];
    if (kind !== GIF.image && kind !== GIF.extension) return undefined;
    const data = kind === GIF.image ? at + 11 + tableLength(bytes[at + 9]) : at + 2;
    const end = endOfBlocks(bytes, data);
    if (end === undefined || (kind === GIF.extension && bytes[at + 1] === GIF.text)) return undefined;
    if (kind === GIF.image || isOfTheAnimation(bytes.subarray(at, end))) parts.push([at, end]);
    at = end;
  }
}

function tableLength(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function endOfBlocks(bytes: Buffer, from: number): number | undefined {
  for (let at = from; ;) {
    const size = bytes[at];
    if (size === undefined) return undefined;
    at += size + 1;
    if (size === 0) return at;
  }
}

function isOfTheAnimation(extension: Buffer): boolean {
  if (extension[1] === GIF.control) return true;
  const name = extension.toString('latin1', 3, 14);
  return extension[1] === GIF.application && LOOPS.test(name) && extension.length <= LONGEST_LOOP;
}

const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** The header says whether they are there: such a file is encoded again. */
const WEBP_NOTES = new Set(['EXIF', 'XMP ']);

/** WebP: a RIFF file of chunks. */
function webp(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 12) return undefined;
  const parts: Part[] = [[0, 12]];
  const fileEnd = 8 + bytes.readUInt32LE(4);
  let at = 12;
  while (at + 8 <= Math.min(fileEnd, bytes.length)) {
    const type = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (WEBP_NOTES.has(type) || (type === 'ANMF' && !isOnlyAFrame(bytes, at + 24, at + 8 + size))) return undefined;
    if (WEBP_CHUNKS.has(type)) parts.push([at, end]);
    at = end;
  }
  if (at !== fileEnd || at > bytes.length) return undefined;
  const picture = joined(bytes, parts);
  if (picture !== bytes) picture?.writeUInt32LE(picture.length - 8, 4);
  return picture;
}

const WEBP_FRAME = new Set(['VP8 ', 'VP8L', 'ALPH']);

/** Whether there is nothing but pixels among the chunks of a frame. */
function isOnlyAFrame(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at + 8 <= Math.min(to, bytes.length);) {
    if (!WEBP_FRAME.has(bytes.toString('latin1', at, at + 4))) return false;
    const size = bytes.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return true;
}

const AVIF_BOXES = new Set(['ftyp', 'meta', 'mdat', 'moov']);
/** The description of the frames of a moving picture: tracks of pictures without metadata. */
const AVIF_INNER: Readonly<Record<string, ReadonlySet<string>>> = {
  moov: new Set(['mvhd', 'trak']),
  trak: new Set(['tkhd', 'tref', 'edts', 'mdia']),
  mdia: new Set(['mdhd', 'hdlr', 'minf']),
};
/** Tracks of colours, and of what is transparent. */
const AVIF_TRACKS = new Set(['pict', 'auxv']);

/** AVIF: boxes that refer to each other by their place in the file, so that unneeded parts are blanked in place. */
function avif(bytes: Buffer): Buffer | undefined {
  const blank = avifNotes(bytes, 0, bytes.length, AVIF_BOXES);
  const names = avifNames(bytes);
  if (!blank || !names) return undefined;
  const isClean = names.every(([start, end]) => isZero(bytes.subarray(start, end)));
  if (isClean && blank.every(([start, end]) => isBlank(bytes.subarray(start, end)))) return bytes;
  const picture = Buffer.from(bytes);
  for (const [start, end] of names) picture.fill(0, start, end);
  for (const [start, end] of blank) picture.fill(0, start + 8, end).write('free', start + 4, 'latin1');
  return picture;
}

const MOST_BOXES = 10_000;

/** The unneeded boxes between two positions; undefined when a box is no part of a picture. */
function avifNotes(bytes: Buffer, from: number, to: number, needed: ReadonlySet<string>): Part[] | undefined {
  const boxes = avifBoxes(bytes, from, to);
  if (!boxes || boxes.some(([type, [start]]) => type === 'hdlr' && !isTrackOfPictures(bytes, start))) return undefined;
  const notes: Part[] = [];
  for (const [type, part] of boxes) {
    const inner = AVIF_INNER[type];
    const found = needed.has(type) ? inner && avifNotes(bytes, part[0] + 8, part[1], inner) : [part];
    if (inner && !found) return undefined;
    for (const note of found ?? []) notes.push(note);
  }
  return notes;
}

/** Undefined when there is anything else than boxes, or more than a picture has. */
function avifBoxes(bytes: Buffer, from: number, to: number): (readonly [type: string, part: Part])[] | undefined {
  const boxes: (readonly [string, Part])[] = [];
  let at = from;
  while (at + 8 <= to) {
    const size = bytes.readUInt32BE(at);
    const end = size === 0 ? to : at + size;
    if (size === 1 || end < at + 8 || end > to) return undefined; // boxes of gigabytes are none of a picture
    if (boxes.push([bytes.toString('latin1', at + 4, at + 8), [at, end]]) > MOST_BOXES) return undefined;
    at = end;
  }
  return at === to ? boxes : undefined;
}

/** Items that are pixels, or made of other items. */
const AVIF_ITEMS = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap']);
/** Titles, descriptions and dates. */
const AVIF_TEXTS = new Set(['udes', 'altt', 'crtt', 'mdft', 'uuid']);

/** The names of items and programs; undefined when an item is something else than pixels. */
function avifNames(bytes: Buffer): Part[] | undefined {
  const within = (type: string, fields: number, [start, end]: Part) =>
    (avifBoxes(bytes, start + fields, end) ?? []).flatMap(([found, part]) => (found === type ? [part] : []));
  const file: Part = [0, bytes.length];
  const meta = within('meta', 0, file);
  const items = meta.flatMap((part) =>
    within('iinf', 12, part).flatMap((list) => within('infe', fieldsOfItems(bytes, list), list)),
  );
  const properties = meta.flatMap((part) => within('iprp', 12, part).flatMap((list) => within('ipco', 8, list)));
  const isText = properties.some(([start, end]) =>
    avifBoxes(bytes, start + 8, end)?.some(([type]) => AVIF_TEXTS.has(type)),
  );
  if (items.length === 0 || isText || items.some(([start]) => !AVIF_ITEMS.has(typeOfItem(bytes, start))))
    return undefined;
  const handlers = meta.flatMap((part) => within('hdlr', 12, part));
  return [
    ...handlers.map(([start, end]): Part => [Math.min(start + 32, end), end]),
    ...items.map(([start, end]): Part => [Math.min(start + (bytes[start + 8] === 3 ? 22 : 20), end), end]),
  ];
}

/** The list begins with its version and its length. */
function fieldsOfItems(bytes: Buffer, [start]: Part): number {
  return bytes[start + 8] === 0 ? 14 : 16;
}

function typeOfItem(bytes: Buffer, start: number): string {
  const at = start + (bytes[start + 8] === 3 ? 18 : 16);
  return bytes.toString('latin1', at, at + 4);
}

function isTrackOfPictures(bytes: Buffer, handler: number): boolean {
  return AVIF_TRACKS.has(bytes.toString('latin1', handler + 16, handler + 20));
}

const MOVING_BRANDS = new Set(['avis', 'msf1']);

/** Whether an AVIF moves. Its first brand says so; players go by that, too. */
export function isMovingAvif(bytes: Buffer): boolean {
  return bytes.toString('latin1', 4, 12) === 'ftypavis';
}

/** A moving AVIF as the still that it holds besides: libvips reads none whose first brand is that of moving ones. */
export function asStillAvif(bytes: Buffer): Buffer {
  const still = Buffer.from(bytes);
  for (let at = 8; at + 4 <= Math.min(bytes.readUInt32BE(0), bytes.length); at += 4) {
    if (MOVING_BRANDS.has(bytes.toString('latin1', at, at + 4))) still.write('avif', at, 'latin1');
  }
  const tracks = avifBoxes(bytes, 0, bytes.length)?.filter(([type]) => type === 'moov') ?? [];
  for (const [, [start]] of tracks) still.write('free', start + 4, 'latin1');
  return still;
}

function isBlank(box: Buffer): boolean {
  return startsWith(box.subarray(4), 'free') && isZero(box.subarray(8));
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

/** The parts in their order: the same buffer when they are all of it. */
function joined(bytes: Buffer, parts: readonly Part[] | undefined): Buffer | undefined {
  if (!parts || (parts.at(-1)?.[1] ?? 0) > bytes.length) return undefined;
  const length = parts.reduce((sum, [start, end]) => sum + end - start, 0);
  return length === bytes.length ? bytes : Buffer.concat(parts.map(([start, end]) => bytes.subarray(start, end)));
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text;
}
