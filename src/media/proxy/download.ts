import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { MediaType } from '../../platform/index.js';

const PIECE_BYTES = 64 * 1024;

/** A download in progress. Any number of readers follow it, each at its own speed. */
export class Download<Stored> {
  /** The result of `finish` once the file is whole; rejects when the download fails. */
  readonly finished: Promise<Stored>;
  private written = 0;
  private readers = 0;
  private state: 'arriving' | 'whole' | 'broken' = 'arriving';
  private failure: Error | undefined;
  private waiting: (() => void)[] = [];

  constructor(
    readonly type: MediaType,
    /** In bytes, if the other server sent it. */
    readonly length: number | undefined,
    private readonly file: FileHandle,
    body: AsyncIterable<Buffer>,
    finish: () => Promise<Stored>,
  ) {
    this.finished = this.write(body, finish);
    this.finished.catch(() => undefined); // readers get the error
  }

  /** The whole file from the beginning, to be read or destroyed; undefined when the download is over. */
  read(): Readable | undefined {
    if (this.state !== 'arriving') return undefined;
    this.readers += 1;
    let at = 0;
    const next = async (stream: Readable) => {
      const piece = await this.piece(at);
      at += piece?.length ?? 0;
      stream.push(piece);
    };
    return new Readable({
      read() {
        next(this).catch((error: unknown) => this.destroy(error as Error));
      },
      destroy: (error, done) => {
        this.readers -= 1;
        this.closeWhenDone().then(() => done(error), done);
      },
    });
  }

  private async write(body: AsyncIterable<Buffer>, finish: () => Promise<Stored>): Promise<Stored> {
    try {
      for await (const chunk of body) {
        await this.append(chunk);
        this.notifyReaders();
      }
      const stored = await finish();
      this.state = 'whole';
      return stored;
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error('The file broke off');
      this.state = 'broken';
      throw error;
    } finally {
      this.notifyReaders();
      await this.closeWhenDone();
    }
  }

  private async append(chunk: Buffer): Promise<void> {
    for (let done = 0; done < chunk.length;) {
      const { bytesWritten } = await this.file.write(chunk, done, chunk.length - done, this.written);
      done += bytesWritten;
      this.written += bytesWritten;
    }
  }

  /** The bytes from a position on, as soon as there are some; null at the end. */
  private async piece(at: number): Promise<Buffer | null> {
    while (at >= this.written) {
      if (this.failure) throw this.failure;
      if (this.state === 'whole') return null;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, this.written - at));
    const { bytesRead } = await this.file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) throw new Error('The file was cut short on the disk'); // a reader would wait forever for an empty piece
    return buffer.subarray(0, bytesRead);
  }

  private notifyReaders(): void {
    for (const resume of this.waiting.splice(0)) resume();
  }

  private async closeWhenDone(): Promise<void> {
    if (this.state !== 'arriving' && this.readers === 0) await this.file.close();
  }
}
