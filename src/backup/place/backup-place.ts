import type { Readable, Writable } from 'node:stream';

/** Where one backup is, or will be: a file, or an object in a bucket. It has its name only when it is whole. */
export interface BackupPlace {
  /** As the operator names it. */
  readonly name: string;
  /** @throws BackupError when something is there already, or nothing can be there */
  requireFree(): Promise<void>;
  /** Takes the bytes of the backup. */
  begin(): Writable;
  /** Gives the backup its name, once all bytes were taken. Returns its size in bytes. */
  finish(): Promise<number>;
  /** Removes what was taken. */
  abandon(): Promise<void>;
  /** The bytes of the backup. */
  open(signal?: AbortSignal): Readable;
  /** Up to so many bytes from a position, counted from the end when it is negative. @throws BackupError when nothing is there */
  read(start: number, length: number): Promise<Buffer>;
}
