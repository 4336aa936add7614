import type { MediaType } from '../../platform/index.js';
import type { FileStanding } from './file-owners.port.js';
import { contentDisposition } from './content-disposition.js';

/**
 * An address always has the same content. A settled file stays in caches for 14 days, since they should drop deleted
 * files some day; for one that moderation may hide, they ask again after 15 minutes. They store nothing that only the staff gets.
 */
const CACHING = {
  settled: 'public, max-age=1209600, immutable',
  revocable: 'public, max-age=900, must-revalidate',
  hidden: 'private, no-store',
} as const;
/** A browser that opens a file as a page shows only the file (threat M1). */
const POLICY =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The headers of a media file. Known types are shown inline; all others are downloads. `name` is the name for saving.
 */
export function fileHeaders(type: MediaType | undefined, name: string, standing: FileStanding): Record<string, string> {
  return {
    'Content-Type': type?.mime ?? 'application/octet-stream',
    'Content-Disposition': contentDisposition(type ? 'inline' : 'attachment', name, type?.extension ?? 'bin'),
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': CACHING[standing],
  };
}
