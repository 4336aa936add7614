import type { SecureContext } from 'node:tls';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Dispatcher, Pool } from 'undici';
import { knownUrl } from '../urls/urls.js';
import { ENV, type Env } from '../env/env.js';
import { hasCode } from '../env/errors.js';
import { Lazy } from '../memory/lazy.js';
import { Tracing } from '../tracing/tracing.js';
import { AddressRules, type Resolve } from './outbound-addresses.js';
import { ACCEPTED_CODINGS, bounded, isAcceptable, readBody } from './outbound-body.js';
import { OutboundError } from './outbound-error.js';
import { OutboundFailures } from './outbound-failures.js';
import { OutboundPools } from './outbound-pools.js';
import { asSpan } from './outbound-span.js';

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 5;

/** A request without a free connection waits within its deadline. */
const CONNECTIONS_PER_ORIGIN = 8;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_CONNECTION_MS = 15_000;
const MAX_HEADER_BYTES = 32 * 1024;

/** How much of an unread answer is received to save its connection, and for how long. */
const DISCARD = { bytes: 16 * 1024, ms: 2000 };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** There are no cookies, and the host comes from the URL. */
const NEVER_SENT = new Set(['cookie', 'host']);

type Answer = Dispatcher.ResponseData;

/** The limits of one whole request. */
interface Deadline {
  readonly signal: AbortSignal;
  /** True after the deadline. */
  clear(): void;
  /** Ends the request now, since its answer is not needed. */
  abort(): void;
}

/** The reader went away: no failure of the remote server. */
const ABANDONED = new OutboundError('network', 'The caller no longer reads the answer');
const SHUT_DOWN = new OutboundError('network', 'The server stops');

/** Header names in lower case. */
export type OutboundHeaders = Readonly<Record<string, string>>;

/** One hop; a redirect makes another one. */
export interface OutboundHop {
  readonly method: string;
  readonly url: URL;
  readonly headers: OutboundHeaders;
  readonly body: Buffer | undefined;
}

export interface OutboundRequest {
  /** https; plain http only to listed hosts. */
  readonly url: string;
  /** Default GET. Redirects of GET and HEAD are followed; for other methods the redirect itself is returned. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** `authorization` goes to the first host only; `cookie` and `host` are left out. */
  readonly headers?: OutboundHeaders;
  readonly body?: Buffer;
  /** Media types for `Accept`; a successful answer of another type is an error. `type/*` means all of a type. */
  readonly accept?: readonly string[];
  /** Limit of the answer, received and decoded. Default 1 MiB. */
  readonly maxBytes?: number;
  /** Deadline of the whole request: names, connections, redirects, body. Default 20 s. */
  readonly timeoutMs?: number;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** Headers to add, such as a signature: called for each hop until a redirect leaves the first host. */
  readonly sign?: (hop: OutboundHop) => OutboundHeaders | Promise<OutboundHeaders>;
  /** Hosts, with ports, that are forbidden for the URL and for redirects. */
  readonly avoid?: readonly string[];
  /** Called before each hop, within the deadline: may wait, or throw. */
  readonly beforeHop?: (url: URL, signal: AbortSignal) => Promise<void>;
}

export interface OutboundResponse {
  readonly status: number;
  /** The final URL, after redirects. */
  readonly url: string;
  readonly headers: OutboundHeaders;
  /** Empty when the status is not 2xx: a long error page must not turn a clear 404 into "too large". */
  readonly body: Buffer;
}

/** An answer whose body is still arriving. */
export interface OutboundStream extends Omit<OutboundResponse, 'body'> {
  /** The raw body; empty when the status is not 2xx. Fails with an {@link OutboundError}. */
  readonly body: AsyncIterable<Buffer>;
  /** Call it when the body is not read to its end. */
  readonly close: () => void;
}

export interface OutboundOptions {
  /** Throws when a unit of work is open: no network inside a transaction. */
  readonly assertNoTransaction?: () => void;
  /** Replaces the system's name servers. */
  readonly resolve?: Resolve;
}

/**
 * The only way to other servers. Checks addresses before connecting and at every redirect; limits time, size and
 * redirects; has no cookies.
 */
@Injectable()
export class Outbound implements OnApplicationShutdown {
  private readonly addresses: AddressRules;
  private readonly pools = new Lazy(() => this.connections());
  private isShutDown = false;
  private readonly failures = new OutboundFailures();
  private readonly userAgent: string;
  private assertNoTransaction: () => void = () => undefined;

  constructor(
    @Inject(ENV) env: Pick<Env, 'allowedPrivateAddresses' | 'baseUrl' | 'version'>,
    private readonly tracing: Tracing = new Tracing(),
  ) {
    this.userAgent = `svc ${env.version}; ${env.baseUrl}`;
    this.addresses = new AddressRules(env.allowedPrivateAddresses);
  }

  /** The dependencies that platform code cannot import. */
  configure(options: OutboundOptions): void {
    if (options.assertNoTransaction) this.assertNoTransaction = options.assertNoTransaction;
    if (options.resolve) this.addresses.resolve = options.resolve;
  }

  /** Whether a URL may be fetched as written; its host name is resolved only at the request. */
  mayReach(url: string): boolean {
    try {
      this.addresses.target(url);
      return true;
    } catch {
      return false;
    }
  }

  /** Sends the request and reads the whole answer of any status. Throws {@link OutboundError}. */
  fetch(request: OutboundRequest): Promise<OutboundResponse> {
    return asSpan(this.tracing, request, () => this.fetchAll(request));
  }

  private async fetchAll(request: OutboundRequest): Promise<OutboundResponse> {
    const deadline = this.deadline(request);
    try {
      const { url, answer } = await this.follow(request, deadline.signal);
      return await receive(request, url, answer, deadline.signal);
    } catch (error) {
      throw this.reported(request, error);
    } finally {
      deadline.clear();
    }
  }

  /**
   * Like {@link fetch}, but returns the body as it arrives, for large files. Asks for no content coding and decodes
   * none. Limits and deadline apply until the end of the body.
   */
  open(request: OutboundRequest): Promise<OutboundStream> {
    return asSpan(this.tracing, request, () => this.openStream(request));
  }

  private async openStream(request: OutboundRequest): Promise<OutboundStream> {
    const deadline = this.deadline(request);
    try {
      const headers = { ...request.headers, 'accept-encoding': 'identity' };
      const { url, answer } = await this.follow({ ...request, headers }, deadline.signal);
      return opened(request, url, answer, deadline, (error) => this.reported(request, error));
    } catch (error) {
      deadline.clear();
      throw this.reported(request, error);
    }
  }

  /** Logs the reason for discarding an answer, without any sent data. Failed requests are logged here already. */
  report({ url }: Pick<OutboundRequest, 'url'>, reason: string): void {
    this.failures.report(url, reason);
  }

  /** Closes all connections; running requests fail. */
  async onApplicationShutdown(): Promise<void> {
    this.isShutDown = true;
    const pools = await this.pools.current?.catch(() => undefined);
    await pools?.destroy();
  }

  private deadline({ timeoutMs = TIMEOUT_MS }: OutboundRequest): Deadline {
    this.assertNoTransaction();
    const control = new AbortController();
    const expire = () => control.abort(new OutboundError('timeout', 'The answer took too long'));
    const timer = setTimeout(expire, timeoutMs);
    return {
      signal: control.signal,
      clear: () => clearTimeout(timer),
      abort: () => {
        clearTimeout(timer);
        control.abort(ABANDONED);
      },
    };
  }

  /** The final answer after redirects. */
  private async follow(request: OutboundRequest, signal: AbortSignal): Promise<{ url: URL; answer: Answer }> {
    const first = this.addresses.target(request.url);
    const visited = new Set<string>();
    let url = first;
    let atFirstHost = true;
    for (;;) {
      signal.throwIfAborted();
      visited.add(url.href);
      if (request.avoid?.includes(url.host)) throw new OutboundError('redirect', `Not to be asked at ${url.host}`);
      await request.beforeHop?.(url, signal);
      const answer = await this.send(await hopTo(url, request, this.userAgent, atFirstHost), signal);
      const location = redirection(request, answer);
      if (location === undefined) {
        if (answer.statusCode >= 400) this.failures.report(request.url, answer.statusCode);
        return { url, answer };
      }
      discard(answer);
      url = this.addresses.target(location, url);
      atFirstHost &&= url.host === first.host;
      if (visited.has(url.href) || visited.size > (request.maxRedirects ?? MAX_REDIRECTS)) {
        throw new OutboundError('redirect', 'The redirects lead in a circle or too far');
      }
    }
  }

  private reported(request: OutboundRequest, error: unknown): unknown {
    const isFailure = error instanceof OutboundError && error.wasAsked && error !== ABANDONED && error !== SHUT_DOWN;
    if (isFailure) this.failures.report(request.url, error);
    return error;
  }

  private async send({ method, url, headers, body }: OutboundHop, signal: AbortSignal): Promise<Answer> {
    const path = url.pathname + url.search;
    if (this.isShutDown) throw SHUT_DOWN;
    const pools = await this.pools.get();
    const answer = pools.request(url.origin, { path, method, headers, body: body ?? null, signal });
    return withinDeadline(answer, signal);
  }

  /** The library is loaded only where requests are made. */
  private async connections(): Promise<OutboundPools> {
    const [{ Pool }, { createSecureContext }] = await Promise.all([import('undici'), import('node:tls')]);
    const secureContext = createSecureContext(); // shared: each connection would create its own otherwise
    return new OutboundPools((origin) => this.pool(Pool, origin, secureContext));
  }

  private pool(connections: typeof Pool, origin: string, secureContext: SecureContext): Pool {
    return new connections(origin, {
      connect: { timeout: CONNECT_TIMEOUT_MS, lookup: this.addresses.lookupFor(knownUrl(origin)), secureContext },
      connections: CONNECTIONS_PER_ORIGIN,
      keepAliveMaxTimeout: IDLE_CONNECTION_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      allowH2: false,
      headersTimeout: 0, // the deadline of each request replaces these two
      bodyTimeout: 0,
    });
  }
}

async function hopTo(
  url: URL,
  request: OutboundRequest,
  userAgent: string,
  atFirstHost: boolean,
): Promise<OutboundHop> {
  const { method = 'GET', body, accept, sign } = request;
  const given = passable(request.headers ?? {}, atFirstHost);
  const headers = {
    'user-agent': userAgent,
    'accept-encoding': ACCEPTED_CODINGS,
    ...(accept && { accept: accept.join(', ') }),
    ...given,
  };
  const hop = { method, url, headers, body };
  if (!sign || !atFirstHost) return hop;
  return { ...hop, headers: { ...headers, ...passable(await sign(hop), atFirstHost) } };
}

function passable(headers: OutboundHeaders, atFirstHost: boolean): OutboundHeaders {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    entries.filter(([name]) => !NEVER_SENT.has(name) && (atFirstHost || name !== 'authorization')),
  );
}

/** The target of a redirect, if this request follows redirects. */
function redirection(request: OutboundRequest, answer: Answer): string | undefined {
  const { method = 'GET' } = request;
  const { location } = flattened(answer.headers);
  return REDIRECTS.has(answer.statusCode) && (method === 'GET' || method === 'HEAD') ? location : undefined;
}

async function receive(
  request: OutboundRequest,
  url: URL,
  answer: Answer,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { headers, ...response } = headOf(url, answer);
  if (!isWanted(request, answer)) return { ...response, headers, body: Buffer.alloc(0) };
  const body = readBody(answer.body, headers['content-encoding'] ?? '', request.maxBytes ?? MAX_BYTES);
  return { ...response, headers, body: await withinDeadline(body, signal) };
}

function opened(
  request: OutboundRequest,
  url: URL,
  answer: Answer,
  deadline: Deadline,
  reported: (error: unknown) => unknown,
): OutboundStream {
  const head = headOf(url, answer);
  if (!isWanted(request, answer)) {
    deadline.clear();
    return { ...head, body: nothing(), close: () => undefined };
  }
  const coding = head.headers['content-encoding'] ?? 'identity';
  if (coding.trim().toLowerCase() !== 'identity') {
    discard(answer);
    throw new OutboundError('network', 'The answer has a content coding that was not asked for');
  }
  return { ...head, body: arriving(request, answer, deadline, reported), close: () => deadline.abort() };
}

async function* arriving(
  { maxBytes = MAX_BYTES }: OutboundRequest,
  answer: Answer,
  deadline: Deadline,
  reported: (error: unknown) => unknown,
) {
  try {
    yield* bounded(answer.body, maxBytes);
  } catch (error) {
    throw reported(asOutboundError(deadline.signal.aborted ? deadline.signal.reason : error));
  } finally {
    deadline.clear();
  }
}

async function* nothing(): AsyncGenerator<Buffer, void> {}

function headOf(url: URL, answer: Answer): Omit<OutboundResponse, 'body'> {
  return { status: answer.statusCode, url: url.href, headers: flattened(answer.headers) };
}

/**
 * Whether to read the body; otherwise it is released.
 * @throws OutboundError when it has an unexpected type
 */
function isWanted({ accept }: OutboundRequest, answer: Answer): boolean {
  const { 'content-type': type } = flattened(answer.headers);
  const isSuccess = answer.statusCode >= 200 && answer.statusCode <= 299;
  const isOther = isSuccess && accept !== undefined && !isAcceptable(type, accept);
  if (!isSuccess || isOther) discard(answer);
  if (isOther) throw new OutboundError('media-type', `The answer is of the type ${type ?? '(none)'}`);
  return isSuccess;
}

function flattened(headers: Answer['headers']): OutboundHeaders {
  const entries = Object.entries(headers).filter(([name]) => name !== 'set-cookie');
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

function discard(answer: Answer): void {
  const discarded = answer.body.dump({ limit: DISCARD.bytes, signal: AbortSignal.timeout(DISCARD.ms) });
  discarded.catch(() => undefined); // only the connection is lost
}

/** The result of the work, or the signal's reason as soon as it aborts: a queued request does not see the signal. */
async function withinDeadline<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const expire = () => reject(asOutboundError(signal.reason));
  signal.addEventListener('abort', expire);
  try {
    return await Promise.race([work, expired]);
  } catch (error) {
    throw asOutboundError(error);
  } finally {
    signal.removeEventListener('abort', expire);
  }
}

function asOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  if (hasCode(error, 'UND_ERR_CONNECT_TIMEOUT')) return new OutboundError('timeout', 'No connection in time', error);
  if (hasCode(error, 'UND_ERR_HEADERS_OVERFLOW'))
    return new OutboundError('too-large', 'The header is too large', error);
  return new OutboundError('network', 'The connection failed', error);
}
