import type { Request } from 'express';

/** What programs ask for that want data: other servers and apps. */
const DATA = [
  'application/activity+json',
  'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  'application/ld+json',
  'json',
];

/**
 * Whether somebody with a browser asks for an address that is also a document for programs. Whoever takes anything, or says
 * nothing, gets the document.
 */
export function prefersPage(request: Request): boolean {
  return request.accepts([...DATA, 'html']) === 'html';
}

/** The other way round: whether a program asks for the document behind a page. */
export function prefersDocument(request: Request): boolean {
  const preferred = request.accepts(['html', ...DATA]);
  return preferred !== false && preferred !== 'html';
}
