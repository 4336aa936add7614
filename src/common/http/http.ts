import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Brand, type Env, Metrics, requestLog, Tracing } from '../../platform/index.js';
import { brandPaths } from '../routing/brand.js';
import { commonHeaders } from '../routing/common-headers.js';
import { preflight } from '../routing/cors.js';
import { parseQuery } from '../input/query.js';
import { answerRendered } from '../answers/rendered.response.js';
import { requestId, requestLine } from './request-line.js';
import { tracedRequests } from './traced-requests.js';
import { warnOfUnknownProxy } from '../rate-limits/unknown-proxy.js';

/** Middleware that does not return a promise. */
export type Middleware = (request: Request, response: Response, next: NextFunction) => void;

/**
 * Sets up HTTP for the whole application. Call it before `init` or `listen`, on an application created with
 * `bodyParser: false` that imports {@link CommonModule}.
 * @param last stands behind all other middleware, before the routes
 */
export function configureHttp(app: NestExpressApplication, env: Env, ...last: readonly Middleware[]): void {
  const express = app.getHttpAdapter().getInstance();
  express.disable('x-powered-by').disable('etag').set('trust proxy', false).set('query parser', parseQuery);
  answerRendered(express, env.baseUrl);
  app.use(
    inTurn([
      app.get(Metrics).observe, // first, so that it sees answers of all others
      requestId,
      ...tracedRequests(app.get(Tracing), env),
      requestLog,
      warnOfUnknownProxy(env.trustedProxies),
      commonHeaders(env.baseUrl),
      preflight,
      requestLine,
      brandPaths(app.get(Brand)),
      ...last,
    ]),
  );
}

/** One middleware of several: each of its own would have Express's router compare its path again. */
function inTurn(handlers: readonly Middleware[]): Middleware {
  return (request, response, next) => {
    let at = 0;
    const pass = (error?: unknown): void => {
      const handler = handlers[at];
      at += 1;
      if (error || !handler) {
        next(error);
        return;
      }
      try {
        handler(request, response, pass);
      } catch (thrown) {
        next(thrown); // Express catches only what a handler throws at once, not behind one that waited
      }
    };
    pass();
  };
}
