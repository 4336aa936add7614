import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PinoLogger } from 'nestjs-pino';

/** What the middleware before it adds to a request, and express. */
type LoggedRequest = IncomingMessage & { readonly id?: unknown; readonly originalUrl?: string };

const SERVER_ERROR = 500;
const requestIds = new AsyncLocalStorage<unknown>();

/** The id of the request that is being served, for each line of the log. */
export function requestIdField(): object {
  const requestId = requestIds.getStore();
  return requestId === undefined ? {} : { requestId };
}

/**
 * Middleware that logs each answer: those with 5xx at warn, others at debug. A line that is not written costs nothing, and
 * no request has a logger of its own.
 */
export function requestLog(request: LoggedRequest, response: ServerResponse, next: () => void): void {
  const { id } = request;
  const startedAt = performance.now();
  response.once('close', () => {
    const level = response.statusCode >= SERVER_ERROR ? 'warn' : 'debug';
    if (!PinoLogger.root.isLevelEnabled(level)) return;
    const message = response.writableFinished ? 'request completed' : 'request aborted';
    const fields = { requestId: id, req: requestFields(request), res: { status: response.statusCode } };
    PinoLogger.root[level]({ ...fields, responseTime: Math.round(performance.now() - startedAt) }, message);
  });
  requestIds.run(id, next);
}

function requestFields(request: LoggedRequest): object {
  return { method: request.method, url: request.originalUrl ?? request.url, userAgent: request.headers['user-agent'] };
}
