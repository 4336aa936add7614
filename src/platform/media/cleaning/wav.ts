import { damaged, type EditedFile } from './edited-file.js';

/** The form of the samples, their number, and the samples. */
const CHUNKS = new Set(['fmt ', 'fact', 'data']);
const NAME = /^[\x20-\x7e]{4}$/;
const HEADER_BYTES = 8;
const RIFF_BYTES = 12;

/** WAV: a RIFF file of chunks. Titles, places and devices are in `LIST`, `bext`, `iXML`, `id3 ` and many others. */
export async function cleanWav(file: EditedFile): Promise<void> {
  if ((await file.exactly(0, RIFF_BYTES)).toString('latin1', 8) !== 'WAVE') throw damaged();
  await file.copy(0, RIFF_BYTES);
  let total = RIFF_BYTES;
  let areChunks: boolean | undefined;
  for (let at = RIFF_BYTES; at + HEADER_BYTES <= file.size;) {
    const header = Buffer.from(await file.exactly(at, HEADER_BYTES));
    const start = at + HEADER_BYTES;
    const type = header.toString('latin1', 0, 4);
    let size = header.readUInt32LE(4);
    // a recorder that was switched off wrote no size, or one that is too long
    if (type === 'data' && size === 0 && !(areChunks ??= await hasChunksAlone(file, start))) size = file.size - start;
    size = Math.min(size, file.size - start);
    const end = Math.min(start + size + (size % 2), file.size);
    if (CHUNKS.has(type)) {
      await writeSize(file, header, at, size);
      await file.copy(at, end);
      total += end - at;
    }
    at = end;
  }
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Math.min(total - HEADER_BYTES, 0xffffffff));
  await file.write(length, 4);
}

/** Whether what follows up to the end of the file is made of chunks: samples are not. */
async function hasChunksAlone(file: EditedFile, start: number): Promise<boolean> {
  let at = start;
  while (at + HEADER_BYTES <= file.size) {
    const header = await file.exactly(at, HEADER_BYTES);
    if (!NAME.test(header.toString('latin1', 0, 4))) return false;
    const size = header.readUInt32LE(4);
    at += HEADER_BYTES + size + (size % 2);
  }
  return at <= file.size + 1;
}

async function writeSize(file: EditedFile, header: Buffer, at: number, size: number): Promise<void> {
  if (header.readUInt32LE(4) === size) return;
  header.writeUInt32LE(Math.min(size, 0xffffffff), 4);
  await file.write(header, at);
}
