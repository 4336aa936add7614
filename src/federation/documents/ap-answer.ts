import type { Response } from 'express';
import { type ApiRequest, NotFound, prefersPage, Unauthorized } from '../../common/index.js';
import { ACTIVITY_JSON } from '../wire/uris.js';
import type { DocumentAccess, DocumentKind } from './document-access.js';
import type { ApDocument } from './documents.service.js';

const GONE = 410;

/** The headers of answers that differ between readers. */
export const CLOSED = { vary: 'Accept, Signature', 'cache-control': 'private, no-store' };

/** Answers with a document; redirects browsers to the page of the same content. */
export function sendDocument(request: ApiRequest, response: Response, { body, gone, pageUrl }: ApDocument): void {
  response.vary('Accept, Signature');
  if (!response.hasHeader('cache-control')) response.set('cache-control', 'public, max-age=180');
  if (pageUrl !== undefined && prefersPage(request)) {
    response.redirect(pageUrl);
    return;
  }
  response.status(gone ? GONE : 200).set('content-type', ACTIVITY_JSON);
  response.send(Buffer.from(JSON.stringify(body)));
}

/**
 * Refuses a reader without access before the lookup, so that the answer does not reveal what exists.
 * @throws NotFound for browsers, Unauthorized for programs
 */
export function requireAccess(
  access: DocumentAccess,
  request: ApiRequest,
  response: Response,
  kind: DocumentKind = 'note',
): void {
  if (access.permits(kind)) return;
  response.set(CLOSED);
  throw prefersPage(request) ? new NotFound('Not found') : new Unauthorized('This resource requires a signature');
}
