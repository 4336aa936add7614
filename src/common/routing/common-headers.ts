import type { NextFunction, Request, Response } from 'express';
import { FixedHeaders, setFixedHeaders } from '../../platform/index.js';
import { CORS } from './cors.js';
import { isApiPath, isOpenToApps } from './paths.js';
import { secureHeaders } from './secure-headers.js';

/** Answers of the APIs depend on the caller; this covers those without caching headers of their own (threat V6). */
const NEVER_CACHED = ['Cache-Control', 'private, no-store'] as const;

/** Middleware that sets the headers that depend on nothing but the kind of the path. Handlers may set others in their place. */
export function commonHeaders(baseUrl: string) {
  const secure = secureHeaders(baseUrl);
  const ofPages = new FixedHeaders(secure);
  const forApps = new FixedHeaders([...secure, ...CORS]);
  const ofApi = new FixedHeaders([...secure, ...CORS, NEVER_CACHED]);
  const headersOf = (path: string) => (isOpenToApps(path) ? forApps : ofPages);
  return ({ path }: Request, response: Response, next: NextFunction): void => {
    setFixedHeaders(response, isApiPath(path) ? ofApi : headersOf(path));
    next();
  };
}
