import { damaged, type EditedFile } from './edited-file.js';
import { endOfTags, mayBeTag } from './tags.js';

/** Kilobits a second by layer, each from index 1 on (ISO/IEC 11172-3 §2.4.2.3). */
const RATES: Readonly<Record<'first' | 'lower', readonly (readonly number[])[]>> = {
  first: [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  lower: [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
};
const SAMPLES_A_SECOND = [44_100, 48_000, 32_000];
/** MPEG 1, 2 and 2.5 by the bits of the header. */
const DIVISORS: Readonly<Record<number, number>> = { 3: 1, 2: 2, 0: 4 };
const HEADER_BYTES = 4;
const SCANNED_BYTES = 4_096;

/** A frame of sound: its bytes, and what all frames of a recording have in common. */
interface Frame {
  readonly length: number;
  readonly kind: number;
}

/** MPEG audio: keeps the frames of sound alone. Tags lie before, between and behind them. */
export async function cleanMp3(file: EditedFile): Promise<void> {
  let kind: number | undefined;
  let isInStep = false;
  for (let at = 0; at < file.size;) {
    const frame = frameIn(await file.upTo(at, HEADER_BYTES), 0);
    const fits = frame && at + frame.length <= file.size && frame.kind === (kind ?? frame.kind);
    if (fits && (isInStep || (await follows(file, at, frame)))) {
      await file.copy(at, at + frame.length);
      at += frame.length;
      [kind, isInStep] = [frame.kind, true];
    } else {
      const behind = await endOfTags(file, at);
      isInStep = false;
      at = behind > at ? behind : await nextCandidate(file, at + 1);
    }
  }
  if (kind === undefined) throw damaged();
}

/** Whether another frame follows: bytes of a tag that look like a frame are none. */
async function follows(file: EditedFile, at: number, { length, kind }: Frame): Promise<boolean> {
  return frameIn(await file.upTo(at, length + HEADER_BYTES), length)?.kind === kind;
}

/** The next position at which a frame or a tag may begin. */
async function nextCandidate(file: EditedFile, from: number): Promise<number> {
  for (let at = from; at < file.size;) {
    const bytes = await file.upTo(at, SCANNED_BYTES);
    const count = Math.max(1, bytes.length - HEADER_BYTES + 1);
    for (let index = 0; index < count; index += 1) {
      if (frameIn(bytes, index) || mayBeTag(bytes, index)) return at + index;
    }
    at += count;
  }
  return file.size;
}

function frameIn(bytes: Buffer, at: number): Frame | undefined {
  if (bytes[at] !== 0xff || at + HEADER_BYTES > bytes.length) return undefined;
  const second = bytes[at + 1] ?? 0;
  const third = bytes[at + 2] ?? 0;
  if (second < 0xe0) return undefined;
  const divisor = DIVISORS[(second >> 3) & 3];
  const layer = 4 - ((second >> 1) & 3);
  const rate = RATES[divisor === 1 ? 'first' : 'lower'][layer - 1]?.[(third >> 4) - 1];
  const samples = SAMPLES_A_SECOND[(third >> 2) & 3];
  if (divisor === undefined || rate === undefined || samples === undefined) return undefined;
  const bytesASample = (125 * rate * divisor) / samples;
  return {
    length: lengthOf(layer, divisor, bytesASample, (third >> 1) & 1),
    kind: (second & 0x1e) * 256 + (third & 0x0c),
  };
}

/** Layer I counts in slots of four bytes. Of the samples of a frame, layer III has half as many below MPEG 1. */
function lengthOf(layer: number, divisor: number, bytesASample: number, padding: number): number {
  if (layer === 1) return 4 * (Math.floor(96 * bytesASample) + padding);
  return Math.floor((layer === 3 && divisor > 1 ? 576 : 1_152) * bytesASample) + padding;
}
