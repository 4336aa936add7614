import { damaged, type EditedFile } from './edited-file.js';

/** One box of the file (ISO/IEC 14496-12 §4.2). */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly contentStart: number;
  readonly end: number;
}

/** The boxes of a track by their parents and types. */
export type TrackBoxes = ReadonlyMap<string, Box>;

const LONGEST_TABLE = 16_777_216;
const MOST_CHUNKS = 1_000_000;

/**
 * Where the frames of tracks lie in the file. Chunks whose length the tables do not give (uncompressed sound) reach to
 * the next chunk of any track.
 */
export class Samples {
  /** The starts of all chunks. */
  private readonly chunks: number[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly endless: number[] = [];
  private ranges: readonly (readonly [start: number, end: number])[] | undefined;

  constructor(private readonly file: EditedFile) {}

  /** Adds the chunks of a track; those of one that goes only end others. */
  async add(track: TrackBoxes, isKept: boolean): Promise<void> {
    const offsets = await this.offsets(track);
    if (this.chunks.length + offsets.length > MOST_CHUNKS) throw damaged();
    for (const offset of offsets) this.chunks.push(offset);
    if (!isKept) return;
    const sizes = await this.sizes(track);
    const runs = await this.table(track.get('stbl/stsc'), 8);
    let run = 0;
    let sample = 0;
    for (const [index, start] of offsets.entries()) {
      await this.file.step();
      while (12 * (run + 1) + 12 <= runs.length && runs.readUInt32BE(12 * (run + 1)) <= index + 1) run += 1;
      const next = sample + (12 * run + 12 <= runs.length ? runs.readUInt32BE(12 * run + 4) : sizes.length);
      if (next > sizes.length / 4) this.endless.push(start);
      else {
        let end = start;
        for (; sample < next; sample += 1) end += sizes.readUInt32BE(4 * sample);
        this.starts.push(start);
        this.ends.push(end);
      }
    }
  }

  /** The parts of the content that belong to no kept chunk. */
  async *gapsIn({ contentStart, end }: Box): AsyncGenerator<readonly [start: number, end: number]> {
    this.ranges ??= await this.united();
    let at = contentStart;
    for (let index = firstAbove(this.ranges, contentStart, ([, last]) => last); at < end; index += 1) {
      const [from, to] = this.ranges[index] ?? [end, end];
      if (from > at) yield [at, Math.min(from, end)];
      at = Math.max(at, to);
    }
  }

  /** Overlapping ranges joined: a range ends where as many have ended as have begun. */
  private async united(): Promise<(readonly [number, number])[]> {
    const chunks = await this.sorted(this.chunks);
    for (const start of this.endless) {
      await this.file.step();
      this.starts.push(start);
      this.ends.push(chunks[firstAbove(chunks, start, (each) => each)] ?? Infinity);
    }
    const starts = await this.sorted(this.starts);
    const ends = await this.sorted(this.ends);
    const ranges: (readonly [number, number])[] = [];
    for (let [index, first] = [0, 0]; index < ends.length; index += 1) {
      await this.file.step();
      const next = starts[index + 1];
      const end = ends[index] ?? 0;
      if (next !== undefined && next <= end) continue;
      ranges.push([starts[first] ?? 0, end]);
      first = index + 1;
    }
    return ranges;
  }

  private async sorted(positions: readonly number[]): Promise<Float64Array> {
    await this.file.step();
    return new Float64Array(positions).sort();
  }

  private async offsets(track: TrackBoxes): Promise<number[]> {
    const long = track.get('stbl/co64');
    const table = await this.table(long ?? track.get('stbl/stco'), 8);
    const width = long ? 8 : 4;
    return Array.from({ length: Math.floor(table.length / width) }, (_, index) =>
      long ? Number(table.readBigUInt64BE(index * width)) : table.readUInt32BE(index * width),
    );
  }

  /** Four bytes for each; empty when they all have one, or when they are written in another way. */
  private async sizes(track: TrackBoxes): Promise<Buffer> {
    const box = track.get('stbl/stsz');
    const common = box && (await this.file.exactly(box.contentStart, 8)).readUInt32BE(4);
    return common === 0 ? this.table(box, 12) : Buffer.alloc(0);
  }

  /** The table behind the fields of a box. */
  private async table(box: Box | undefined, fields: number): Promise<Buffer> {
    if (!box) return Buffer.alloc(0);
    const start = box.contentStart + fields;
    const length = Math.max(0, box.end - start);
    if (length > LONGEST_TABLE) throw damaged();
    return this.file.exactly(start, length);
  }
}

/** The index of the first element whose value is above this one, in ascending order. */
function firstAbove<T>(sorted: ArrayLike<T>, value: number, of: (element: T) => number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const element = sorted[middle];
    if (element !== undefined && of(element) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
