import type { Express, Response } from 'express';
import { Json } from './json.js';
import { HtmlPage } from '../pages/html-page.js';
import { SeeOther } from '../pages/see-other.js';
import { pageLinks } from './link.js';
import { Page, PagedObject } from './page.js';
import { isReferencePath } from '../routing/paths.js';
import type { ApiRequest } from '../routing/request.js';

/**
 * Makes an express application's `response.json`, which Nest uses, send what handlers return: a page of a list as its
 * items, with the `Link` header (none for an empty page); rendered JSON, and lists of it, as one buffer, without parsing,
 * joining of strings or an ETag; a page of the web as HTML, or the way to the next one. Apps of the reference get its shapes. A handler may have set a narrower type of JSON before.
 */
export function answerRendered(app: Express, baseUrl: string): void {
  const original = app.response.json;
  function json(this: Response, result: unknown): Response {
    if (result instanceof HtmlPage || result instanceof SeeOther) return result.send(this);
    if ((result instanceof Page || result instanceof PagedObject) && result.cursors)
      this.setHeader('Link', pageLinks(baseUrl, this.req.originalUrl, result.cursors));
    const { isReferenceApp = false } = this.req as ApiRequest;
    const content = joined(contentOf(result));
    const body = isReferenceApp && isReferencePath(this.req.path) ? Json.of(content).inReferenceShapes() : content;
    return body instanceof Json ? sendBytes(this, body.toBuffer()) : original.call(this, body);
  }
  app.response.json = json;
}

function contentOf(result: unknown): unknown {
  if (result instanceof PagedObject) return result.body;
  return result instanceof Page ? result.items : result;
}

/** Joins a list of rendered JSON; returns anything else unchanged. */
function joined(result: unknown): unknown {
  const isRendered = Array.isArray(result) && result.length > 0 && result.every((item) => item instanceof Json);
  return isRendered ? Json.array(result) : result;
}

/** Node writes a short text together with the head, and bytes in a write of their own. Latin-1 has a letter for each byte. */
const MOST_WITH_HEAD = 8_192;

/** Sends bytes as they are, as JSON unless a type is set; Express's `send` first looks for an ETag and a character set. */
export function sendBytes(response: Response, body: Buffer): Response {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  return body.length > MOST_WITH_HEAD ? response.end(body) : response.end(body.toString('latin1'), 'latin1');
}
