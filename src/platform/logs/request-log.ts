import type { IncomingMessage, ServerResponse } from 'node:http';
import { PinoLogger } from 'nestjs-pino';
import { currentWork, runWork, workFields } from '../tracing/work.js';

/** What the middleware before it adds to a request, and express. */
type LoggedRequest = IncomingMessage & { readonly id?: unknown; readonly originalUrl?: string };

const SERVER_ERROR = 500;

const expected = new WeakSet<ServerResponse>();

/** Says that an answer with 5xx is no fault of this server. */
export function expectAnswer(response: ServerResponse): void {
  expected.add(response);
}

/**
 * Middleware that logs each answer: unexpected ones with 5xx at warn, others at debug. A line that is not written costs nothing, and
 * no request has a logger of its own.
 */
export function requestLog(request: LoggedRequest, response: ServerResponse, next: () => void): void {
  const requestId = typeof request.id === 'string' ? request.id : undefined;
  const work = { requestId, span: currentWork()?.span };
  const startedAt = performance.now();
  response.on('close', () => {
    const level = response.statusCode >= SERVER_ERROR && !expected.has(response) ? 'warn' : 'debug';
    if (!PinoLogger.root.isLevelEnabled(level)) return;
    const message = response.writableFinished ? 'request completed' : 'request aborted';
    const fields = { ...runWork(work, workFields), req: requestFields(request), res: { status: response.statusCode } };
    PinoLogger.root[level]({ ...fields, responseTime: Math.round(performance.now() - startedAt) }, message);
  });
  runWork(work, next);
}

function requestFields(request: LoggedRequest): object {
  return { method: request.method, url: request.originalUrl ?? request.url, userAgent: request.headers['user-agent'] };
}
