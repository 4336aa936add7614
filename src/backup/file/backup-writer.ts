import { createHash } from 'node:crypto';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { PRIVATE_FILE } from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';
import type { BackupPlace } from '../place/backup-place.js';
import { Sealing } from './sealing.js';
import { TrailerAppender } from './trailer.js';

/** Files whose sums are in one list. */
const SUMS_AT_ONCE = 1_000;

/** What a file of the backup is like. */
export interface EntryFacts {
  readonly size: number;
  readonly modifiedAt: Date;
}

/**
 * Writes a backup: a tar compressed by zstd, encrypted when there is a key. After each thousand files comes a list of
 * their sums in the form of `sha256sum`, `sums/000001.sha256`.
 */
export class BackupWriter {
  private readonly tar: Pack = pack();
  private readonly written: Promise<void>;
  private sums: string[] = [];
  private sumLists = 0;

  private constructor(
    private readonly place: BackupPlace,
    key: Buffer | undefined,
    signal: AbortSignal | undefined,
  ) {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const options = signal ? { signal } : {};
    const end = key ? new Sealing(key) : new TrailerAppender();
    this.written = pipeline(this.tar, compress, end, place.begin(), options);
    this.written.catch(() => undefined); // `add` and `finish` report it
  }

  /** @throws BackupError when the place is taken, or there is no such folder */
  static async create(place: BackupPlace, key?: Buffer, signal?: AbortSignal): Promise<BackupWriter> {
    await place.requireFree();
    return new BackupWriter(place, key, signal);
  }

  /** Adds a small file. */
  async add(name: string, content: Buffer): Promise<void> {
    await this.entry(name, { size: content.length, modifiedAt: new Date() }, [content]);
    await this.addSum(name, createHash('sha256').update(content).digest('hex'));
  }

  /**
   * Adds a file of any size.
   * @throws BackupError when the stream has another length than `size`
   */
  async addStream(name: string, facts: EntryFacts, content: Readable): Promise<void> {
    const hash = createHash('sha256');
    await this.entry(name, facts, hashed(content, hash, facts.size, name));
    await this.addSum(name, hash.digest('hex'));
  }

  /** Ends the backup and gives it its name. Returns its size in bytes. */
  async finish(): Promise<number> {
    await this.addSums();
    this.tar.finalize();
    await this.written;
    return this.place.finish();
  }

  /** Removes what was written. */
  async abandon(): Promise<void> {
    this.tar.destroy();
    await this.written.catch(() => undefined);
    await this.place.abandon();
  }

  private async addSum(name: string, sum: string): Promise<void> {
    this.sums.push(sumLine(name, sum));
    if (this.sums.length === SUMS_AT_ONCE) await this.addSums();
  }

  private async addSums(): Promise<void> {
    this.sumLists += 1;
    const content = Buffer.from(this.sums.join(''));
    this.sums = [];
    await this.entry(sumsName(this.sumLists), { size: content.length, modifiedAt: new Date() }, [content]);
  }

  private async entry(
    name: string,
    { size, modifiedAt }: EntryFacts,
    content: Iterable<Buffer> | AsyncIterable<Buffer>,
  ): Promise<void> {
    const added = Promise.withResolvers<undefined>();
    const entry = this.tar.entry({ name, size, mtime: modifiedAt, mode: PRIVATE_FILE, type: 'file' }, (error) =>
      error ? added.reject(error) : added.resolve(undefined),
    );
    entry.on('error', () => undefined); // the callback gets it
    added.promise.catch(() => undefined);
    try {
      for await (const data of content) {
        // No `close` follows for an entry that was closed before: then `added` has failed already.
        if (!entry.write(data)) await Promise.race([drained(entry), added.promise]);
      }
      entry.end(undefined);
      await added.promise;
    } catch (error) {
      if (this.tar.destroyed) await this.written; // which knows the cause
      this.tar.destroy();
      throw error;
    }
  }
}

/** The name of a list of sums; `number` counts from 1. */
export function sumsName(number: number): string {
  return `sums/${String(number).padStart(6, '0')}.sha256`;
}

/** A line as `sha256sum` writes it. */
export function sumLine(name: string, sum: string): string {
  return `${sum}  ${name}\n`;
}

async function* hashed(content: Readable, hash: ReturnType<typeof createHash>, size: number, name: string) {
  let left = size;
  for await (const data of content as AsyncIterable<Buffer>) {
    left -= data.length;
    hash.update(data);
    yield data;
  }
  if (left !== 0) throw new BackupError(`${name} was changed while it was read: try again.`);
}

/** Resolves when there is room for more, or when nothing more is written. */
function drained(entry: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      entry.off('drain', end).off('close', end);
      resolve();
    };
    entry.on('drain', end).on('close', end);
  });
}
