import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit, SetMetadata } from '@nestjs/common';
import { ENV, type Env, secureFolder } from '../../platform/index.js';
import { decodeUtf8 } from './decode.js';
import { Invalid } from '../errors/errors.js';
import { textProblem } from '../text/gate.js';

/** The live limits of files, in bytes, by what the files are for. */
export interface FileLimits {
  readonly media: number;
  readonly avatar: number;
  readonly banner: number;
  readonly background: number;
}

/** Bytes, or the live limit of that name. */
export type FileSize = number | keyof FileLimits;

/** What a handler takes in the way of files. */
export interface FilePolicy {
  /** Of one file, or of each by its field: then no other field takes any. More is answered with 413 while it is being sent. */
  readonly maxBytes: FileSize | Readonly<Record<string, FileSize>>;
  /** Files in one request; unless given 1, or one for each field. */
  readonly maxFiles?: number;
  /** Whether a file may be sent as a `data:` URI too, in any kind of body: it is no larger than a body may be then. */
  readonly dataUris?: true;
}

/** What a form may hold in the way of files. */
export interface FileRules {
  readonly maxFiles: number;
  /** Undefined: the field takes no file. */
  readonly maxBytes: (field: string) => number | undefined;
}

const FILES = 'accepts-files';
const ABANDONED_AFTER_MS = 3_600_000;

/** Lets file parts into a handler; every other handler answers them with 400. */
export const AcceptsFiles = (policy: FilePolicy) => SetMetadata(FILES, policy);

/** What {@link AcceptsFiles} said about a handler. */
export function filePolicyOf(handler: object): FilePolicy | undefined {
  return Reflect.getMetadata(FILES, handler) as FilePolicy | undefined;
}

/** Whether a handler takes files. */
export function takesFiles(handler: object): boolean {
  return filePolicyOf(handler) !== undefined;
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

  /** The whole file as text. Throws Invalid for what is no UTF-8 or cannot be stored. */
  async text(): Promise<string> {
    const text = decodeUtf8(await readFile(this.path));
    if (textProblem(text)) throw new Invalid('The file is not well-formed text');
    return text;
  }
}

/** Removes files that lie there yet. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

/** How large files may be, and the folder in which they lie while their request runs. */
@Injectable()
export class Uploads implements OnModuleInit {
  private readonly folder: string;
  private limits: FileLimits = { media: 0, avatar: 0, banner: 0, background: 0 };

  constructor(@Inject(ENV) env: Env) {
    this.folder = join(env.dataDir, 'uploads');
  }

  async onModuleInit(): Promise<void> {
    await secureFolder(this.folder);
    await this.sweep();
  }

  /**
   * Removes what a killed process left behind; another process may be using the folder, so only what is old. Daily too: when
   * the killed one is started anew, nothing of it is old yet, and the next start may be months away.
   */
  async sweep(): Promise<void> {
    const oldest = Date.now() - ABANDONED_AFTER_MS;
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const entry = await stat(path).catch(() => undefined); // gone meanwhile
      if (entry && entry.mtimeMs < oldest) await rm(path, { force: true });
    }
  }

  /** Sets the live limits. */
  configure(limits: FileLimits): void {
    this.limits = limits;
  }

  /** What holds for a handler's files now. `neutral` is how a field that an app named is called here. */
  rules({ maxBytes, maxFiles }: FilePolicy, neutral: (field: string) => string): FileRules {
    const bytes = (size: FileSize) => (typeof size === 'number' ? size : this.limits[size]);
    if (typeof maxBytes !== 'object') return { maxFiles: maxFiles ?? 1, maxBytes: () => bytes(maxBytes) };
    const byField = new Map(Object.entries(maxBytes).map(([field, size]) => [field, bytes(size)]));
    return { maxFiles: maxFiles ?? byField.size, maxBytes: (field) => byField.get(neutral(field)) };
  }

  /** The path of a file that does not exist yet. */
  newPath(): string {
    return join(this.folder, randomUUID());
  }
}
