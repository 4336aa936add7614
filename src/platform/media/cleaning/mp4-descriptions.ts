import { damaged, type EditedFile } from './edited-file.js';
import { blankFlacBlocks } from './flac.js';

/** The data of the codecs, and what says how to show colours and sides. */
const NEEDED = new Set([
  ...['avcC', 'hvcC', 'vvcC', 'av1C', 'vpcC', 'dvcC', 'dvvC', 'lhvC', 'd263', 'esds', 'glbl'],
  ...['wave', 'chan', 'alac', 'damr', 'dac3', 'dec3', 'dac4', 'dOps', 'dfLa', 'pcmC', 'chnl', 'srat'],
  ...['pasp', 'colr', 'clap', 'fiel', 'gama', 'mdcv', 'clli', 'SmDm', 'CoLL', 'btrt'],
]);
/** The lengths of a description before its boxes: of video, and of sound by its version in QuickTime. */
const VIDEO_FIELDS = 86;
const SHORTEST_SOUND_FIELDS = 36;
const SOUND_FIELDS = [SHORTEST_SOUND_FIELDS, 52, 72];
const VENDOR: Part = [20, 24];
const COMPRESSOR: Part = [50, 82];
const LIST_FIELDS = 8;

type Part = readonly [start: number, end: number];

/** The list `stsd`: blanks the makers of device and encoder, and boxes that say more than how to decode. */
export async function blankSampleDescriptions(file: EditedFile, list: Buffer, isVideo: boolean): Promise<void> {
  for (const [start, end] of boxesIn(list, LIST_FIELDS)) {
    await file.step();
    const entry = list.subarray(start, end);
    if (entry.length < (isVideo ? VIDEO_FIELDS : SHORTEST_SOUND_FIELDS)) throw damaged();
    for (const [from, to] of isVideo ? [VENDOR, COMPRESSOR] : [VENDOR]) entry.fill(0, from, to);
    const version = list[0] === 1 ? 0 : entry.readUInt16BE(16);
    await blankBoxes(file, entry, isVideo ? VIDEO_FIELDS : (SOUND_FIELDS[version] ?? entry.length));
  }
}

async function blankBoxes(file: EditedFile, entry: Buffer, from: number): Promise<void> {
  for (const [start, end] of boxesIn(entry, from)) {
    await file.step();
    const type = entry.toString('latin1', start + 4, start + 8);
    if (type === 'dfLa') blankFlacBlocks(entry.subarray(start + 12, end));
    else if (!NEEDED.has(type)) entry.fill(0, start + 8, end).write('free', start + 4, 'latin1');
  }
}

function* boxesIn(bytes: Buffer, from: number): Generator<Part> {
  for (let at = from; at + 8 <= bytes.length;) {
    const end = at + bytes.readUInt32BE(at);
    if (end < at + 8 || end > bytes.length) return;
    yield [at, end];
    at = end;
  }
}
