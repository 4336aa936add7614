import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit, SetMetadata } from '@nestjs/common';
import { ENV, type Env } from '../platform/index.js';

/** What a handler takes in the way of files. */
export interface FilePolicy {
  /** Of one file, in bytes. More is answered with 413 while it is still being sent. */
  readonly maxBytes: number;
  /** Files in one request; 1 unless given. */
  readonly maxFiles?: number;
}

const FILES = 'accepts-files';
const ABANDONED_AFTER_MS = 3_600_000;

/** Lets file parts into a handler; every other handler answers them with 400. */
export const AcceptsFiles = (policy: FilePolicy) => SetMetadata(FILES, policy);

/** What {@link AcceptsFiles} said about a handler. */
export function filePolicyOf(handler: object): FilePolicy | undefined {
  return Reflect.getMetadata(FILES, handler) as FilePolicy | undefined;
}

/** A file of a request, on disk until the handler is done: whoever keeps it moves it away before. */
export class UploadedFile {
  constructor(
    readonly path: string,
    /** As the client called it: untrusted, never part of a path. */
    readonly filename: string,
    /** As the client says: untrusted. */
    readonly mimeType: string,
    /** In bytes. */
    readonly size: number,
  ) {}
}

/** The folder in which uploads lie while their request runs. */
@Injectable()
export class Uploads implements OnModuleInit {
  private readonly folder: string;

  constructor(@Inject(ENV) env: Env) {
    this.folder = join(env.dataDir, 'uploads');
  }

  /** Removes what a killed process left behind; another process may be using the folder, so only what is old. */
  async onModuleInit(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const oldest = Date.now() - ABANDONED_AFTER_MS;
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const entry = await stat(path).catch(() => undefined); // gone meanwhile
      if (entry && entry.mtimeMs < oldest) await rm(path, { force: true });
    }
  }

  /** The path of a file that does not exist yet. */
  newPath(): string {
    return join(this.folder, randomUUID());
  }
}
