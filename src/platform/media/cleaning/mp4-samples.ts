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
/** So many numbers are read or sorted between two steps of the cleaner. */
const SLICE = 4096;

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
    if (!isKept) return;
    const sizes = await this.sizes(track);
    const runs = await this.table(track.get('stbl/stsc'), 8);
    let run = 0;
    let sample = 0;
    for (const [index, start] of offsets.entries()) {
      await this.file.step();
      for (; 12 * (run + 1) + 12 <= runs.length && runs.readUInt32BE(12 * (run + 1)) <= index + 1; run += 1) {
        if (run % SLICE === 0) await this.file.step();
      }
      const next = sample + (12 * run + 12 <= runs.length ? runs.readUInt32BE(12 * run + 4) : sizes.length);
      if (next > sizes.length / 4) this.endless.push(start);
      else {
        this.starts.push(start);
        this.ends.push(start + (await this.lengthOf(sizes, sample, next)));
        sample = next;
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
    const slices = new Float64Array(positions.length);
    for (let at = 0; at < positions.length; at += SLICE) {
      await this.file.step();
      slices.set(positions.slice(at, at + SLICE), at);
      slices.subarray(at, at + SLICE).sort();
    }
    let sorted: Float64Array = slices;
    for (let length = SLICE; length < sorted.length; length *= 2) sorted = await this.merged(sorted, length);
    return sorted;
  }

  /** Joins sorted parts of a length two by two. */
  private async merged(parts: Float64Array, length: number): Promise<Float64Array> {
    const merged = new Float64Array(parts.length);
    for (let [left, right] = [0, length], at = 0; at < parts.length; at += 1) {
      if (at % SLICE === 0) await this.file.step();
      if (at % (2 * length) === 0) [left, right] = [at, at + length];
      const middle = at - (at % (2 * length)) + length;
      const [first, second] = [
        left < middle ? parts[left] : undefined,
        right < middle + length ? parts[right] : undefined,
      ];
      const takesFirst = second === undefined || (first !== undefined && first <= second);
      merged[at] = (takesFirst ? first : second) ?? 0;
      if (takesFirst) left += 1;
      else right += 1;
    }
    return merged;
  }

  /** Where the chunks of a track begin; adds them to those of all. */
  private async offsets(track: TrackBoxes): Promise<readonly number[]> {
    const long = track.get('stbl/co64');
    const table = await this.table(long ?? track.get('stbl/stco'), 8);
    const width = long ? 8 : 4;
    const count = Math.floor(table.length / width);
    if (this.chunks.length + count > MOST_CHUNKS) throw damaged();
    const offsets: number[] = [];
    for (let at = 0; at < count * width; at += width) {
      if (offsets.length % SLICE === 0) await this.file.step();
      const offset = long ? Number(table.readBigUInt64BE(at)) : table.readUInt32BE(at);
      offsets.push(offset);
      this.chunks.push(offset);
    }
    return offsets;
  }

  private async lengthOf(sizes: Buffer, first: number, end: number): Promise<number> {
    let length = 0;
    for (let sample = first; sample < end; sample += 1) {
      if (sample % SLICE === 0) await this.file.step();
      length += sizes.readUInt32BE(4 * sample);
    }
    return length;
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
