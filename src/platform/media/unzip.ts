import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';

/** An archive that is not a zip, is damaged, or holds what must not be unpacked. The message says what is wrong. */
export class BadArchive extends Error {
  override name = 'BadArchive';
}

/** Bounds that are checked before anything is unpacked (threat E3). */
export interface UnzipLimits {
  readonly maxEntries: number;
  /** The maximum size of one unpacked file. */
  readonly maxEntryBytes: number;
  /** The maximum size of all unpacked files. */
  readonly maxTotalBytes: number;
  /** Whether entries of folders are passed over; otherwise they are refused. */
  readonly skipFolders?: boolean;
}

/** One file of an archive. */
export interface ZippedFile {
  /** The path in the archive: untrusted. */
  readonly path: string;
  /** Unpacks the file. @throws BadArchive when it does not match its size or checksum */
  content(): Promise<Buffer>;
}

/** The position of an entry's bytes in the archive, with its header. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The first bytes of the header of a file in a zip. */
const SIGNATURE = Buffer.from('PK\x03\x04');
const UNIX = 3;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const SLASH = 0x2f;
/** The unpacked size that entries may declare, as a multiple of the archive. */
const MAX_RATIO = 100;
/** The bytes of a file's name, extra fields and comment together: the parser makes objects of each four of them. */
const MAX_DESCRIPTION_BYTES = 4_096;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a file on disk begins as a zip archive with files in it does. */
export async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const beginning = Buffer.alloc(SIGNATURE.length);
    await file.read(beginning);
    return beginning.equals(SIGNATURE);
  } finally {
    await file.close();
  }
}

/**
 * Lists the files of a zip archive in memory. Accepts regular files only, stored or deflated, with distinct paths and
 * without overlaps. yauzl enforces the declared sizes while it unpacks.
 * @throws BadArchive
 */
export async function filesOfZip(archive: Buffer, limits: UnzipLimits): Promise<ZippedFile[]> {
  const zip = await opened(archive);
  if (zip.entryCount > limits.maxEntries) throw new BadArchive(`There are more than ${limits.maxEntries} files in it`);
  const files = new Map<string, ZippedFile>();
  const spans: Span[] = [];
  let total = 0;
  await orBad(async () => {
    for await (const entry of zip.eachEntry()) {
      requireShortDescription(entry);
      entry.extraFields = []; // a thousand objects may be there, and entries stay until the files are read
      if (limits.skipFolders === true && isFolder(entry)) continue;
      requireRegularFile(entry);
      if (entry.uncompressedSize > limits.maxEntryBytes) throw new BadArchive('A file is too large');
      total += entry.uncompressedSize;
      if (total > Math.min(limits.maxTotalBytes, archive.length * MAX_RATIO))
        throw new BadArchive('The archive is too large');
      const path = pathOf(entry);
      if (files.has(path)) throw new BadArchive('A file stands there twice');
      spans.push(await spanOf(zip, entry));
      files.set(path, { path, content: () => orBad(() => unpacked(zip, entry)) });
    }
  });
  requireApart(spans);
  return [...files.values()];
}

async function opened(archive: Buffer): Promise<ZipFile> {
  const { fromBufferPromise } = await import('yauzl'); // loaded only where archives are read
  return fromBufferPromise(archive, { decodeStrings: false }).catch((cause: unknown) => {
    throw new BadArchive('This is no zip archive', { cause });
  });
}

function isFolder({ fileNameRaw, uncompressedSize }: Entry): boolean {
  return uncompressedSize === 0 && fileNameRaw.at(-1) === SLASH;
}

/** Before the name becomes a key: engines hash texts of some ten thousand characters by their length alone. */
function requireShortDescription({ fileNameLength, extraFieldLength, fileCommentLength }: Entry): void {
  if (fileNameLength + extraFieldLength + fileCommentLength > MAX_DESCRIPTION_BYTES)
    throw new BadArchive('The description of a file is too long');
}

function requireRegularFile(entry: Entry): void {
  if (entry.isEncrypted()) throw new BadArchive('A file is encrypted');
  if (!entry.canDecodeFileData()) throw new BadArchive('A file is packed in an unknown way');
  const isUnix = entry.versionMadeBy >> 8 === UNIX;
  const type = isUnix ? (entry.externalFileAttributes >>> 16) & FILE_TYPE : 0;
  if (type !== 0 && type !== REGULAR) throw new BadArchive('There is more than regular files in it');
}

/** Reads all names as UTF-8: yauzl reads names without the flag as CP437. */
function pathOf({ fileNameRaw }: Entry): string {
  try {
    return utf8.decode(fileNameRaw);
  } catch (cause) {
    throw new BadArchive('The name of a file is unreadable', { cause });
  }
}

/** yauzl reads the directory only; the header in front of the file has to repeat the name. */
async function spanOf(zip: ZipFile, entry: Entry): Promise<Span> {
  const { fileDataStart, fileName } = await zip.readLocalFileHeaderPromise(entry);
  if (!fileName.equals(entry.fileNameRaw)) throw new BadArchive('The archive is damaged');
  return { start: entry.relativeOffsetOfLocalHeader, end: fileDataStart + entry.compressedSize };
}

/** Overlapping files would unpack the same bytes many times. */
function requireApart(spans: readonly Span[]): void {
  const sorted = spans.toSorted((a, b) => a.start - b.start);
  if (sorted.some(({ start }, at) => start < (sorted[at - 1]?.end ?? 0)))
    throw new BadArchive('Files lie over each other');
}

/** yauzl does not check the checksum. */
async function unpacked(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const content = await buffer(await zip.openReadStreamPromise(entry));
  if (crc32(content) !== entry.crc32) throw new BadArchive('The archive is damaged');
  return content;
}

/** Errors of yauzl and of zlib are the fault of the archive. */
async function orBad<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw cause instanceof BadArchive ? cause : new BadArchive('The archive is damaged', { cause });
  }
}
