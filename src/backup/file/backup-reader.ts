import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createZstdDecompress } from 'node:zlib';
import { extract } from 'tar-stream';
import { hasCode, StorageError } from '../../platform/index.js';
import { BackupDamaged, BackupError } from '../model/backup-error.js';
import type { BackupPlace } from '../place/backup-place.js';
import { sumLine, sumsName } from './backup-writer.js';
import { Opening, SEALED_MAGIC } from './sealing.js';
import { TRAILER } from './trailer.js';

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** The largest description that is read into memory: the manifest, the totals, a list of sums. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** A SHA-256 as hex, and the two spaces before the name. */
const SUM_LENGTH = 66;

/** A file of a backup; its content has to be read to its end before the next one comes. */
export interface BackupEntry {
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: Date;
  readonly content: AsyncIterable<Buffer>;
}

/**
 * Reads the files of a backup one after the other, and compares each with its sum. A file that was used before its sum
 * was read may be wrong: that is known at the end, when this fails.
 * @throws BackupDamaged, or BackupError when there is no such backup or the key is missing or wrong
 */
export async function* readBackup(place: BackupPlace, key?: Buffer, signal?: AbortSignal): AsyncGenerator<BackupEntry> {
  const isSealed = await isSealedBackup(place);
  if (isSealed && !key) throw new BackupError(`${place.name} is encrypted: give the key with --key-file.`);
  const opened = openStream(place, isSealed ? key : undefined, signal);
  const sums = new Sums(opened.explain);
  try {
    for await (const entry of opened.files) {
      const { name, size, type, mtime } = entry.header;
      if (type !== 'file') throw new BackupDamaged(`${name} is no file`);
      const content = entry as AsyncIterable<Buffer>;
      if (name.startsWith('sums/')) sums.compare(name, await textOf(name, size, content));
      else yield { name, size, modifiedAt: mtime, content: sums.counting(name, content) };
    }
  } catch (error) {
    throw opened.explain(error);
  } finally {
    opened.close();
  }
  opened.requireWhole();
  sums.requireComplete();
}

/** The files of the tar; `explain` turns an error of any of its streams into one for the operator. */
function openStream(place: BackupPlace, key: Buffer | undefined, signal: AbortSignal | undefined) {
  let failure: unknown;
  const fail = (error: unknown) => (failure ??= error ?? undefined);
  const source = place.open(signal);
  const unpack = createZstdDecompress();
  const files = extract();
  if (key) pipeline(source, new Opening(key), unpack, files, fail);
  else pipeline(source, unpack, files, fail);
  const explain = (error: unknown) => explained(failure ?? error, signal);
  return {
    files,
    explain,
    requireWhole: () => {
      if (failure) throw explain(failure);
    },
    close: () => {
      files.destroy();
      source.destroy();
    },
  };
}

/** Reads a description. */
export async function textOf(name: string, size: number, content: AsyncIterable<Buffer>): Promise<string> {
  if (size > MAX_TEXT_BYTES) throw new BackupDamaged(`${name} is too long`);
  return text(content);
}

/** @throws BackupError when it is neither kind of backup, or not there */
async function isSealedBackup(place: BackupPlace): Promise<boolean> {
  const start = await place.read(0, SEALED_MAGIC.length);
  if (start.equals(SEALED_MAGIC)) return true;
  if (!start.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC)) throw new BackupError(`${place.name} is no backup.`);
  if (!(await place.read(-TRAILER.length, TRAILER.length)).equals(TRAILER))
    throw new BackupDamaged('its end is missing');
  return false;
}

function explained(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof BackupError) return error;
  if (error instanceof StorageError) return new BackupError(`${error.message}.`);
  if (hasCode(error, 'ZSTD_error_checksum_wrong')) return new BackupDamaged('its bytes were changed', { cause: error });
  const isOfFormat =
    error instanceof Error &&
    /zstd|tar|unexpected end|premature|invalid header|header exceeds|stream was destroyed/i.test(
      `${String((error as NodeJS.ErrnoException).code)} ${error.message}`,
    );
  return isOfFormat ? new BackupDamaged('it was changed or cut off', { cause: error }) : error;
}

/** The sums of the files since the last list. */
class Sums {
  private lines: string[] = [];
  private lists = 0;

  constructor(private readonly explain: (error: unknown) => unknown) {}

  async *counting(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    try {
      for await (const data of content) {
        hash.update(data);
        yield data;
      }
    } catch (error) {
      throw this.explain(error); // it arises where the content is read
    }
    this.lines.push(sumLine(name, hash.digest('hex')));
  }

  compare(name: string, text: string): void {
    this.lists += 1;
    const expected = new Set(text.split(/(?<=\n)/));
    const wrong = this.lines.find((line) => !expected.has(line))?.slice(SUM_LENGTH);
    if (wrong !== undefined) {
      const isListed = [...expected].some((line) => line.slice(SUM_LENGTH) === wrong);
      throw new BackupDamaged(
        isListed ? `the sum of ${wrong.trim()} is wrong` : `${wrong.trim()} is in no list of sums`,
      );
    }
    if (name !== sumsName(this.lists) || text !== this.lines.join(''))
      throw new BackupDamaged(`${name} lists other files`);
    this.lines = [];
  }

  requireComplete(): void {
    if (this.lists === 0 || this.lines.length > 0) throw new BackupDamaged('its end is missing');
  }
}
