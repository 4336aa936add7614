import type { EditedFile } from './edited-file.js';

const APE = 'APETAGEX';
const APE_LENGTH = 32;
const APE_HAS_HEADER = 0x80000000;
const ID3_LENGTH = 10;
const ID3_HAS_FOOTER = 0x10;
const ID3V1_LENGTH = 128;
const LYRICS = /^\d{6}LYRICS200$/;
const LYRICS_LENGTH = 15;

/** The end of the tags that begin here (ID3v2, APE); the position itself when there is none. */
export async function endOfTags(file: EditedFile, start: number): Promise<number> {
  for (let at = start; ;) {
    const length = lengthOfTag(await file.upTo(at, APE_LENGTH));
    if (length <= 0) return Math.min(at, file.size);
    at += length;
  }
}

/** Whether a tag may begin at this position in these bytes. */
export function mayBeTag(bytes: Buffer, at: number): boolean {
  const first = bytes[at];
  return (first === 0x49 || first === 0x41) && ['ID3', 'APE'].includes(bytes.toString('latin1', at, at + 3));
}

/** Where the tags begin that end the file: ID3v1, ID3v2 with a footer, APE, Lyrics3. */
export async function startOfLastTags(file: EditedFile): Promise<number> {
  for (let end = file.size; ;) {
    const last = await file.upTo(Math.max(0, end - ID3V1_LENGTH), Math.min(end, ID3V1_LENGTH));
    const length = lengthOfLastTag(last);
    if (length <= 0 || length > end) return end;
    end -= length;
  }
}

function lengthOfTag(head: Buffer): number {
  if (head.length >= ID3_LENGTH && head.toString('latin1', 0, 3) === 'ID3') return lengthOfId3(head);
  if (head.length < APE_LENGTH || head.toString('latin1', 0, 8) !== APE) return 0;
  return APE_LENGTH + head.readUInt32LE(12); // the footer is counted
}

function lengthOfLastTag(last: Buffer): number {
  const from = (end: number) => last.subarray(Math.max(0, last.length - end));
  if (last.length === ID3V1_LENGTH && last.toString('latin1', 0, 3) === 'TAG') return ID3V1_LENGTH;
  const ape = from(APE_LENGTH);
  if (ape.length === APE_LENGTH && ape.toString('latin1', 0, 8) === APE) {
    return ape.readUInt32LE(12) + (ape.readUInt32LE(20) >= APE_HAS_HEADER ? APE_LENGTH : 0);
  }
  if (from(ID3_LENGTH).toString('latin1', 0, 3) === '3DI') return lengthOfId3(from(ID3_LENGTH));
  const lyrics = from(LYRICS_LENGTH).toString('latin1');
  return LYRICS.test(lyrics) ? Number.parseInt(lyrics, 10) + LYRICS_LENGTH : 0;
}

/** Seven bits of each byte count. */
function lengthOfId3(head: Buffer): number {
  const content = [6, 7, 8, 9].reduce((length, at) => length * 128 + ((head[at] ?? 0) & 0x7f), 0);
  return ID3_LENGTH + content + ((head[5] ?? 0) & ID3_HAS_FOOTER ? ID3_LENGTH : 0);
}
