import { pipeline } from 'node:stream/promises';
import { Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Input, NotFound, OptionalText, Public, RootApi } from '../common/index.js';
import { type ByteRange, DiskStorage, isStorageKey, mediaTypeOfName } from '../platform/index.js';
import { contentDisposition } from './content-disposition.js';

/** As long as a request target can be. */
const ANY_LENGTH = 16_384;
/** 14 days: a key never stands for another content, but a deleted file should vanish from caches some day. */
const CACHING = 'public, max-age=1209600, immutable';
/** A browser that opens a file as a page may show it, and nothing else (threat M1). */
const POLICY =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

class FileQuery {
  /** The name under which a browser saves the file. */
  @OptionalText({ max: ANY_LENGTH }) name = '';
}

/** The files that people uploaded, to anybody who knows their names. */
@RootApi('media')
export class FilesController {
  constructor(private readonly storage: DiskStorage) {}

  @Get('*path')
  @Public()
  async show(@Req() request: Request, @Res() response: Response, @Input(FileQuery) { name }: FileQuery): Promise<void> {
    const key = keyIn(request);
    const stored = isStorageKey(key) ? await this.storage.stat(key) : undefined;
    if (!stored) throw new NotFound('Not found');
    response.set(headersOf(key, name));
    if (request.fresh) return void response.status(304).end();
    const range = rangeIn(request, stored.size);
    if (range === 'unsatisfiable') {
      return void response.status(416).set('Content-Range', `bytes */${stored.size}`).end();
    }
    await this.send(key, range, request, response);
  }

  private async send(key: string, range: ByteRange | undefined, request: Request, response: Response): Promise<void> {
    const file = await this.storage.open(key, range);
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
}

/** The path below the controller, decoded by segment. */
function keyIn({ params }: Request): string {
  const { path } = params;
  return Array.isArray(path) ? path.join('/') : (path ?? '');
}

/** Only what the server named as a picture, film or recording is shown; all else can only be saved. */
function headersOf(key: string, name: string): Record<string, string> {
  const type = mediaTypeOfName(key);
  return {
    'Content-Type': type?.mime ?? 'application/octet-stream',
    'Content-Disposition': contentDisposition(type ? 'inline' : 'attachment', name, type?.extension ?? 'bin'),
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': CACHING,
    'Accept-Ranges': 'bytes',
    ETag: `"${key}"`,
  };
}

/** One range of bytes (RFC 9110 §14). Undefined for the whole file: also for several ranges, other units, and nonsense. */
function rangeIn(request: Request, size: number): ByteRange | 'unsatisfiable' | undefined {
  const condition = request.get('If-Range');
  if (request.method !== 'GET' || (condition !== undefined && condition !== request.res?.get('ETag'))) return undefined;
  const ranges = request.range(size, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
