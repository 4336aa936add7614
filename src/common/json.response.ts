import type { Express, Response } from 'express';
import { Json } from './json.js';

/**
 * Teaches an express application's `response.json`, through which Nest answers, to send rendered JSON as one buffer: no
 * parsing, no joining of strings, no ETag. A handler may have set a narrower type of JSON before.
 */
export function answerRenderedJson(app: Express): void {
  const original = app.response.json;
  app.response.json = function json(this: Response, body: unknown): Response {
    return body instanceof Json ? send(this, body.toBuffer()) : original.call(this, body);
  };
}

function send(response: Response, body: Buffer): Response {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  return response.end(body);
}
