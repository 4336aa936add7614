import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ActiveSet } from '../memory/active-set.js';
import { ByteBudget } from '../memory/byte-budget.js';
import type { ConnectionState } from './connection-cap.js';
import { answerEarly } from './early-answer.js';

/** Limits of the requests' work and memory in this process. */
export interface GateLimits {
  /** Requests in the application. */
  readonly maxWorking: number;
  /** Slow requests, which wait for something such as another server and no longer count as work. */
  readonly maxSlow: number;
  /** The longest wait in the queue. */
  readonly maxQueuedMs: number;
  /** Most requests in a queue that has not been empty for that long: waiting helps nobody where more come than can be answered. */
  readonly maxQueued: number;
  /** Most in one that has, such as all that came while a disk or the machine stood still. */
  readonly maxBurst: number;
  /** Pipelined requests of all connections together that wait for earlier answers. */
  readonly maxPipelined: number;
  /** Bytes of finished answers that clients have not read. */
  readonly maxUnsentBytes: number;
}

export const GATE_LIMITS: GateLimits = {
  maxWorking: 32,
  maxSlow: 256,
  maxQueuedMs: 5_000,
  maxQueued: 512,
  maxBurst: 2_048,
  maxPipelined: 16_384,
  maxUnsentBytes: 32 * 1_048_576,
};

/** The interval of checking the queue while no request ends. */
const TICK_MS = 25;
/**
 * After this time a request waits for a program, a server or a lock rather than for the processor. Less than
 * `maxQueuedMs`, so that queued requests are admitted and not refused.
 */
const SLOW_MS = 750;

/** Bytes of an unwanted body that are read and dropped behind the answer; a client that sends more is cut off. */
const MAX_DROPPED_BYTES = 1_048_576;
const DROPPED_LOOK_MS = 10;
/** How long the client may read the answer before its connection is closed. */
const LINGER_MS = 1_000;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Node takes it from the request when a handler stops to read the body. */
  readonly socket: Socket;
  /** When it entered the queue or, later, the application. */
  since: number;
  /** Removes it from the set that it is in. */
  leave?: () => void;
}

interface Connection {
  /** The answer in progress. */
  current: ServerResponse | undefined;
  /** When it began its request, or ended the last one. */
  since: number;
  readonly pipelined: Exchange[];
}

/**
 * Decides when a request reaches the application (threat H25). A connection has one request in work; later ones wait,
 * and reading stops meanwhile. The process has a bounded number in work and a bounded queue; further requests, and
 * those that wait too long, get 503 before they cost anything. Requests whose body is arriving, streamed answers and
 * slow requests do not count as work: slow clients and slow servers elsewhere cannot use up the room.
 */
export class RequestGate {
  private readonly connections = new WeakMap<Socket, Connection>();
  private readonly working = new ActiveSet<Exchange>();
  private readonly receiving = new ActiveSet<Exchange>();
  private readonly slow = new ActiveSet<Exchange>();
  private readonly queue: Exchange[] = [];
  /** When the queue was last empty. */
  private queuedSince = 0;
  private pipelined = 0;
  private timer: NodeJS.Timeout | undefined;
  private sortedAt = 0;
  private refused = 0;
  private readonly unsent: ByteBudget<ServerResponse>;
  private unsentElsewhere: () => number = () => 0;

  /**
   * @param handle the application
   * @param passes whether a request is served under any load, such as a health probe
   */
  constructor(
    private readonly handle: RequestListener,
    private readonly passes: (request: IncomingMessage) => boolean,
    private readonly limits: GateLimits = GATE_LIMITS,
  ) {
    this.unsent = new ByteBudget(limits.maxUnsentBytes, (response) => response.destroy());
  }

  /** Requests in work, slow, queued, and refused since the start; bytes that clients have not read. */
  get load(): { working: number; slow: number; queued: number; refused: number; unsentBytes: number } {
    const { working, slow, queue, refused, unsent } = this;
    const unsentBytes = unsent.total + this.unsentElsewhere();
    return { working: working.size, slow: slow.size, queued: queue.length, refused, unsentBytes };
  }

  /** Adds the unread bytes of live streams, which are no finished answers, to the {@link load}. */
  countStreams(unsentBytes: () => number): void {
    this.unsentElsewhere = unsentBytes;
  }

  /** The answer in progress on a connection. */
  answerOn(socket: Socket): ServerResponse | undefined {
    return this.connections.get(socket)?.current;
  }

  /** What a connection does; undefined before its first request. */
  stateOf(socket: Socket): ConnectionState | undefined {
    const connection = this.connections.get(socket);
    if (!connection) return undefined;
    const { current, since } = connection;
    if (!current) return { activity: 'idle', since };
    return { activity: current.headersSent || !current.req.complete ? 'transferring' : 'working', since };
  }

  /** Accepts a request as node has parsed it. */
  readonly accept = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const connection = this.connectionOf(socket);
    if (!connection.current) this.begin(connection, { request, response, socket, since: 0 });
    else if (this.pipelined >= this.limits.maxPipelined) socket.destroy();
    else {
      this.pipelined += 1;
      connection.pipelined.push({ request, response, socket, since: 0 });
      socket.pause();
    }
  };

  private connectionOf(socket: Socket): Connection {
    let connection = this.connections.get(socket);
    if (!connection) {
      const made: Connection = { current: undefined, since: 0, pipelined: [] };
      connection = made;
      this.connections.set(socket, made);
      // Node resumes the socket at the end of each parsed request.
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
    connection.since = performance.now();
    response.on('prefinish', () => this.countUnsent(response));
    response.on('close', () => this.end(connection, exchange));
    if (this.passes(request)) this.handle(request, response);
    else if (this.queue.length === 0 && this.hasRoom()) this.work(exchange);
    else if (this.queue.length < this.mostQueued()) this.enqueue(exchange);
    else this.refuse(response);
  }

  private end(connection: Connection, { request, response, socket, leave }: Exchange): void {
    leave?.();
    this.unsent.release(response);
    connection.current = undefined;
    connection.since = performance.now();
    if (!request.complete) limitRest(request, socket);
    this.advance();
    const next = connection.pipelined.shift();
    if (next) {
      this.pipelined -= 1;
      this.begin(connection, next);
    }
    if (connection.pipelined.length === 0 && socket.isPaused()) socket.resume();
  }

  /** The whole answer is written now; its unread part stays in the memory of this process. */
  private countUnsent(response: ServerResponse): void {
    const bytes = response.socket?.writableLength ?? 0;
    if (bytes > 0) this.unsent.add(response, bytes);
  }

  private work(exchange: Exchange): void {
    this.countAsWork(exchange, performance.now());
    this.handle(exchange.request, exchange.response);
  }

  private countAsWork(exchange: Exchange, since: number): void {
    exchange.since = since;
    this.move(exchange, this.working);
  }

  private refuse(response: ServerResponse): void {
    this.refused += 1;
    answerEarly(response, 503, 'The server is overloaded');
  }

  private mostQueued(): number {
    const { maxQueued, maxBurst, maxQueuedMs } = this.limits;
    const isBurst = this.queue.length === 0 || performance.now() - this.queuedSince < maxQueuedMs;
    return isBurst ? maxBurst : maxQueued;
  }

  private enqueue(exchange: Exchange): void {
    exchange.since = performance.now();
    if (this.queue.length === 0) this.queuedSince = exchange.since;
    this.queue.push(exchange);
    this.timer ??= setInterval(() => this.advance(), TICK_MS).unref();
  }

  /** Admits queued requests while there is room, and refuses those that waited too long. */
  private advance(): void {
    for (let first = this.queue[0]; first; first = this.queue[0]) {
      const isGone = first.response.destroyed;
      const isLate = first.since + this.limits.maxQueuedMs < performance.now();
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

  /** Finds requests that no longer count as work, or as slow. At most once per interval of the queue: it visits all of them. */
  private sortOutWaits(): void {
    const now = performance.now();
    if (now < this.sortedAt + TICK_MS) return;
    this.sortedAt = now;
    for (const exchange of this.receiving.items) if (exchange.request.complete) this.countAsWork(exchange, now);
    for (const { response, leave } of [...this.slow.items, ...this.working.items]) if (response.headersSent) leave?.();
    for (const exchange of this.working.items) {
      const { request, since } = exchange;
      if (!request.complete) this.move(exchange, this.receiving);
      else if (now - since > SLOW_MS && this.slow.size < this.limits.maxSlow) this.move(exchange, this.slow);
    }
  }

  private move(exchange: Exchange, to: ActiveSet<Exchange>): void {
    exchange.leave?.();
    exchange.leave = to.add(exchange);
  }
}

/** Each part of a dropped body stays in memory until the next garbage collection. */
function limitRest(request: IncomingMessage, socket: Socket): void {
  const end = socket.bytesRead + MAX_DROPPED_BYTES;
  const timer = setInterval(() => {
    if (socket.bytesRead > end) {
      socket.pause();
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    } else if (!request.complete && !socket.destroyed) return;
    clearInterval(timer);
  }, DROPPED_LOOK_MS).unref();
}
