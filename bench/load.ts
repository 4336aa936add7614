import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const LINE_END = '\r\n';
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');
const ANSWER_MS = 15_000;
/** Reads one in so many answers; the others are only counted. */
const READ_EVERY = 64;

/** The answer to one request. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

export interface LoadOptions {
  readonly port: number;
  /** Further servers, among which the connections are divided; only {@link runLoad} knows them. */
  readonly otherPorts?: readonly number[];
  readonly connections: number;
  /** The most requests that are begun in a second, of all connections; without it one begins as soon as the last ends. */
  readonly perSecond?: number;
  /** No request is sent after this time. */
  readonly seconds: number;
  /** The bytes of the next request; undefined when there is none left. */
  readonly next: () => Buffer | undefined;
  /** The status of a correct answer; 200 by default. */
  readonly status?: number;
  /** The problem of an answer with this status. */
  readonly complaint: (answer: Answer) => string | undefined;
  /** Whether correct answers differ much in length. */
  readonly varies?: boolean;
  readonly signal: AbortSignal;
}

/** The result of a load run. */
export interface LoadResult {
  readonly requests: number;
  /** The number of errors by kind. */
  readonly errors: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly rate: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** The average bytes of a body. */
  readonly bytes: number;
}

/** The bytes of a request of HTTP/1.1. */
export function requestBytes(path: string, headers: Readonly<Record<string, string>> = {}, json?: object): Buffer {
  const body = json === undefined ? '' : JSON.stringify(json);
  const all: Record<string, string> = {
    host: 'bench.test',
    ...headers,
    ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** The bytes of a request with a body of any kind. */
export function postBytes(path: string, headers: Readonly<Record<string, string>>, body: Buffer): Buffer {
  const all = { host: 'bench.test', ...headers, 'content-length': String(body.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

/** The bytes of an upload of one picture. */
export function uploadBytes(path: string, headers: Readonly<Record<string, string>>, picture: Buffer): Buffer {
  const boundary = 'bench-boundary';
  const part = 'content-disposition: form-data; name="file"; filename="photo.jpg"\r\ncontent-type: image/jpeg';
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\n${part}\r\n\r\n`),
    picture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return postBytes(path, { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` }, body);
}

/** Keeps `connections` busy until the time is over, each with one request at a time. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const tally = new Tally(options);
  const start = performance.now();
  const end = start + options.seconds * 1_000;
  const ports = [options.port, ...(options.otherPorts ?? [])];
  await Promise.all(
    Array.from({ length: options.connections }, (_, at) =>
      keepBusy({ ...options, port: ports[at % ports.length]! }, end, tally),
    ),
  );
  return tally.result((performance.now() - start) / 1_000);
}

async function keepBusy(options: LoadOptions, end: number, tally: Tally): Promise<void> {
  const { port, connections, perSecond = Infinity, next, complaint, signal } = options;
  const pauseMs = (1_000 * connections) / perSecond;
  let connection: Connection | undefined;
  let due = performance.now();
  while (performance.now() < end && !signal.aborted) {
    if (pauseMs > 0) await delay(Math.max(0, due - performance.now()));
    due = Math.max(due + pauseMs, performance.now());
    const request = next();
    if (!request) break;
    try {
      connection ??= await Connection.open(port);
      const sent = performance.now();
      const answer = await connection.exchange(request);
      tally.add(performance.now() - sent, answer, complaint);
      if (!connection.isOpen) connection = undefined;
    } catch (error) {
      tally.fail(error instanceof Error ? error.message : String(error));
      connection?.close();
      connection = undefined;
    }
  }
  connection?.close();
}

/** Counts answers and errors. */
class Tally {
  private readonly latencies: number[] = [];
  private readonly errors: Record<string, number> = {};
  private bytes = 0;
  private smallest = 0;
  private readonly varies: boolean;
  private readonly status: number;

  constructor({ varies = false, status = 200 }: LoadOptions) {
    this.varies = varies;
    this.status = status;
  }

  add(ms: number, answer: Answer, complaint: (answer: Answer) => string | undefined): void {
    const wrong = this.problem(answer, complaint);
    if (wrong !== undefined) this.fail(wrong);
    this.latencies.push(ms);
    this.bytes += answer.body.length;
  }

  fail(reason: string): void {
    this.errors[reason] = (this.errors[reason] ?? 0) + 1;
  }

  result(seconds: number): LoadResult {
    return { ...summaryOf(this.latencies, seconds, this.bytes), errors: this.errors };
  }

  /** Reads some answers; the others must have a similar length. */
  private problem(answer: Answer, complaint: (answer: Answer) => string | undefined): string | undefined {
    if (answer.status !== this.status) return `status ${answer.status}`;
    if (this.latencies.length % READ_EVERY === 0) {
      this.smallest = this.varies ? 0 : answer.body.length / 3;
      return complaint(answer);
    }
    return answer.body.length < this.smallest ? 'a body much shorter than the others' : undefined;
  }
}

/** The figures of requests that were answered, or of the units that a scenario counts instead. */
export function summaryOf(latencies: readonly number[], seconds: number, bytes: number): Omit<LoadResult, 'errors'> {
  const sorted = Float64Array.from(latencies).sort();
  const requests = sorted.length;
  const at = (share: number) => sorted[Math.min(requests - 1, Math.floor(requests * share))] ?? 0;
  return {
    requests,
    seconds,
    rate: requests / seconds,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    bytes: requests === 0 ? 0 : bytes / requests,
  };
}

/** A keep-alive connection with the least cost for this process. */
export class Connection {
  private readonly socket: Socket;
  private chunks: Buffer[] = [];
  private received = 0;
  /** The length of the whole answer, once its head is there. */
  private expected: number | undefined;
  private headLength = 0;
  private isLast = false;
  private isChunked = false;
  private waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.take(chunk);
    });
    socket.setTimeout(ANSWER_MS, () => this.socket.destroy(new Error('no answer')));
    socket.on('error', (error) => this.waiting?.reject(error));
    socket.on('close', () => this.waiting?.reject(new Error('connection closed')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      });
    });
  }

  /** Whether another request can be sent: the other side has neither closed it nor announced that. */
  get isOpen(): boolean {
    return this.socket.writable && !this.isLast;
  }

  exchange(request: Buffer): Promise<Answer> {
    if (!this.isOpen) return Promise.reject(new Error('connection closed'));
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.received += chunk.length;
    if (this.headLength === 0) this.readHead();
    if (this.isChunked) this.findEnd();
    if (this.expected !== undefined && this.received >= this.expected) this.finish();
  }

  private readHead(): void {
    const text = this.joined();
    const end = text.indexOf(HEAD_END);
    if (end < 0) return;
    this.headLength = end + HEAD_END.length;
    const head = text.toString('latin1', 0, this.headLength);
    this.isLast = /\r\nconnection: *close/i.test(head);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
    if (this.isChunked) return;
    if (length === undefined) this.socket.destroy(new Error('an answer without Content-Length'));
    else this.expected = this.headLength + Number(length);
  }

  /** The end of a chunked answer, once it is there: each connection has one answer at a time. */
  private findEnd(): void {
    if (this.joined().subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) this.expected = this.received;
  }

  private finish(): void {
    const text = this.joined();
    const body = text.subarray(this.headLength);
    const answer = { status: Number(text.toString('latin1', 9, 12)), body: this.isChunked ? unchunked(body) : body };
    this.chunks = [];
    this.received = 0;
    this.expected = undefined;
    this.headLength = 0;
    this.isChunked = false;
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(answer);
  }

  private joined(): Buffer {
    const [first] = this.chunks;
    if (this.chunks.length > 1 || !first) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0]!;
  }
}

/** The content of chunks: each has its length in hexadecimal digits before it. */
function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const start = body.indexOf(LINE_END, at) + LINE_END.length;
    const length = Number.parseInt(body.toString('latin1', at, start), 16);
    if (!(length > 0)) break;
    parts.push(body.subarray(start, start + length));
    at = start + length + LINE_END.length;
  }
  return Buffer.concat(parts);
}
