import { createHash } from 'node:crypto';
import type { Request } from 'express';

/** The media types of ActivityPub, which other servers ask for. */
const ACTIVITY_TYPES = [
  'application/activity+json',
  'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  'application/ld+json',
];
/** The media types that programs ask for: other servers and apps. */
const DATA = [...ACTIVITY_TYPES, 'json'];

/**
 * Whether a browser asks for an address that is also a document for programs. Requests that accept anything, or name no
 * type, get the document.
 */
export function prefersPage(request: Request): boolean {
  return request.accepts([...DATA, 'html']) === 'html';
}

/** Whether another server asks for the actor behind a page. */
export function prefersActor(request: Request): boolean {
  const preferred = request.accepts(['html', ...ACTIVITY_TYPES]);
  return preferred !== false && preferred !== 'html';
}

/** The opposite: whether a program asks for the document behind a page. */
export function prefersDocument(request: Request): boolean {
  const preferred = request.accepts(['html', ...DATA]);
  return preferred !== false && preferred !== 'html';
}

/** The entity tag of an answer, for conditional requests (RFC 9110, 8.8.3). */
export function entityTag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}
