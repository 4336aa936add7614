import type { Response } from 'express';
import { type ApiRequest, prefersPage, sendBytes } from '../../common/index.js';
import { ACTIVITY_JSON } from '../wire/uris.js';
import { type ApDocument, jsonOf } from './documents.service.js';

const GONE = 410;

/** The ids of the posts or the actor that a document is, or holds: in a Create, and on a page. */
export function idsIn({ id, type, object, orderedItems }: Readonly<Record<string, unknown>>): string[] {
  if (Array.isArray(orderedItems)) return orderedItems.flatMap((item) => (isObject(item) ? idsIn(item) : []));
  if (type === 'Create') return isObject(object) ? idsIn(object) : [];
  return type === 'Announce' || typeof id !== 'string' ? [] : [id];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Answers with a document; redirects browsers to the page of the same content. */
export function sendDocument(request: ApiRequest, response: Response, { body, gone, pageUrl }: ApDocument): void {
  response.vary('Accept, Signature');
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'public, max-age=180');
  if (pageUrl !== undefined && prefersPage(request)) {
    response.redirect(pageUrl);
    return;
  }
  response.status(gone ? GONE : 200).setHeader('content-type', ACTIVITY_JSON);
  sendBytes(response, jsonOf(body));
}
