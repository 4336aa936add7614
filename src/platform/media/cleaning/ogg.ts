import { damaged, type EditedFile } from './edited-file.js';
import { beginningOfFlacBlock } from './flac.js';

/** One stream of sound or pictures in the file. */
interface Stream {
  readonly codec: Codec;
  /** Set once the packet of comments has passed. */
  isClean: boolean;
  packet: number;
  /** Bytes of the current packet on earlier pages. */
  passed: number;
  /** The current packet has to begin with this, and be blank otherwise. */
  blank: Buffer | undefined;
}

/** How the packets of a codec begin. */
interface Codec {
  /** Of its first packet. */
  readonly magic: Buffer;
  /** Of a blank packet of comments; undefined where the packets are blocks of FLAC. */
  readonly blank?: Buffer;
}

const bytes = (text: string, ...more: number[]) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from(more)]);
/** The lengths of the name of the encoder and of the list. */
const NOTHING = [0, 0, 0, 0, 0, 0, 0, 0];
/** All other streams, of texts or of data, are left out. */
const CODECS = {
  vorbis: { magic: bytes('\x01vorbis'), blank: bytes('\x03vorbis', ...NOTHING, 1) },
  theora: { magic: bytes('\x80theora'), blank: bytes('\x81theora', ...NOTHING) },
  opus: { magic: bytes('OpusHead'), blank: bytes('OpusTags', ...NOTHING) },
  speex: { magic: bytes('Speex   '), blank: bytes('', ...NOTHING) },
  flac: { magic: bytes('\x7fFLAC') },
} satisfies Record<string, Codec>;

const HEADER_BYTES = 27;
const Flag = { continued: 1, first: 2, last: 4 } as const;
const AUDIO_FRAME_OF_FLAC = 0xff;
const MOST_STREAMS = 100;

/** Ogg (RFC 3533): blanks the packets of comments, drops foreign streams, and computes the checksums of changed pages anew. */
export async function cleanOgg(file: EditedFile): Promise<void> {
  const streams = new Map<number, Stream>();
  let isEmpty = true;
  for (let at = 0; (at = await nextPage(file, at)) < file.size;) {
    const page = await pageAt(file, at);
    if (!page) at += 1;
    else {
      if (await copyClean(file, at, page, streams)) isEmpty = false;
      at += page.length;
    }
  }
  if (isEmpty) throw damaged();
}

/** Returns false for a page that is left out. */
async function copyClean(file: EditedFile, at: number, page: Buffer, streams: Map<number, Stream>): Promise<boolean> {
  const serial = page.readUInt32LE(14);
  const flags = page[5] ?? 0;
  if (flags & Flag.first) begin(streams, serial, page);
  const stream = streams.get(serial);
  if (!stream) return false;
  if (flags & Flag.last) streams.delete(serial);
  const cleaned = stream.isClean ? page : clean(page, stream);
  if (cleaned !== page) await file.write(cleaned, at);
  await file.copy(at, at + page.length);
  return true;
}

function begin(streams: Map<number, Stream>, serial: number, page: Buffer): void {
  const content = page.subarray(HEADER_BYTES + (page[26] ?? 0));
  const codec = Object.values(CODECS).find(({ magic }) => content.subarray(0, magic.length).equals(magic));
  streams.delete(serial);
  if (codec) streams.set(serial, { codec, isClean: false, packet: 0, passed: 0, blank: undefined });
  if (streams.size > MOST_STREAMS) throw damaged();
}

/** The page with blank comments; the same when it has none. */
function clean(page: Buffer, stream: Stream): Buffer {
  const segments = page[26] ?? 0;
  const cleaned = Buffer.from(page);
  let at = HEADER_BYTES + segments;
  for (let index = 0; index < segments && !stream.isClean; index += 1) {
    const length = page[HEADER_BYTES + index] ?? 0;
    pass(cleaned.subarray(at, at + length), stream);
    at += length;
    if (length < 255) end(stream);
  }
  if (cleaned.equals(page)) return page;
  cleaned.writeUInt32LE(0, 22);
  cleaned.writeUInt32LE(checksum(cleaned), 22);
  return cleaned;
}

/** Takes a part of a packet, which is blanked where it holds comments. */
function pass(part: Buffer, stream: Stream): void {
  if (stream.passed === 0) enter(part, stream);
  const { blank, passed } = stream;
  if (blank) part.fill(0).set(blank.subarray(passed, passed + part.length));
  stream.passed += part.length;
}

function enter(part: Buffer, stream: Stream): void {
  const { codec, packet } = stream;
  if (packet === 0) return;
  if (codec.blank) stream.blank = codec.blank;
  else if (part[0] === AUDIO_FRAME_OF_FLAC || part.length < 4) stream.isClean = true;
  else stream.blank = beginningOfFlacBlock(part);
}

function end(stream: Stream): void {
  if (stream.packet === 1 && stream.codec.blank) stream.isClean = true;
  stream.packet += 1;
  stream.passed = 0;
  stream.blank = undefined;
}

async function nextPage(file: EditedFile, from: number): Promise<number> {
  for (let at = from; at < file.size;) {
    const bytes = await file.upTo(at, 4_096);
    const found = bytes.indexOf('OggS');
    if (found >= 0) return at + found;
    at += Math.max(1, bytes.length - 3);
  }
  return file.size;
}

/** Undefined when there is none, or only a part of it. */
async function pageAt(file: EditedFile, at: number): Promise<Buffer | undefined> {
  const segments = (await file.upTo(at, HEADER_BYTES))[26];
  if (segments === undefined) return undefined;
  const lengths = (await file.upTo(at, HEADER_BYTES + segments)).subarray(HEADER_BYTES);
  if (lengths.length < segments) return undefined;
  const length = lengths.reduce((sum, each) => sum + each, HEADER_BYTES + segments);
  const page = await file.upTo(at, length);
  return page.length === length ? page : undefined;
}

/** CRC-32 with the bits of each byte in their order, unlike that of zip. */
const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

function checksum(page: Buffer): number {
  let sum = 0;
  for (const byte of page) sum = (sum << 8) ^ (TABLE[((sum >>> 24) ^ byte) & 0xff] ?? 0);
  return sum >>> 0;
}

/** Blanks the comments among the headers of Vorbis or Theora, as they stand in WebM: their number, their lengths, then they. */
export function blankLacedComments(headers: Buffer): void {
  let at = 1;
  const lengths: number[] = [];
  while (lengths.length < (headers[0] ?? 0)) {
    let length = 0;
    for (; headers[at] === 255; at += 1) length += 255;
    lengths.push(length + (headers[at] ?? 0));
    at += 1;
    if (at > headers.length) return;
  }
  const [first = 0, second = headers.length] = lengths;
  const comments = headers.subarray(at + first, at + first + second);
  const kind = headers.subarray(at);
  const codec = [CODECS.vorbis, CODECS.theora].find(({ magic }) => kind.subarray(0, magic.length).equals(magic));
  if (codec) comments.fill(0).set(codec.blank.subarray(0, comments.length));
}
