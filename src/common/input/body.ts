import type { IncomingMessage } from 'node:http';
import { decodeUtf8 } from './decode.js';
import { Invalid, TooLarge, Unsupported } from '../errors/errors.js';
import { ExcessiveJson, readForeignJson } from './foreign-json.js';
import { readMultipart } from './multipart.js';
import { emptyData, isPlainObject, MAX_KEYS, plainData } from './plain-data.js';
import { parseQuery } from './query.js';
import { MAX_DROPPED_BYTES, receivedBytes } from './received-bytes.js';
import type { Body } from '../routing/request.js';
import { assertCleanText } from '../text/gate.js';
import { type FileRules, removeFiles } from './uploads.js';
import { phrase } from '../reasons/reasons.js';

/** Most bytes of a body without its files. */
export const MAX_BODY_BYTES = 1_048_576;
/** Most values in a JSON body: no list of the API has as many, and each costs a check (threat H26). */
const MAX_JSON_VALUES = 10_000;
/** Time to send a body without files… */
const BODY_MS = 60_000;
/** …and the longest pause in one with files. */
const UPLOAD_PAUSE_MS = 15_000;

export interface BodyOptions {
  readonly files: FileRules | undefined;
  readonly newPath: () => string;
  /** Of the body without its files. */
  readonly maxBytes: number;
}

/**
 * Reads a request's body in any of the encodings of the API: JSON, urlencoded or multipart form. Nothing is left on disk when
 * it fails.
 * @throws Invalid for what cannot be read, Unsupported for other encodings, TooLarge over the limits
 */
export async function readBody(request: IncomingMessage, options: BodyOptions): Promise<Body> {
  if (!hasBody(request)) return { values: emptyData(), paths: [] };
  const body = await inTime(request, options.files !== undefined, () => decodedBody(request, options));
  try {
    refuseUncleanText(body.values);
  } catch (error) {
    await removeFiles(body.paths);
    throw error;
  }
  return body;
}

/**
 * Reads the bytes of a request's body.
 * @throws Unsupported for other media types, TooLarge over the limit
 */
export async function readRawBody(request: IncomingMessage, mediaTypes: readonly string[]): Promise<Buffer> {
  if (!mediaTypes.includes(mediaType(request)))
    throw new Unsupported(phrase('Send {types}', { types: mediaTypes.join(' or ') }));
  return inTime(request, false, () => readBytes(request, MAX_BODY_BYTES));
}

/**
 * Reads a body to its end, drops it and counts its bytes.
 * @throws TooLarge above `limit`
 */
export function countBodyBytes(request: IncomingMessage, limit: number): Promise<number> {
  return inTime(request, true, async () => {
    let bytes = 0;
    // What is left is dropped as that of every refused request.
    const parts = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const part of parts) {
      bytes += part.length;
      if (bytes > limit) throw new TooLarge();
    }
    return bytes;
  });
}

/** @throws Invalid when a text or name among the values cannot be stored (NUL, lone surrogates) */
export function refuseUncleanText(values: unknown): void {
  const path = assertCleanText(values);
  if (path !== undefined) throw new Invalid(phrase('{field} is not well-formed text', { field: path }));
}

/** Whether a request says that it has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function decodedBody(request: IncomingMessage, options: BodyOptions): Promise<Body> {
  const type = mediaType(request);
  if (type === 'application/json' || type.endsWith('+json')) {
    return { values: parseJson(await readText(request, options.maxBytes)), paths: [] };
  }
  if (type === 'application/x-www-form-urlencoded') {
    return { values: parseQuery(await readText(request, options.maxBytes)), paths: [] };
  }
  if (type === 'multipart/form-data') {
    const form = await readMultipart(request, { ...options, maxFieldBytes: options.maxBytes });
    for (const [name, file] of form.files) form.fields[name] = file;
    return { values: form.fields, paths: form.paths, refusal: form.refusal };
  }
  throw new Unsupported('Send JSON or a form');
}

/** The media type without its parameters; compressed bodies and other charsets are not accepted. */
function mediaType({ headers }: IncomingMessage): string {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new Unsupported('Compressed bodies are not read');
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  if (charset !== undefined && !/^utf-?8$|^us-ascii$/.test(charset)) throw new Unsupported('Bodies are UTF-8');
  return type.trim();
}

function parseJson(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return emptyData(); // apps set the type on requests without a body
  const data = plainData(jsonValue(text));
  if (!isPlainObject(data)) throw new Invalid('The body must be a JSON object');
  return data;
}

function jsonValue(text: string): unknown {
  try {
    return readForeignJson(text, { maxKeys: MAX_KEYS, maxValues: MAX_JSON_VALUES });
  } catch (cause) {
    if (!(cause instanceof ExcessiveJson)) throw new Invalid('The body is not valid JSON', { cause });
    const isDeep = cause.bound === 'depth';
    throw new Invalid(isDeep ? 'The request is nested too deeply' : 'The request has too many parameters', { cause });
  }
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  return decodeUtf8(await readBytes(request, maxBytes));
}

/**
 * The whole body. A larger one is read to its end and dropped, within reason: clients send all of it before they read the
 * answer.
 */
function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const most = limit + MAX_DROPPED_BYTES;
  if (Number(request.headers['content-length']) > most) throw new TooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= limit) {
      receivedBytes.add(request, chunk);
      chunks.push(chunk);
    } else if (size > most) {
      request.off('data', collect).resume();
      reject(new TooLarge());
    }
  };
  request.on('data', collect);
  request.once('end', () => (size > limit ? reject(new TooLarge()) : resolve(Buffer.concat(chunks, size))));
  request.once('error', (cause) => reject(new Invalid('The request ended early', { cause })));
  return promise.finally(() => receivedBytes.release(request));
}

/** Ends the connection of a client that sends its body too slowly (threat H24). */
async function inTime<T>(request: IncomingMessage, isUpload: boolean, read: () => Promise<T>): Promise<T> {
  // With an error: without one its readers would wait for ever, and files and descriptors would stay.
  const end = () => void request.destroy(new Error('The body came too slowly'));
  const timer = isUpload ? undefined : setTimeout(end, BODY_MS);
  if (isUpload) request.setTimeout(UPLOAD_PAUSE_MS, end);
  try {
    return await read();
  } finally {
    clearTimeout(timer);
    if (isUpload) request.setTimeout(0);
  }
}
