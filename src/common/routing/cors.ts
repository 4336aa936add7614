import type { NextFunction, Request, Response } from 'express';
import { isOpenToApps } from './paths.js';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Accept, Idempotency-Key, X-Admin-Token, Cache-Control, If-Modified-Since, If-None-Match, Range, X-Requested-With';
const ANSWER_HEADERS =
  'Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Idempotency-Key, Idempotent-Replayed, X-Original-Request-Id, X-Request-Id';
const A_DAY = '86400';

/**
 * Allows browser apps of any origin to call the APIs, also for error answers; never with cookies, and never the login
 * pages (threat H21). Answers a preflight with 204.
 */
export function cors(request: Request, response: Response, next: NextFunction): void {
  const isOpen = isOpenToApps(request.path);
  if (isOpen) allowAll(response);
  if (isOpen && request.method === 'OPTIONS') answerPreflight(response);
  else next();
}

function allowAll(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', ANSWER_HEADERS);
}

function answerPreflight(response: Response): void {
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
  response.setHeader('Access-Control-Max-Age', A_DAY);
  response.status(204).end();
}
