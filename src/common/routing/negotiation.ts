import { createHash } from 'node:crypto';
import type { Request } from 'express';

/** The media types that programs ask for: other servers and apps. */
const DATA = [
  'application/activity+json',
  'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  'application/ld+json',
  'json',
];

/**
 * Whether a browser asks for an address that is also a document for programs. Requests that accept anything, or name no
 * type, get the document.
 */
export function prefersPage(request: Request): boolean {
  return request.accepts([...DATA, 'html']) === 'html';
}

/** The opposite: whether a program asks for the document behind a page. */
export function prefersDocument(request: Request): boolean {
  const preferred = request.accepts(['html', ...DATA]);
  return preferred !== false && preferred !== 'html';
}

/** The entity tag of an answer, for conditional requests (RFC 9110, 8.8.3). */
export function entityTag(content: string): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}
