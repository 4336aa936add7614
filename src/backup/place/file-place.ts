import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { PRIVATE_FILE, readProblem, unlessMissing } from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';
import type { BackupPlace } from './backup-place.js';

/** A file of this machine, which is called `<path>.partial` until it is whole. */
export class FilePlace implements BackupPlace {
  constructor(readonly name: string) {}

  async requireFree(): Promise<void> {
    if (await stat(this.name).catch(unlessMissing)) throw new BackupError(`${this.name} is there already.`);
    const folder = dirname(this.name);
    if (!(await stat(folder).catch(unlessMissing))) throw new BackupError(`There is no folder ${folder}.`);
    await rm(this.draft, { force: true }); // its mode may be another one
  }

  begin(): Writable {
    return createWriteStream(this.draft, { mode: PRIVATE_FILE, flush: true });
  }

  async finish(): Promise<number> {
    await rename(this.draft, this.name);
    await using folder = await open(dirname(this.name));
    await folder.sync();
    return (await stat(this.name)).size;
  }

  async abandon(): Promise<void> {
    await rm(this.draft, { force: true });
  }

  open(signal?: AbortSignal): Readable {
    return createReadStream(this.name, signal ? { signal } : {});
  }

  async read(start: number, length: number): Promise<Buffer> {
    try {
      await using file = await open(this.name);
      const from = start < 0 ? Math.max(0, (await file.stat()).size + start) : start;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      const problem = readProblem(this.name, error);
      throw problem ? new BackupError(problem.message, { cause: error }) : error;
    }
  }

  private get draft(): string {
    return `${this.name}.partial`;
  }
}
