import type { Express, Response } from 'express';
import { Json } from './json.js';
import { HtmlPage } from '../pages/html-page.js';

/**
 * Makes an express application's `response.json`, which Nest uses, send rendered JSON as one buffer, without parsing,
 * joining of strings or an ETag, and pages as HTML. A handler may have set a narrower type of JSON before.
 */
export function answerRendered(app: Express): void {
  const original = app.response.json;
  app.response.json = function json(this: Response, body: unknown): Response {
    if (body instanceof Json) return send(this, body.toBuffer());
    if (body instanceof HtmlPage) return body.send(this);
    return original.call(this, body);
  };
}

function send(response: Response, body: Buffer): Response {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  return response.end(body);
}
