import { Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Input, NotFound, OptionalText, Public, RootApi } from '../common/index.js';
import { DiskStorage, isStorageKey, mediaTypeOfName } from '../platform/index.js';
import { contentDisposition } from './content-disposition.js';
import { sendStoredFile } from './send-stored-file.js';

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
    if (!isStorageKey(key)) throw new NotFound('Not found');
    await sendStoredFile(this.storage, key, headersOf(key, name), request, response);
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
    ETag: `"${key}"`,
  };
}
