import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasCode } from '../../env/errors.js';
import { UnreadableMedia } from '../media-facts.js';

const WINDOW_BYTES = 65_536;
const ZEROS = Buffer.alloc(WINDOW_BYTES);
/** What takes longer was made to take long. */
const LONGEST_MS = 120_000;
/** A cleaner works for so long without a pause at most. */
const STRETCH_MS = 5;
/** The most steps of a cleaner; what takes more was made of many parts of nothing. Longer files have more frames. */
const MOST_STEPS = 2_000_000;
const BYTES_A_STEP = 16;
/** An access to the disk counts as so many steps. */
const COST_OF_DISK = 100;
/** What Node throws where a length in a file leads out of the bytes that were read. */
const BEYOND_BUFFER = ['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS'];

/**
 * A file that is cleaned where it lies, with a window of it in memory. Either parts of it are blanked and everything stays in
 * its place, or kept parts move towards the beginning and the rest is cut off.
 */
export class EditedFile {
  private window = { start: 0, bytes: Buffer.alloc(0) };
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  /** So many bytes at the beginning of the file are written or kept already. */
  private written = 0;
  private readonly deadline = performance.now() + LONGEST_MS;
  private paused = performance.now();
  private stepsLeft: number;

  private constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {
    this.stepsLeft = MOST_STEPS + size / BYTES_A_STEP;
  }

  /** @throws UnreadableMedia */
  static async edit<T>(path: string, change: (file: EditedFile) => Promise<T>): Promise<T> {
    const file = await open(path, 'r+');
    try {
      return await change(new EditedFile(file, (await file.stat()).size));
    } catch (error) {
      throw hasCode(error, ...BEYOND_BUFFER) ? damaged(error) : error;
    } finally {
      await file.close();
    }
  }

  /**
   * Begins a step of a cleaner; each loop has one. What is in memory waits for nothing, so a loop over it would never let other
   * requests have their turn.
   * @throws UnreadableMedia when there were too many
   */
  async step(cost = 1): Promise<void> {
    const now = performance.now();
    if ((this.stepsLeft -= cost) < 0 || now > this.deadline) throw damaged();
    if (now - this.paused < STRETCH_MS) return;
    await nextTurn();
    this.paused = performance.now();
  }

  /** The bytes of a range, or those of them that there are. They are those of the file until it changes. */
  async upTo(start: number, length: number): Promise<Buffer> {
    await this.step();
    const wanted = Math.max(0, Math.min(length, this.size - start));
    const { window } = this;
    if (start < window.start || start + wanted > window.start + window.bytes.length) await this.load(start, wanted);
    const from = start - this.window.start;
    return this.window.bytes.subarray(from, from + wanted);
  }

  /** @throws UnreadableMedia when the file ends before */
  async exactly(start: number, length: number): Promise<Buffer> {
    const bytes = await this.upTo(start, length);
    if (bytes.length < length) throw damaged();
    return bytes;
  }

  async write(bytes: Buffer, start: number): Promise<void> {
    await this.step(COST_OF_DISK);
    const { window } = this;
    const first = Math.max(start, window.start);
    const end = Math.min(start + bytes.length, window.start + window.bytes.length);
    if (first < end) bytes.copy(window.bytes, first - window.start, first - start, end - start);
    await this.file.write(bytes, 0, bytes.length, start);
  }

  async blank(start: number, end: number): Promise<void> {
    for (let at = start; at < end; at += ZEROS.length) await this.write(ZEROS.subarray(0, end - at), at);
  }

  /** Everything from here on is dropped. */
  async cut(end: number): Promise<void> {
    await this.file.truncate(end);
  }

  /** Adds a part of the file to what is kept; it lies behind all parts that were kept before. */
  async copy(start: number, end: number): Promise<void> {
    if (end > this.size) throw damaged();
    if (this.written === start && this.waitingBytes === 0) this.written = end;
    else
      for (let at = start; at < end; at += WINDOW_BYTES) {
        await this.add(await this.exactly(at, Math.min(WINDOW_BYTES, end - at)));
      }
  }

  /** Adds bytes to what is kept, no more than were left out before. */
  async add(bytes: Buffer): Promise<void> {
    this.waiting.push(Buffer.from(bytes));
    this.waitingBytes += bytes.length;
    if (this.waitingBytes >= WINDOW_BYTES) await this.flush();
  }

  /** Cuts off what was not kept. Returns the new size. */
  async finish(): Promise<number> {
    await this.flush();
    await this.cut(this.written);
    return this.written;
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.concat(this.waiting.splice(0));
    this.waitingBytes = 0;
    await this.file.write(bytes, 0, bytes.length, this.written);
    this.written += bytes.length;
  }

  private async load(start: number, wanted: number): Promise<void> {
    await this.step(COST_OF_DISK);
    const space = Buffer.alloc(Math.min(Math.max(WINDOW_BYTES, wanted), Math.max(0, this.size - start)));
    const { bytesRead } = await this.file.read(space, 0, space.length, start);
    this.window = { start, bytes: space.subarray(0, bytesRead) };
  }
}

/** The error for a file that cannot be cleaned, since its structure is not what its format demands. */
export function damaged(cause?: unknown): UnreadableMedia {
  return new UnreadableMedia('The file is damaged', { cause });
}
