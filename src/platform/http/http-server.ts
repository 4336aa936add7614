import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, RequestHandler, Router } from 'express';
import type { Env } from '../env/env.js';
import { ConnectionCap } from './connection-cap.js';
import { answerEarly, earlyAnswerBytes } from './early-answer.js';
import { joinApplication, newExchangeClasses } from './exchange-classes.js';
import { GATE_LIMITS, type GateLimits, RequestGate } from './request-gate.js';
import { ROUTE_METHODS, RouteIndex, type RouteMethod } from './route-index.js';

const HEADERS_MS = 15_000;
/** An upper bound for uploads; the code that reads bodies has shorter ones. */
const REQUEST_MS = 600_000;
/** Longer than proxies keep idle connections, so that proxies close them first. */
const KEEP_ALIVE_MS = 75_000;
const MAX_CONNECTIONS_OF_AN_ADDRESS = 1_000;
/** Connections that wait for a busy process; a storm of reconnecting clients comes in one moment. */
const BACKLOG = 4_096;

/** Node's codes for unreadable requests; any other is 400. */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers requests; `unhandled` gets those that it has no answer for, with the reason if there is one. */
type Application = (request: IncomingMessage, response: ServerResponse, unhandled: (error?: unknown) => void) => void;

/**
 * Served under any load: probes and metrics (the brand precedes `healthcheck`), and files of remote servers, which wait
 * for these servers within limits of their own.
 */
const PASSES = /^\/(health\/(live|ready)|metrics|api\/(v1\/)?\w+\/healthcheck)\/?(\?|$)|^\/proxy\//;

/**
 * The HTTP server of the process: limits the work and memory of clients (threats H24, H25), and answers requests that
 * never reach the application. It can listen before there is an application: until {@link serve} every request gets
 * 503.
 */
export class HttpServer {
  readonly server: Server;
  readonly gate: RequestGate;
  readonly connections: ConnectionCap;
  readonly classes = newExchangeClasses();
  private application: Application = (_request, response) => answerAndClose(response, 503, 'The server is starting');

  constructor(
    { trustedProxies, maxConnections }: Pick<Env, 'trustedProxies' | 'maxConnections'>,
    limits: GateLimits = GATE_LIMITS,
  ) {
    this.gate = new RequestGate(
      (request, response) => this.application(request, response, (error) => answerUnhandled(response, error)),
      ({ url = '' }) => PASSES.test(url),
      limits,
    );
    this.connections = new ConnectionCap({
      max: maxConnections,
      maxOfAddress: MAX_CONNECTIONS_OF_AN_ADDRESS,
      exempt: trustedProxies,
      stateOf: (socket) => this.gate.stateOf(socket),
    });
    this.server = createServer(
      { requireHostHeader: false, optimizeEmptyRequests: true, ...this.classes },
      (request, response) => this.receive(request, response),
    )
      .on('connection', this.connections.admit)
      .on('checkExpectation', (_request, response) => answerAndClose(response, 417))
      .on('clientError', (error, socket) => this.answerUnreadable(error, socket as Socket));
    this.server.headersTimeout = HEADERS_MS;
    this.server.requestTimeout = REQUEST_MS;
    this.server.keepAliveTimeout = KEEP_ALIVE_MS;
  }

  /** Passes all requests to the application from now on. Closes earlier connections. */
  serve(application: Application): void {
    this.server.closeAllConnections();
    this.application = application;
  }

  /** Binds the address; rejects with the system's error when that is not possible. */
  async listen(port: number, host: string): Promise<void> {
    this.server.listen({ port, host, backlog: BACKLOG });
    await once(this.server, 'listening');
  }

  /** Stops listening and cuts off all connections. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  /** The listening port. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers.host === undefined && request.httpVersion === '1.1') answerAndClose(response, 400);
    else this.gate.accept(request, response);
  }

  private answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const isAnswered = this.gate.answerOn(socket)?.headersSent ?? false; // these bytes would corrupt an answer in progress
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) socket.destroy();
    else socket.end(earlyAnswerBytes(STATUS_BY_CODE[error.code ?? ''] ?? 400), () => socket.destroy());
  }
}

/** Nest's adapter for express, on an existing server that may already listen, and with an index of its routes. */
export class HttpAdapter extends ExpressAdapter {
  private readonly index = new RouteIndex();

  constructor(readonly http: HttpServer) {
    super();
    joinApplication(this.getInstance<Express>(), http.classes);
    for (const method of ROUTE_METHODS) {
      const register = (path: string, handler: RequestHandler) => this.route(method, path, handler);
      this[method] = register as ExpressAdapter['all' & 'get'];
    }
  }

  /** All routes, in the order of their registration. */
  get routes(): Router {
    return this.index.all;
  }

  /** The index stands where the first route would, behind the middleware that was registered before. */
  private route(method: RouteMethod, path: string, handler: RequestHandler): void {
    if (this.routes.stack.length === 0) this.use(this.index.handle);
    this.index.add(method, path, handler);
  }

  override initHttpServer(): void {
    this.httpServer = this.http.server;
  }
}

function answerAndClose(response: ServerResponse, status: number, error?: string): void {
  response.shouldKeepAlive = false;
  answerEarly(response, status, error);
}

/**
 * Answers what is left: a request whose target Express cannot read, and an error of the code that answers errors. Express
 * would answer with HTML, and wait for the end of the request before, of which requests without a body tell nothing.
 */
function answerUnhandled(response: ServerResponse, error: unknown): void {
  if (error !== undefined) new Logger('Http').error({ err: error }, 'request failed');
  if (response.headersSent) response.destroy();
  else if (error === undefined) answerEarly(response, 400);
  else answerEarly(response, 500, 'Internal server error');
}
