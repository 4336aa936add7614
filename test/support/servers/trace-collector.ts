import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as the collector got it. */
export interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string;
  /** As numbered in OTLP: 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The trace ids of its links. */
  readonly links: readonly string[];
  readonly isFailed: boolean;
  /** What the process told of itself. */
  readonly resource: Readonly<Record<string, string | number>>;
}

/** A collector that takes traces over OTLP/HTTP in Protocol Buffers, as the real ones do. */
export interface TraceCollector {
  readonly url: string;
  /** The spans so far. */
  readonly spans: readonly SentSpan[];
  /** All bytes so far as text, one character for each. */
  readonly bytes: string;
  readonly headers: readonly IncomingHttpHeaders[];
  /** How it answers from now on; at first 200. */
  answer(how: number | 'never'): void;
  close(): Promise<void>;
}

/** Starts a collector on a free port of this machine. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: SentSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let bytes = '';
  let answer: number | 'never' = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      headers.push(request.headers);
      bytes += body.toString('latin1');
      if (request.url === '/v1/traces') spans.push(...spansOf(body));
      if (answer !== 'never') response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    get bytes() {
      return bytes;
    },
    answer: (how) => (answer = how),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Field = { readonly number: number; readonly bytes: Buffer; readonly value: number };

/** The fields of a message of Protocol Buffers, by their numbers. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const type = tag & 7;
    const value = type === 0 ? varint() : 0;
    const length = type === 2 ? varint() : type === 1 ? 8 : type === 5 ? 4 : 0;
    fields.push({ number: tag >>> 3, bytes: message.subarray(at, at + length), value });
    at += length;
  }
  return fields;
}

const all = (message: Buffer, number: number) => fieldsOf(message).filter((field) => field.number === number);
const one = (message: Buffer, number: number) => all(message, number)[0];
const hex = (message: Buffer, number: number) => one(message, number)?.bytes.toString('hex') ?? '';

/** The numbers are those of `opentelemetry/proto/trace/v1/trace.proto`. */
function spansOf(request: Buffer): SentSpan[] {
  return all(request, 1).flatMap(({ bytes: ofResource }) => {
    const resource = attributesOf(one(ofResource, 1)!.bytes, 1);
    const scopes = all(ofResource, 2).flatMap(({ bytes }) => all(bytes, 2));
    return scopes.map(({ bytes: span }) => ({
      name: one(span, 5)!.bytes.toString(),
      traceId: hex(span, 1),
      id: hex(span, 2),
      parentId: hex(span, 4),
      kind: one(span, 6)?.value ?? 0,
      attributes: attributesOf(span, 9),
      links: all(span, 13).map(({ bytes }) => hex(bytes, 1)),
      isFailed: one(one(span, 15)?.bytes ?? Buffer.alloc(0), 3)?.value === 2,
      resource,
    }));
  });
}

function attributesOf(message: Buffer, number: number): Record<string, string | number> {
  return Object.fromEntries(
    all(message, number).map(({ bytes }) => {
      const value = one(bytes, 2)!.bytes;
      return [one(bytes, 1)!.bytes.toString(), one(value, 1)?.bytes.toString() ?? one(value, 3)?.value ?? Number.NaN];
    }),
  );
}
