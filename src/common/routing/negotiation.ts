import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '../../platform/index.js';

/** The media types of ActivityPub, which other servers ask for. */
const ACTIVITY_TYPES = [
  'application/activity+json',
  'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  'application/ld+json',
];
/** The media types that programs ask for: other servers and apps. */
const DATA = [...ACTIVITY_TYPES, 'json'];
const DATA_OR_PAGE = [...DATA, 'html'];
const PAGE_OR_ACTOR = ['html', ...ACTIVITY_TYPES];
const PAGE_OR_DATA = ['html', ...DATA];

/** Clients send the same few headers; longer ones are read each time. */
const MOST_CACHED = 100;
const LONGEST_CACHED = 200;
const answers = new WeakMap<readonly string[], LRUCache<string, string | false>>();

/**
 * The type of some that a request prefers, the first of equal ones; false for none of them. Reads equal headers once: the
 * library takes as long for one as all guards.
 * @param types the same list each time
 */
export function preferredType(request: Request, types: readonly string[]): string | false {
  const { accept = '*/*' } = request.headers;
  if (accept.length > LONGEST_CACHED) return request.accepts([...types]);
  let cache = answers.get(types);
  if (!cache) answers.set(types, (cache = new LRUCache(entryLimit(MOST_CACHED))));
  let preferred = cache.get(accept);
  if (preferred === undefined) cache.set(accept, (preferred = request.accepts([...types])));
  return preferred;
}

/**
 * Whether a browser asks for an address that is also a document for programs. Requests that accept anything, or name no
 * type, get the document.
 */
export function prefersPage(request: Request): boolean {
  return preferredType(request, DATA_OR_PAGE) === 'html';
}

/** Whether another server asks for the actor behind a page. */
export function prefersActor(request: Request): boolean {
  const preferred = preferredType(request, PAGE_OR_ACTOR);
  return preferred !== false && preferred !== 'html';
}

/** The opposite: whether a program asks for the document behind a page. */
export function prefersDocument(request: Request): boolean {
  const preferred = preferredType(request, PAGE_OR_DATA);
  return preferred !== false && preferred !== 'html';
}

/** The entity tag of an answer, for conditional requests (RFC 9110, 8.8.3). */
export function entityTag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}
