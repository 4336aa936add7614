import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ClientOptions, WebSocket } from 'ws';
import { Events, UnitOfWork } from '../../../src/platform/index.js';
import { StatusDeleted, Visibility } from '../../../src/statuses/index.js';
import type { TestApp } from './app.js';

/** A frame of the server (spec §6.1). */
export interface Frame {
  readonly event: string;
  readonly payload?: string;
  readonly stream: readonly string[];
}

/** The end of a connection. */
export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** The answer to a refused connection. */
export interface Refusal {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface SocketOptions extends ClientOptions {
  readonly path?: string;
  readonly protocols?: string[];
}

type Query = Readonly<Record<string, string>>;

const PATH = '/api/v1/streaming';
/** A missing frame must fail its own test with a clear error. */
const PATIENCE_MS = 30_000;

/** A client of the streams. It queues frames in the order of arrival. */
export class TestSocket {
  private readonly frames: Frame[] = [];
  private waiting: ((frame: Frame) => void) | undefined;
  private lastMarker: string | undefined;
  /** Resolves when the connection has closed. */
  readonly closed: Promise<Closed>;

  constructor(readonly raw: WebSocket) {
    raw.on('message', (data, isBinary) => {
      if (isBinary) throw new Error('A binary frame came');
      this.take(JSON.parse((data as Buffer).toString()) as Frame);
    });
    this.closed = once(raw, 'close').then(([code, reason]) => ({ code: code as number, reason: String(reason) }));
  }

  /** Sends a client event, or any text. */
  send(event: object | string): void {
    this.raw.send(typeof event === 'string' ? event : JSON.stringify(event));
  }

  /** The next frame. */
  async next(): Promise<Frame> {
    const waiting = this.frames.shift();
    if (waiting) return waiting;
    const { promise, resolve, reject } = Promise.withResolvers<Frame>();
    const timer = setTimeout(() => reject(new Error('No frame came')), PATIENCE_MS);
    this.waiting = resolve;
    return promise.finally(() => clearTimeout(timer));
  }

  /** The frames before the marker, which is consumed too. */
  async until(isMarker: (frame: Frame) => boolean): Promise<Frame[]> {
    const before: Frame[] = [];
    for (let frame = await this.next(); !isMarker(frame); frame = await this.next()) before.push(frame);
    return before;
  }

  /** Sends an event and returns the server's reply, which must be the next frame. */
  async ask(event: object): Promise<unknown> {
    this.send(event);
    const { event: name, payload = '', ...rest } = await this.next();
    return { event: name, ...rest, payload: JSON.parse(payload) as unknown };
  }

  /** Subscribes; fails when the server refuses. */
  async subscribe(stream: string, argument: object = {}): Promise<void> {
    const reply = JSON.stringify(await this.ask({ type: 'subscribe', stream, ...argument }));
    if (!reply.includes('"result":"success"')) throw new Error(`Subscribing to ${stream} failed: ${reply}`);
  }

  async close(): Promise<Closed> {
    this.raw.close();
    return this.closed;
  }

  /** A marker arrives on every stream of the socket; only its first frame counts. */
  private take(frame: Frame): void {
    if (isMarker(frame)) {
      if (frame.payload === this.lastMarker) return;
      this.lastMarker = frame.payload;
    }
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) waiting(frame);
    else this.frames.push(frame);
  }
}

/** Connects to a listening server (`useApp({ listening: true })`). */
export async function connect(app: TestApp, query: Query = {}, options: SocketOptions = {}): Promise<TestSocket> {
  const raw = dial(app, query, options);
  const socket = new TestSocket(raw); // listens from the beginning: the first frame may arrive with the answer
  await once(raw, 'open');
  return socket;
}

/** Connects as a person of the world. */
export async function connectAs(app: TestApp, person: string, query: Query = {}): Promise<TestSocket> {
  const { token } = await app.world.as(person);
  return connect(app, { access_token: token, ...query });
}

/** Tries to connect; fails when the server accepts. */
export async function refused(app: TestApp, query: Query = {}, options: SocketOptions = {}): Promise<Refusal> {
  const raw = dial(app, query, options);
  raw.on('error', () => undefined); // the library reports a refusal as an error too
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | undefined>();
  raw.once('unexpected-response', (_request, response: IncomingMessage) => resolve(response));
  raw.once('open', () => {
    raw.terminate();
    resolve(undefined);
  });
  const response = await promise;
  expect(response === undefined ? 'the server agreed' : 'the server refused').toBe('the server refused');
  if (!response) throw new Error('unreachable');
  const chunks = (await response.toArray()) as Buffer[];
  const text = Buffer.concat(chunks).toString();
  return { status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) as unknown };
}

const MARKER = 'marker ';
let markers = 0;

/**
 * Sends a frame to all readers of an open stream and to the named accounts, after all frames on their way: a frame that
 * has not arrived before it never will.
 */
export function sendMarker(app: TestApp, people: readonly string[]): Promise<void> {
  const deleted = new StatusDeleted({
    statusId: `${MARKER}${++markers}`,
    authorId: 'nobody',
    uri: 'https://svc.test/objects/marker',
    local: true,
    visibility: Visibility.public,
    reblogOfId: null,
    tagIds: [],
    groupId: null,
    addressedIds: people.map((name) => app.world.id(name)),
    boosterIds: [],
    threadAuthorIds: [],
    endedQuoteUri: null,
    wasPublic: false,
  });
  return announce(app, deleted);
}

/** Emits an event in its own unit of work. */
export function announce(app: TestApp, event: object): Promise<void> {
  return app.get(UnitOfWork).run(async () => {
    await Promise.resolve();
    app.get(Events).emit(event);
  });
}

/** Whether it is the frame of {@link sendMarker}. */
export function isMarker({ event, payload = '' }: Pick<Frame, 'event' | 'payload'>): boolean {
  return event === 'delete' && payload.startsWith(MARKER);
}

function dial(app: TestApp, query: Query, { path = PATH, protocols = [], ...options }: SocketOptions): WebSocket {
  const address = app.env.baseUrl.replace(/^http/, 'ws');
  return new WebSocket(`${address}${path}?${new URLSearchParams(query).toString()}`, protocols, options);
}
