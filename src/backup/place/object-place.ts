import { addAbortSignal, PassThrough, Readable, type Writable } from 'node:stream';
import { messageOf, type ObjectStore, StorageError } from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';
import type { BackupPlace } from './backup-place.js';

/** An object in a bucket. It is sent in parts as it is made; the storage shows it when the last one is there. */
export class ObjectPlace implements BackupPlace {
  private sending: Promise<number> | undefined;

  constructor(
    private readonly store: ObjectStore,
    private readonly key: string,
    readonly name: string,
  ) {}

  async requireFree(): Promise<void> {
    if (await explained(this.store.stat(this.key))) throw new BackupError(`${this.name} is there already.`);
  }

  begin(): Writable {
    const through = new PassThrough();
    this.sending = this.store.put(this.key, through);
    this.sending.catch((error: unknown) => through.destroy(asError(error)));
    return through;
  }

  async finish(): Promise<number> {
    return explained(this.sending ?? Promise.resolve(0));
  }

  async abandon(): Promise<void> {
    await this.sending?.catch(() => undefined); // the parts are removed by then
  }

  open(signal?: AbortSignal): Readable {
    const content = Readable.from(this.store.read(this.key), { objectMode: false });
    return signal ? addAbortSignal(signal, content) : content;
  }

  async read(start: number, length: number): Promise<Buffer> {
    const found = await explained(this.store.stat(this.key));
    if (!found) throw new BackupError(`${this.name} cannot be read.`);
    const from = start < 0 ? Math.max(0, found.size + start) : start;
    const end = Math.min(found.size, from + length) - 1;
    return (
      (end < from ? undefined : await explained(this.store.bytes(this.key, { start: from, end }))) ?? Buffer.alloc(0)
    );
  }
}

/** Turns a failure of the storage into one for the operator. */
export async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asError(error);
  }
}

function asError(error: unknown): Error {
  if (error instanceof StorageError) return new BackupError(`${messageOf(error)}.`);
  return error instanceof Error ? error : new Error(String(error));
}
