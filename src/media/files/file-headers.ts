import type { MediaType } from '../../platform/index.js';
import { contentDisposition } from './content-disposition.js';

/** 14 days: an address never stands for another content, but a deleted file should vanish from caches some day. */
const CACHING = 'public, max-age=1209600, immutable';
/** A browser that opens a file as a page may show it, and nothing else (threat M1). */
const POLICY =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The headers of a picture, film or recording of anybody. Only what is known as such is shown; all else can only be saved.
 * `name` is that under which a browser saves it.
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
