import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { NotFound } from '../../common/index.js';
import type { ByteRange, Storage } from '../../platform/index.js';

/**
 * Answers a GET or HEAD with a stored file, or the part of it that was asked for. The headers say what it is and how long it
 * may be kept; those of parts need an `ETag`.
 * @throws NotFound when there is no such file
 */
export async function sendStoredFile(
  storage: Pick<Storage, 'stat' | 'open'>,
  key: string,
  headers: Readonly<Record<string, string>>,
  request: Request,
  response: Response,
): Promise<void> {
  const stored = await storage.stat(key);
  if (!stored) throw new NotFound('Not found');
  response.set({ ...headers, 'Accept-Ranges': 'bytes' });
  if (request.fresh) return void response.status(304).end();
  const range = rangeIn(request, stored.size);
  if (range === 'unsatisfiable') {
    const refusal = { 'Content-Range': `bytes */${stored.size}`, 'Cache-Control': 'no-store' }; // the file may be kept, not this
    return void response.status(416).set(refusal).end();
  }
  const file = await storage.open(key, range);
  if (!file) throw new NotFound('Not found');
  const length = range ? range.end - range.start + 1 : file.size;
  response.status(range ? 206 : 200).set('Content-Length', String(length));
  if (range) response.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  if (request.method === 'HEAD') {
    file.stream.destroy();
    return void response.end();
  }
  await pipeline(file.stream, response).catch(() => response.destroy()); // the client went away, or the disk did
}

/** One range of bytes (RFC 9110 §14). Undefined for the whole file: also for several ranges, other units, and nonsense. */
function rangeIn(request: Request, size: number): ByteRange | 'unsatisfiable' | undefined {
  const condition = request.get('If-Range');
  if (request.method !== 'GET' || (condition !== undefined && condition !== request.res?.get('ETag'))) return undefined;
  if (size > 0 && suffixIn(request) > size) return { start: 0, end: size - 1 };
  const ranges = request.range(size, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

/** How many bytes are asked for from the end. More than there are is all (RFC 9110 §14.1.2), but express finds none then. */
function suffixIn(request: Request): number {
  return Number(/^bytes=\s*-(\d+)\s*$/.exec(request.get('Range') ?? '')?.[1]);
}
