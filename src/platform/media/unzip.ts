import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

/** An archive that is none, is damaged, or holds what nobody should unpack. The text says what is wrong with it. */
export class BadArchive extends Error {
  override name = 'BadArchive';
}

/** Bounds that hold before anything is unpacked (threat E3). */
export interface UnzipLimits {
  readonly maxEntries: number;
  /** Of one file, unpacked. */
  readonly maxEntryBytes: number;
  /** Of all files, unpacked. */
  readonly maxTotalBytes: number;
}

/** One file of an archive. */
export interface ZippedFile {
  /** As the archive calls it: untrusted. */
  readonly path: string;
  /** Unpacks it. @throws BadArchive when it is not what the archive said */
  content(): Promise<Buffer>;
}

interface Entry {
  readonly path: string;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly at: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const UNIX = 3;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
/** A file says of itself that it is a hundred times its packed size, and no more. */
const MAX_RATIO = 100;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The files of a zip archive (APPNOTE 6.3) that is in memory, without its folders' help: what its directory says is checked
 * first, and again when a file is unpacked. Only regular files, stored or deflated, each once, none over another.
 * @throws BadArchive
 */
export function filesOfZip(archive: Buffer, limits: UnzipLimits): ZippedFile[] {
  const { entries, end } = directoryOf(archive, limits);
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > limits.maxTotalBytes || total > archive.length * MAX_RATIO)
    throw new BadArchive('The archive is too large');
  if (new Set(entries.map(({ path }) => path)).size < entries.length) throw new BadArchive('A file stands there twice');
  let free = 0;
  const placed = [...entries].sort((a, b) => a.at - b.at);
  const starts = new Map<Entry, number>();
  for (const entry of placed) {
    if (entry.at < free) throw new BadArchive('Files lie over each other');
    const start = startOf(archive, entry, end);
    free = start + entry.packedBytes;
    if (free > end) throw new BadArchive('The archive is damaged');
    starts.set(entry, start);
  }
  return entries.map((entry) => {
    const start = starts.get(entry) ?? 0;
    return { path: entry.path, content: () => unpacked(entry, archive.subarray(start, start + entry.packedBytes)) };
  });
}

/** What the directory says, and where it begins: no file reaches into it. */
function directoryOf(archive: Buffer, { maxEntries, maxEntryBytes }: UnzipLimits): { entries: Entry[]; end: number } {
  const at = endOf(archive);
  const count = archive.readUInt16LE(at + 10);
  const start = archive.readUInt32LE(at + 16);
  if (archive.readUInt32LE(at + 4) !== 0 || archive.readUInt16LE(at + 8) !== count)
    throw new BadArchive('Parts are missing');
  if (count > maxEntries) throw new BadArchive(`There are more than ${maxEntries} files in it`);
  const entries: Entry[] = [];
  let next = start;
  for (let n = 0; n < count; n += 1) {
    if (next + CENTRAL_BYTES > at || archive.readUInt32LE(next) !== CENTRAL)
      throw new BadArchive('The archive is damaged');
    const nameBytes = archive.readUInt16LE(next + 28);
    const length = CENTRAL_BYTES + nameBytes + archive.readUInt16LE(next + 30) + archive.readUInt16LE(next + 32);
    if (next + length > at) throw new BadArchive('The archive is damaged');
    const entry = entryAt(archive, next, nameBytes);
    if (entry.bytes > maxEntryBytes) throw new BadArchive('A file is too large');
    entries.push(entry);
    next += length;
  }
  return { entries, end: start };
}

/** The end record stands at the very end, before a comment that fills the rest. */
function endOf(archive: Buffer): number {
  const lowest = Math.max(0, archive.length - END_BYTES - MAX_COMMENT);
  for (let at = archive.length - END_BYTES; at >= lowest; at -= 1) {
    if (archive.readUInt32LE(at) === END && at + END_BYTES + archive.readUInt16LE(at + 20) === archive.length)
      return at;
  }
  throw new BadArchive('This is no zip archive');
}

function entryAt(archive: Buffer, at: number, nameBytes: number): Entry {
  const method = archive.readUInt16LE(at + 10);
  if ((archive.readUInt16LE(at + 8) & ENCRYPTED) !== 0) throw new BadArchive('A file is encrypted');
  if (method !== STORED && method !== DEFLATED) throw new BadArchive('A file is packed in an unknown way');
  const isUnix = archive.readUInt8(at + 5) === UNIX;
  const type = isUnix ? archive.readUInt16LE(at + 40) & FILE_TYPE : 0;
  if (type !== 0 && type !== REGULAR) throw new BadArchive('There is more than regular files in it');
  return {
    path: nameIn(archive.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes)),
    method,
    crc: archive.readUInt32LE(at + 16),
    packedBytes: archive.readUInt32LE(at + 20),
    bytes: archive.readUInt32LE(at + 24),
    at: archive.readUInt32LE(at + 42),
  };
}

function nameIn(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new BadArchive('The name of a file is unreadable', { cause });
  }
}

/** Where the content begins: behind a header of the file's own, which has to agree about its name. */
function startOf(archive: Buffer, { at, path }: Entry, end: number): number {
  if (at + LOCAL_BYTES > end || archive.readUInt32LE(at) !== LOCAL) throw new BadArchive('The archive is damaged');
  const nameEnd = at + LOCAL_BYTES + archive.readUInt16LE(at + 26);
  const start = nameEnd + archive.readUInt16LE(at + 28);
  if (start > end || !archive.subarray(at + LOCAL_BYTES, nameEnd).equals(Buffer.from(path))) {
    throw new BadArchive('The archive is damaged');
  }
  return start;
}

async function unpacked({ method, bytes, crc }: Entry, packed: Buffer): Promise<Buffer> {
  const content = method === STORED ? Buffer.from(packed) : await inflated(packed, bytes);
  if (content.length !== bytes || crc32(content) !== crc) throw new BadArchive('The archive is damaged');
  return content;
}

async function inflated(packed: Buffer, bytes: number): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: Math.max(1, bytes) });
  } catch (cause) {
    throw new BadArchive('The archive is damaged', { cause });
  }
}
