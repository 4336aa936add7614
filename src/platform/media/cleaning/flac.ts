import { damaged, type EditedFile } from './edited-file.js';
import { endOfTags, startOfLastTags } from './tags.js';

/** Kinds of metadata blocks (RFC 9639 §8.1). */
const STREAM_INFO = 0;
const PADDING = 1;
const SEEK_TABLE = 3;
const COMMENTS = 4;
const LAST = 0x80;
const HEADER_BYTES = 4;
const MOST_BLOCKS = 1_000;

interface Block {
  readonly start: number;
  readonly end: number;
}

/** FLAC: keeps the form of the sound, the table for seeking and the frames. */
export async function cleanFlac(file: EditedFile): Promise<void> {
  const start = await endOfTags(file, 0);
  if ((await file.exactly(start, 4)).toString('latin1') !== 'fLaC') throw damaged();
  const { blocks, end } = await blocksIn(file, start + 4);
  if (blocks.length === 0) throw damaged();
  await file.copy(start, start + 4);
  for (const [index, block] of blocks.entries()) {
    const header = Buffer.from(await file.exactly(block.start, HEADER_BYTES));
    header[0] = kindOf(header) | (index === blocks.length - 1 ? LAST : 0);
    await file.write(header, block.start);
    await file.copy(block.start, block.end);
  }
  await file.copy(end, Math.max(end, await startOfLastTags(file)));
}

async function blocksIn(file: EditedFile, start: number): Promise<{ blocks: Block[]; end: number }> {
  const blocks: Block[] = [];
  for (let [at, count] = [start, 0]; count < MOST_BLOCKS; count += 1) {
    const header = await file.exactly(at, HEADER_BYTES);
    const end = at + HEADER_BYTES + header.readUIntBE(1, 3);
    if ([STREAM_INFO, SEEK_TABLE].includes(kindOf(header))) blocks.push({ start: at, end });
    if ((header[0] ?? 0) >= LAST) return { blocks, end };
    at = end;
  }
  throw damaged();
}

/** Blanks the comments, pictures and data of programs among these blocks, which keep their lengths. */
export function blankFlacBlocks(blocks: Buffer): void {
  for (let [at, count] = [0, 0]; at + HEADER_BYTES <= blocks.length; count += 1) {
    const end = at + HEADER_BYTES + blocks.readUIntBE(at + 1, 3);
    if (end > blocks.length || count >= MOST_BLOCKS) throw damaged();
    const begun = beginningOfFlacBlock(blocks.subarray(at, at + HEADER_BYTES));
    if (begun) blocks.fill(0, at, end).set(begun, at);
    at = end;
  }
}

/** What a blank block of the same length begins with; undefined for a block that players need. */
export function beginningOfFlacBlock(header: Buffer): Buffer | undefined {
  const kind = kindOf(header);
  if (kind === STREAM_INFO || kind === SEEK_TABLE) return undefined;
  const blank = Buffer.from(header.subarray(0, HEADER_BYTES));
  if (kind !== COMMENTS) blank[0] = PADDING | ((header[0] ?? 0) & LAST);
  return blank;
}

function kindOf(header: Buffer): number {
  return (header[0] ?? 0) & ~LAST;
}
