import type { MediaType } from '../../platform/index.js';
import { contentDisposition } from './content-disposition.js';

/** 14 days: an address always has the same content, but caches should drop deleted files some day. */
const CACHING = 'public, max-age=1209600, immutable';
/** A browser that opens a file as a page shows only the file (threat M1). */
const POLICY =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The headers of a media file. Known types are shown inline; all others are downloads. `name` is the name for saving.
 */
export function fileHeaders(type: MediaType | undefined, name: string): Record<string, string> {
  return {
    'Content-Type': type?.mime ?? 'application/octet-stream',
    'Content-Disposition': contentDisposition(type ? 'inline' : 'attachment', name, type?.extension ?? 'bin'),
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': CACHING,
  };
}
