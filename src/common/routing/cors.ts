import type { NextFunction, Request, Response } from 'express';
import { isOpenToApps } from './paths.js';
import type { HeaderEntry } from './secure-headers.js';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Accept, Idempotency-Key, X-Admin-Token, Cache-Control, If-Modified-Since, If-None-Match, Range, X-Requested-With';
const ANSWER_HEADERS =
  'Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Idempotency-Key, Idempotent-Replayed, X-Original-Request-Id, X-Request-Id';
const A_DAY = '86400';

/** The headers that let browser apps of any origin call the APIs, also for error answers; never with cookies (threat H21). */
export const CORS: readonly HeaderEntry[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', ANSWER_HEADERS],
];

/** Middleware that answers a preflight with 204, but for the login pages. */
export function preflight(request: Request, response: Response, next: NextFunction): void {
  if (request.method === 'OPTIONS' && isOpenToApps(request.path)) answerPreflight(response);
  else next();
}

function answerPreflight(response: Response): void {
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
  response.setHeader('Access-Control-Max-Age', A_DAY);
  response.status(204).end();
}
