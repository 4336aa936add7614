import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ByteBudget } from '../memory/byte-budget.js';
import { answerEarly } from './early-answer.js';

/** How much work and memory requests may take in this process at once. */
export interface GateLimits {
  /** Requests that the application works on. */
  readonly maxWorking: number;
  /** Requests that wait for something else for long, such as another server, and have given their room to others. */
  readonly maxSlow: number;
  /** Requests that wait until it has room, and for how long. */
  readonly maxQueued: number;
  readonly maxQueuedMs: number;
  /** Pipelined requests, of all connections together, that wait for the answers before them. */
  readonly maxPipelined: number;
  /** Bytes of finished answers that clients have not read. */
  readonly maxUnsentBytes: number;
}

export const GATE_LIMITS: GateLimits = {
  maxWorking: 32,
  maxSlow: 256,
  maxQueued: 512,
  maxQueuedMs: 5_000,
  maxPipelined: 16_384,
  maxUnsentBytes: 32 * 1_048_576,
};

/** How often the queue is looked at while nothing ends that would make room. */
const TICK_MS = 25;
/**
 * Who is in work for longer waits for a program, another server or a lock rather than for the processor. Less than
 * `maxQueuedMs`, so that those who wait in the queue meanwhile are let in and not refused.
 */
const SLOW_MS = 750;

/** Of a body that nobody wants, so much is read and dropped behind the answer; a client that sends on is cut off. */
const MAX_DROPPED_BYTES = 1_048_576;
const DROPPED_LOOK_MS = 10;
/** So long the client may read the answer before its connection goes. */
const LINGER_MS = 1_000;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  /** The answer in progress. */
  current: ServerResponse | undefined;
  readonly pipelined: Exchange[];
}

/**
 * Decides when a request reaches the application (threat H25). A connection has one request in work: those that were sent
 * behind it wait, and nothing more is read meanwhile. The process has a bounded number in work and a bounded queue; what
 * comes above both, or waits in the queue for too long, is answered with 503 before it has cost anything. Requests whose body is
 * still on its way, answers that are being streamed, and requests that take long count as no work: slow clients and slow
 * servers elsewhere cannot use up the room of others.
 */
export class RequestGate {
  private readonly connections = new WeakMap<Socket, Connection>();
  /** With the time at which the application got them, oldest first. */
  private readonly working = new Map<ServerResponse, number>();
  private readonly receiving = new Set<ServerResponse>();
  private readonly slow = new Set<ServerResponse>();
  private queue: (Exchange & { readonly until: number })[] = [];
  private pipelined = 0;
  private timer: NodeJS.Timeout | undefined;
  private sortedAt = 0;
  private refused = 0;
  private readonly unsent: ByteBudget<ServerResponse>;

  /**
   * @param handle the application
   * @param passes whether a request is served whatever the load is, such as a probe of the process's health
   */
  constructor(
    private readonly handle: RequestListener,
    private readonly passes: (request: IncomingMessage) => boolean,
    private readonly limits: GateLimits = GATE_LIMITS,
  ) {
    this.unsent = new ByteBudget(limits.maxUnsentBytes, (response) => response.destroy());
  }

  /** Requests in work, slow, in the queue, and refused since the start; bytes of answers that clients have not read. */
  get load(): { working: number; slow: number; queued: number; refused: number; unsentBytes: number } {
    const { working, slow, queue, refused, unsent } = this;
    return { working: working.size, slow: slow.size, queued: queue.length, refused, unsentBytes: unsent.total };
  }

  /** The answer that is in progress on a connection. */
  answerOn(socket: Socket): ServerResponse | undefined {
    return this.connections.get(socket)?.current;
  }

  /** Takes a request as node has parsed it. */
  readonly take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const connection = this.connectionOf(socket);
    if (!connection.current) this.begin(connection, { request, response });
    else if (this.pipelined >= this.limits.maxPipelined) socket.destroy();
    else {
      this.pipelined += 1;
      connection.pipelined.push({ request, response });
      socket.pause();
    }
  };

  private connectionOf(socket: Socket): Connection {
    let connection = this.connections.get(socket);
    if (!connection) {
      const made: Connection = { current: undefined, pipelined: [] };
      connection = made;
      this.connections.set(socket, made);
      // Node resumes the socket at the end of each request that it has parsed.
      socket.on('resume', () => made.pipelined.length > 0 && socket.pause());
      socket.once('close', () => {
        this.pipelined -= made.pipelined.length;
        made.pipelined.length = 0;
      });
    }
    return connection;
  }

  private begin(connection: Connection, exchange: Exchange): void {
    const { request, response } = exchange;
    connection.current = response;
    response.once('prefinish', () => this.countUnsent(response));
    response.once('close', () => this.end(connection, exchange));
    if (this.passes(request)) this.handle(request, response);
    else if (this.queue.length === 0 && this.hasRoom()) this.work(exchange);
    else if (this.queue.length < this.limits.maxQueued) this.enqueue(exchange);
    else this.refuse(response);
  }

  private end(connection: Connection, { request, response }: Exchange): void {
    this.working.delete(response);
    this.receiving.delete(response);
    this.slow.delete(response);
    this.unsent.release(response);
    connection.current = undefined;
    if (!request.complete) limitRest(request);
    this.advance();
    const next = connection.pipelined.shift();
    if (next) {
      this.pipelined -= 1;
      this.begin(connection, next);
    }
    if (connection.pipelined.length === 0 && request.socket.isPaused()) request.socket.resume();
  }

  /** The whole answer is written by now; what the client has not read of it waits in the memory of this process. */
  private countUnsent(response: ServerResponse): void {
    const bytes = response.socket?.writableLength ?? 0;
    if (bytes > 0) this.unsent.add(response, bytes);
  }

  private work({ request, response }: Exchange): void {
    this.working.set(response, performance.now());
    this.handle(request, response);
  }

  private refuse(response: ServerResponse): void {
    this.refused += 1;
    answerEarly(response, 503, 'The server is overloaded');
  }

  private enqueue(exchange: Exchange): void {
    this.queue.push({ ...exchange, until: performance.now() + this.limits.maxQueuedMs });
    this.timer ??= setInterval(() => this.advance(), TICK_MS).unref();
  }

  /** Lets requests of the queue in as far as there is room, and refuses those that have waited for too long. */
  private advance(): void {
    for (let first = this.queue[0]; first; first = this.queue[0]) {
      const isGone = first.response.destroyed;
      const isLate = first.until < performance.now();
      if (!isGone && !isLate && !this.hasRoom()) return;
      this.queue.shift();
      if (isLate && !isGone) this.refuse(first.response);
      else if (!isGone) this.work(first);
    }
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private hasRoom(): boolean {
    if (this.working.size >= this.limits.maxWorking) this.sortOutWaits();
    return this.working.size < this.limits.maxWorking;
  }

  /** Finds what occupies room without being work. Not more often than the queue is looked at: it goes through all of them. */
  private sortOutWaits(): void {
    const now = performance.now();
    if (now < this.sortedAt + TICK_MS) return;
    this.sortedAt = now;
    for (const response of this.receiving) {
      if (!response.req.complete) continue;
      this.receiving.delete(response);
      this.working.set(response, now);
    }
    for (const [response, since] of this.working) {
      if (response.headersSent) this.working.delete(response);
      else if (!response.req.complete) this.move(response, this.receiving);
      else if (now - since > SLOW_MS && this.slow.size < this.limits.maxSlow) this.move(response, this.slow);
    }
  }

  private move(response: ServerResponse, to: Set<ServerResponse>): void {
    this.working.delete(response);
    to.add(response);
  }
}

/** Each part of a body that is dropped stays in memory until the next collection of garbage. */
function limitRest(request: IncomingMessage): void {
  const { socket } = request;
  const end = socket.bytesRead + MAX_DROPPED_BYTES;
  const timer = setInterval(() => {
    if (socket.bytesRead > end) {
      socket.pause();
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    } else if (!request.complete && !socket.destroyed) return;
    clearInterval(timer);
  }, DROPPED_LOOK_MS).unref();
}
