import { damaged, type EditedFile } from './edited-file.js';

/** The form of the samples, their number, and the samples. */
const CHUNKS = new Set(['fmt ', 'fact', 'data']);
const HEADER_BYTES = 8;
const RIFF_BYTES = 12;

/** WAV: a RIFF file of chunks. Titles, places and devices are in `LIST`, `bext`, `iXML`, `id3 ` and many others. */
export async function cleanWav(file: EditedFile): Promise<void> {
  if ((await file.exactly(0, RIFF_BYTES)).toString('latin1', 8) !== 'WAVE') throw damaged();
  await file.copy(0, RIFF_BYTES);
  let total = RIFF_BYTES;
  for (let at = RIFF_BYTES; at + HEADER_BYTES <= file.size;) {
    const header = Buffer.from(await file.exactly(at, HEADER_BYTES));
    const size = header.readUInt32LE(4);
    const end = Math.min(at + HEADER_BYTES + size + (size % 2), file.size);
    if (CHUNKS.has(header.toString('latin1', 0, 4))) {
      if (size > end - at - HEADER_BYTES) {
        header.writeUInt32LE(end - at - HEADER_BYTES, 4); // a recorder that was switched off wrote no size
        await file.write(header, at);
      }
      await file.copy(at, end);
      total += end - at;
    }
    at = end;
  }
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Math.min(total - HEADER_BYTES, 0xffffffff));
  await file.write(length, 4);
}
