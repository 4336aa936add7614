import { type FileHandle, open } from 'node:fs/promises';
import type { MediaFacts } from './media-facts.js';

/** One box of the file (ISO/IEC 14496-12 §4.2). */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly contentStart: number;
  readonly end: number;
}

/** Boxes that hold the boxes of interest. */
const CONTAINERS = new Set(['moov', 'trak']);
/** Where cameras and phones write who took a video, and where. */
const PRIVATE = new Set(['udta', 'meta', 'uuid']);
const MAX_BOXES = 10_000;
/** The file, `moov`, `trak`. */
const MAX_DEPTH = 3;
const ZEROS = Buffer.alloc(65_536);
/** The longest part of a header that is looked at: `tkhd` of version 1, without its own header. */
const LONGEST_FIELDS = 96;

/**
 * Reads the header of an MP4 or QuickTime file, and blanks in place what it tells besides the video: place, device, author.
 * Nothing is moved, so the video itself is untouched (threat M9). Undefined when the file has no such header.
 */
export async function cleanMp4(path: string): Promise<MediaFacts | undefined> {
  const file = await open(path, 'r+');
  try {
    const walk = new Walk(file);
    await walk.over(0, (await file.stat()).size, 1);
    return walk.facts;
  } finally {
    await file.close();
  }
}

class Walk {
  facts: MediaFacts | undefined;
  private boxes = 0;

  constructor(private readonly file: FileHandle) {}

  /** Visits the boxes of a range; ends at the first that is none. */
  async over(start: number, end: number, depth: number): Promise<void> {
    for (let at = start; at < end;) {
      const box = await this.boxAt(at, end);
      if (!box || (this.boxes += 1) > MAX_BOXES) return;
      await this.visit(box, depth);
      at = box.end;
    }
  }

  private async visit(box: Box, depth: number): Promise<void> {
    if (PRIVATE.has(box.type)) await this.blank(box);
    else if (CONTAINERS.has(box.type) && depth < MAX_DEPTH) await this.over(box.contentStart, box.end, depth + 1);
    else if (box.type === 'mvhd') this.facts = { ...this.facts, duration: durationIn(await this.fieldsOf(box)) };
    else if (box.type === 'tkhd') this.facts = { ...sizeIn(await this.fieldsOf(box)), ...this.facts };
  }

  private async boxAt(start: number, end: number): Promise<Box | undefined> {
    const header = await this.read(start, 16);
    if (header.length < 8) return undefined;
    const short = header.readUInt32BE(0);
    const headerLength = short === 1 ? 16 : 8;
    if (header.length < headerLength) return undefined;
    const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - start : short;
    if (size < headerLength || start + size > end) return undefined;
    const type = header.toString('latin1', 4, 8);
    return { type, start, contentStart: start + headerLength, end: start + size };
  }

  /** Makes it a box of nothing (`free`). */
  private async blank({ start, contentStart, end }: Box): Promise<void> {
    await this.file.write('free', start + 4, 'latin1');
    for (let at = contentStart; at < end; at += ZEROS.length) {
      await this.file.write(ZEROS, 0, Math.min(ZEROS.length, end - at), at);
    }
  }

  private fieldsOf({ contentStart, end }: Box): Promise<Buffer> {
    return this.read(contentStart, Math.min(LONGEST_FIELDS, end - contentStart));
  }

  private async read(start: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.file.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  }
}

/** Of `mvhd`, in seconds. */
function durationIn(fields: Buffer): number | undefined {
  const isLong = fields[0] === 1;
  if (fields.length < (isLong ? 32 : 20)) return undefined;
  const scale = fields.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(fields.readBigUInt64BE(24)) : fields.readUInt32BE(16);
  return scale > 0 && units > 0 ? units / scale : undefined;
}

/** Of `tkhd`: the size at which a track is shown, turned as its matrix says. Nothing for sound. */
function sizeIn(fields: Buffer): MediaFacts {
  const end = fields[0] === 1 ? 96 : 84;
  if (fields.length < end) return {};
  const across = Math.round(fields.readUInt32BE(end - 8) / 65_536);
  const down = Math.round(fields.readUInt32BE(end - 4) / 65_536);
  if (across === 0 || down === 0) return {};
  const isTurned = fields.readInt32BE(end - 44) === 0; // the matrix begins with 0 when it turns by a quarter
  return isTurned ? { width: down, height: across } : { width: across, height: down };
}
