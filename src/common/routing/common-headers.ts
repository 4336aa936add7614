import type { NextFunction, Request, Response } from 'express';
import { CORS } from './cors.js';
import { isApiPath, isOpenToApps } from './paths.js';
import { secureHeaders } from './secure-headers.js';

/** Of failures, and of answers of the APIs, which depend on the caller, without caching headers of their own (threat V6). */
export const NEVER_CACHED = ['Cache-Control', 'private, no-store'] as const;

/** Middleware that sets the headers that depend on nothing but the kind of the path. Handlers may set others in their place. */
export function commonHeaders(baseUrl: string) {
  const ofPages = secureHeaders(baseUrl);
  const forApps = [...ofPages, ...CORS];
  const ofApi = [...forApps, NEVER_CACHED];
  const headersOf = (path: string) => (isOpenToApps(path) ? forApps : ofPages);
  return ({ path }: Request, response: Response, next: NextFunction): void => {
    for (const [name, value] of isApiPath(path) ? ofApi : headersOf(path)) response.setHeader(name, value);
    next();
  };
}
