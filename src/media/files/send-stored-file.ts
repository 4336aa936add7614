import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { NotFound } from '../../common/index.js';
import type { ByteRange, Storage } from '../../platform/index.js';

/**
 * Answers a GET or HEAD with a stored file, or its requested part. The headers give its type and caching;
 * partial answers need an `ETag`.
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
    const refusal = { 'Content-Range': `bytes */${stored.size}`, 'Cache-Control': 'no-store' }; // the refusal must not be cached
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
  await pipeline(file.stream, response).catch(() => response.destroy()); // the client or the disk failed
}

/** One byte range (RFC 9110 §14). Undefined, for the whole file, with several ranges, other units and invalid headers. */
function rangeIn(request: Request, size: number): ByteRange | 'unsatisfiable' | undefined {
  const condition = request.get('If-Range');
  if (request.method !== 'GET' || (condition !== undefined && condition !== request.res?.get('ETag'))) return undefined;
  if (size > 0 && suffixIn(request) > size) return { start: 0, end: size - 1 };
  const ranges = request.range(size, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

/** The length of a requested suffix. A longer one means the whole file (RFC 9110 §14.1.2), but express finds no range then. */
function suffixIn(request: Request): number {
  return Number(/^bytes=\s*-(\d+)\s*$/.exec(request.get('Range') ?? '')?.[1]);
}
