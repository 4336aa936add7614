import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { type Env, isWithin, parseAddress, parseRange, routeOf, runWork, type Tracing } from '../../platform/index.js';

/** Probes and scrapes of monitors come every few seconds and tell nothing. */
const LEFT_OUT = /^\/(health\/|metrics\b)/;
const SERVER_ERROR = 500;

/**
 * Middleware that makes each request a trace: method, template of the route, status. A `traceparent` of the client is never
 * continued, since proxies pass on what strangers send: they could have all of their requests exported, or mix their
 * requests into the traces of others (threat P13). That of a trusted proxy becomes a link. Empty without traces.
 */
export function tracedRequests(tracing: Tracing, { trustedProxies }: Pick<Env, 'trustedProxies'>) {
  if (!tracing.isOn) return [];
  const proxies = trustedProxies.map(parseRange);
  const isFromProxy = ({ socket }: IncomingMessage) => {
    const peer = parseAddress(socket.remoteAddress ?? '');
    return peer !== undefined && isWithin(peer, proxies);
  };
  return [
    (request: Request, response: Response, next: NextFunction): void => {
      if (LEFT_OUT.test(request.path)) {
        next();
        return;
      }
      const { id, method } = request;
      const { traceparent } = request.headers;
      const link = typeof traceparent === 'string' && isFromProxy(request) ? traceparent : undefined;
      const attributes = { 'http.request.method': method, ...(typeof id === 'string' && { 'svc.request.id': id }) };
      const span = tracing.begin({ name: method, kind: 'server', link, attributes });
      response.once('close', () => {
        const route = routeOf(request);
        if (route !== undefined) {
          span?.rename(`${method} ${route}`);
          span?.set({ 'http.route': route });
        }
        const { statusCode: status, headersSent: isAnswered } = response;
        if (isAnswered) span?.set({ 'http.response.status_code': status });
        if (!isAnswered || status >= SERVER_ERROR) span?.fail(isAnswered ? String(status) : 'aborted');
        span?.end();
      });
      runWork({ requestId: undefined, span }, next);
    },
  ];
}
