import { open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { inSlices } from '../../platform/index.js';
import { decodeUtf8 } from './decode.js';
import { Invalid, TooLarge } from '../errors/errors.js';
import { MAX_KEYS } from './plain-data.js';
import { type FormField, parseFields } from './query.js';
import { MAX_DROPPED_BYTES, receivedBytes } from './received-bytes.js';
import { textProblem } from '../text/gate.js';
import { type FileRules, removeFiles, UploadedFile } from './uploads.js';
import { phrase } from '../reasons/reasons.js';

const PART_HEADER_BYTES = 16_384;
const PART_HEADERS = 32;
/** What the parser gets at once: it may hold a hundred parts. */
const PIECE_BYTES = 8_192;
/** The characters of a name that an error repeats. */
const SHOWN_NAME = 100;

export interface MultipartOptions {
  /** The maximum size of all fields together, in bytes. */
  readonly maxFieldBytes: number;
  /** Undefined: file parts are refused. */
  readonly files: FileRules | undefined;
  /** The path of the next file. */
  readonly newPath: () => string;
}

/** A form: the fields in their structure, and the files by field name. */
export interface MultipartForm {
  readonly fields: Record<string, unknown>;
  readonly files: ReadonlyMap<string, UploadedFile>;
  /** All written paths, also of fields without a file and of files that a later one replaced. */
  readonly paths: readonly string[];
  /** Why a file was left out, where the rules allow that. */
  readonly refusal: TooLarge | undefined;
}

/**
 * Reads a `multipart/form-data` body and streams files to disk. Nothing stays on disk when it fails.
 * @throws Invalid for a malformed form, text that is not UTF-8 and unexpected files; TooLarge over a limit
 */
export async function readMultipart(request: IncomingMessage, options: MultipartOptions): Promise<MultipartForm> {
  const reading = new Reading(request, options);
  try {
    await reading.run();
    const { fields, files, paths, refusal } = reading;
    return { fields: parseFields(fields), files, paths, refusal };
  } catch (error) {
    await reading.discard();
    throw error;
  }
}

/** A name with its text, its file, or nothing for a file field without a choice. */
type Part = readonly [name: string, content: string | UploadedFile | undefined];

class Reading {
  readonly fields: FormField[] = [];
  readonly files = new Map<string, UploadedFile>();
  readonly paths: string[] = [];
  refusal: TooLarge | undefined;
  private readonly open = new Set<BusboyFileStream>();
  private readonly parts: Promise<Part>[] = []; // in the order of the form
  private readonly ended = Promise.withResolvers<undefined>();
  private fieldBytes = 0;
  private isRefused = false;

  constructor(
    private readonly request: IncomingMessage,
    private readonly options: MultipartOptions,
  ) {}

  async run(): Promise<void> {
    const { request } = this;
    const form = this.parser(request);
    form.on('file', (name: string | undefined, stream, filename: string | undefined, _encoding, mimeType) => {
      const part = this.part(name, stream, filename, mimeType);
      part.catch((error: unknown) => this.ended.reject(error));
      this.parts.push(part);
    });
    form.on('partsLimit', () => this.ended.reject(new Invalid('The request has too many parameters')));
    form.on('error', (cause) => this.ended.reject(new Invalid('The form is malformed', { cause })));
    form.on('finish', () => this.ended.resolve(undefined));
    request.once('error', (cause) => this.ended.reject(new Invalid('The request ended early', { cause })));
    let fed = Promise.resolve();
    const feed = (): void => {
      fed = fed.then(() => this.feed(form)).catch(this.ended.reject);
    };
    request.on('readable', feed).once('end', () => void fed.then(() => form.end()));
    try {
      await this.ended.promise; // rejects at the first error
      for (const part of await Promise.all(this.parts)) this.add(part);
    } catch (error) {
      this.isRefused = true;
      request.off('readable', feed).resume(); // reads and drops the rest, so that the client gets the answer
      this.open.forEach((stream) => stream.destroy(new Error('refused'))); // without an error a paused pipeline never ends
      throw error;
    } finally {
      receivedBytes.release(request);
    }
  }

  /**
   * Gives the parser what has come, in one piece: a body may come byte by byte, and events for each of them would leave no turn
   * to others. Resolves when the parser wants more, and never once the form was refused.
   */
  private async feed(form: BusboyInstance): Promise<void> {
    while (!this.isRefused) {
      const chunk = this.request.read() as Buffer | null;
      if (chunk === null) return;
      await inSlices(piecesOf(chunk), (piece) => {
        return this.isRefused ? undefined : new Promise<void>((resolve) => form.write(piece, () => resolve()));
      });
    }
  }

  /** Removes the files of a form that failed. */
  async discard(): Promise<void> {
    await Promise.allSettled(this.parts);
    await removeFiles(this.paths);
  }

  /** Takes every part as a stream, so that the bytes of fields arrive undecoded. */
  private parser(request: IncomingMessage): BusboyInstance {
    try {
      return new Busboy({
        headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
        isPartAFile: () => true,
        limits: {
          parts: MAX_KEYS,
          headerPairs: PART_HEADERS,
          headerSize: PART_HEADER_BYTES,
        },
      });
    } catch (cause) {
      throw new Invalid('The form is malformed', { cause });
    }
  }

  private async part(
    name: string | undefined,
    stream: BusboyFileStream,
    filename: string | undefined,
    mimeType: string,
  ): Promise<Part> {
    this.open.add(stream);
    stream.on('error', () => undefined); // an incomplete part; the form itself reports it
    if (name === undefined) throw new Invalid('A part of the form has no name');
    const content =
      filename === undefined ? await this.text(stream) : await this.file(name, stream, filename, mimeType);
    this.open.delete(stream);
    return [name, content];
  }

  /** The last file of a field counts. */
  private add([name, content]: Part): void {
    if (typeof content === 'string') this.fields.push([name, content]);
    else if (content) this.files.set(name, content);
  }

  /** Uses events, since `for await` over the stream costs more than the rest of reading a field. */
  private async text(stream: BusboyFileStream): Promise<string> {
    const chunks: Buffer[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    stream.on('data', (chunk: Buffer) => {
      this.fieldBytes += chunk.length;
      receivedBytes.add(this.request, chunk);
      if (this.fieldBytes > this.options.maxFieldBytes) reject(new TooLarge());
      else chunks.push(chunk);
    });
    stream.once('end', () => resolve(undefined)).once('error', reject);
    await promise;
    return decodeUtf8(Buffer.concat(chunks));
  }

  private async file(
    name: string,
    stream: BusboyFileStream,
    filename: string,
    mimeType: string,
  ): Promise<UploadedFile | undefined> {
    const { files, newPath } = this.options;
    const maxBytes = files?.maxBytes(name);
    if (!files) throw new Invalid('Files are not accepted here');
    if (textProblem(name)) throw new Invalid('The name of a file field is not well-formed text');
    if (maxBytes === undefined)
      throw new Invalid(
        phrase('The field {field} takes no file', { field: JSON.stringify(name.slice(0, SHOWN_NAME)) }),
      );
    if (this.paths.length >= files.maxFiles) throw new Invalid('Too many files');
    if (textProblem(filename)) throw new Invalid('The name of a file is not well-formed text');
    const path = newPath();
    this.paths.push(path);
    const disk = await open(path, 'wx', 0o600); // a stream could still open it after the form was refused
    await pipeline(stream, upTo(maxBytes, files.leavesOut), disk.createWriteStream());
    if (stream.bytesRead > maxBytes) {
      this.refusal ??= new TooLarge();
      return undefined;
    }
    const isEmptyInput = filename === '' && stream.bytesRead === 0; // a browser's file field without a choice
    return isEmptyInput ? undefined : new UploadedFile(path, filename, mimeType, stream.bytesRead);
  }
}

function piecesOf(chunk: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(chunk.length / PIECE_BYTES) }, (_, at) =>
    chunk.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES),
  );
}

/**
 * Passes bytes on, and fails with the first beyond the limit; or drops those beyond it, within reason, so that the rest of
 * the form is read.
 */
function upTo(maxBytes: number, dropsRest = false): (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer> {
  return async function* (source) {
    let passed = 0;
    for await (const chunk of source) {
      passed += chunk.length;
      if (passed <= maxBytes) yield chunk;
      else if (!dropsRest || passed > maxBytes + MAX_DROPPED_BYTES) throw new TooLarge();
    }
  };
}
