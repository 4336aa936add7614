import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  type OnModuleInit,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ENV, type Env, secureFolder, SweepsHere } from '../../platform/index.js';
import { decodeUtf8 } from './decode.js';
import { Invalid } from '../errors/errors.js';
import { requestOf } from '../routing/request.js';
import { textProblem } from '../text/gate.js';

/** The live limits of files, in bytes, by purpose. */
export interface FileLimits {
  readonly media: number;
  readonly avatar: number;
  readonly banner: number;
  readonly background: number;
}

/** Bytes, or the live limit of that name. */
export type FileSize = number | keyof FileLimits;

/** The files that a handler accepts. */
export interface FilePolicy {
  /** For all files, or for each field: then other fields accept none. A larger file gets 413 while it is being sent. */
  readonly maxBytes: FileSize | Readonly<Record<string, FileSize>>;
  /** Files in one request; the default is 1, or one for each field. */
  readonly maxFiles?: number;
  /** Whether a file may also be sent as a `data:` URI, in any kind of body: the limit of a body bounds it then. */
  readonly dataUris?: true;
}

/** The files that a form may hold. */
export interface FileRules {
  readonly maxFiles: number;
  /** Undefined: the field accepts no file. */
  readonly maxBytes: (field: string) => number | undefined;
  /** A larger file is left out and reported, so that the fields of the form are read; else it refuses the form. */
  readonly leavesOut?: true;
}

const FILES = 'accepts-files';
const ABANDONED_AFTER_MS = 3_600_000;

/** Removes the files of a request when its handler is done with them, before the answer is sent. */
class RemovesFiles implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { files = [] } = requestOf(context);
    return from(lastValueFrom(next.handle(), { defaultValue: undefined }).finally(() => removeFiles(files)));
  }
}

/** Makes a handler accept file parts; every other handler answers them with 400. */
export const AcceptsFiles = (policy: FilePolicy) =>
  applyDecorators(SetMetadata(FILES, policy), UseInterceptors(new RemovesFiles()));

/** The files that {@link AcceptsFiles} declared for a handler. */
export function filePolicyOf(handler: object): FilePolicy | undefined {
  return Reflect.getOwnMetadata(FILES, handler) as FilePolicy | undefined;
}

/** Whether a handler accepts files. */
export function takesFiles(handler: object): boolean {
  return filePolicyOf(handler) !== undefined;
}

/** A file of a request, on disk until the handler is done: a handler that stores it moves it away before. */
export class UploadedFile {
  constructor(
    readonly path: string,
    /** The client's name for it: untrusted, never part of a path. */
    readonly filename: string,
    /** The client's claim: untrusted. */
    readonly mimeType: string,
    /** In bytes. */
    readonly size: number,
  ) {}

  /** The whole file. */
  bytes(): Promise<Buffer> {
    return readFile(this.path);
  }

  /** The whole file as text. Throws Invalid for what is no UTF-8 or cannot be stored. */
  async text(): Promise<string> {
    const text = decodeUtf8(await this.bytes());
    if (textProblem(text)) throw new Invalid('The file is not well-formed text');
    return text;
  }
}

/** Removes files that are still there. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

/** The limits of files, and the folder for the files of running requests. */
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
   * Removes old files of killed processes; another process may use the folder. Runs daily too: at a restart the files
   * of the killed process are not old yet.
   */
  @SweepsHere()
  async sweep(): Promise<void> {
    const oldest = Date.now() - ABANDONED_AFTER_MS;
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const entry = await stat(path).catch(() => undefined); // removed meanwhile
      if (entry && entry.mtimeMs < oldest) await rm(path, { force: true });
    }
  }

  /** Sets the live limits. */
  configure(limits: FileLimits): void {
    this.limits = limits;
  }

  /** The current rules for a handler's files. `neutral` translates an app's field name to the name here. */
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
