import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Data } from '../data.ts';

/** The most memory of a server under any attack. */
export const MAX_RSS_MB = 450;
const HOLD_MS = 3_000;
/** A page of several hundred kilobytes. */
const LARGE = '/api/docs';

/** Many connections that send the same bytes. */
export interface Flood {
  readonly name: string;
  readonly connections: number;
  readonly bytes: (data: Data) => string | Buffer;
  readonly reads: boolean;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: fuzz.test\r\n\r\n`;
const begun = (length: number, sent: number) =>
  `POST /api/v1/apps HTTP/1.1\r\nHost: fuzz.test\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${'['.repeat(sent)}`;

function upload(token: string, length: number): Buffer {
  const part =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
  const head = `POST /api/v2/media HTTP/1.1\r\nHost: fuzz.test\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${part.length + length + 9}\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(head + part),
    Buffer.alloc(length, '\x89PNG\r\n\x1a\n'),
    Buffer.from('\r\n--b--\r\n'),
  ]);
}

/** Attacks on the memory of a server without limits (threats H24, H25). */
export const FLOODS: readonly Flood[] = [
  {
    name: 'pipelined requests',
    connections: 20,
    bytes: () => get('/api/v1/timelines/public').repeat(1_000),
    reads: true,
  },
  { name: 'pipelined, unread', connections: 40, bytes: () => get(LARGE).repeat(1_000), reads: false },
  { name: 'unread answers', connections: 3_000, bytes: () => get(LARGE), reads: false },
  {
    name: 'unread home pages',
    connections: 500,
    bytes: ({ writer }) =>
      `GET /api/v1/timelines/home?limit=40 HTTP/1.1\r\nHost: fuzz.test\r\nAuthorization: Bearer ${writer}\r\n\r\n`,
    reads: false,
  },
  { name: 'slow bodies', connections: 400, bytes: () => begun(1_000_000, 900_000), reads: true },
  { name: 'large bodies', connections: 20, bytes: () => begun(50_000_000, 50_000_000), reads: true },
  { name: 'large uploads', connections: 40, bytes: ({ writer }) => upload(writer, 15_000_000), reads: true },
  { name: 'idle connections', connections: 4_000, bytes: () => 'GET', reads: true },
];

/** Floods the server for some seconds, and disconnects. A health probe must be answered meanwhile. */
export async function flood(port: number, { connections, bytes, reads }: Flood, data: Data, signal: AbortSignal) {
  const sent = bytes(data);
  const sockets = Array.from({ length: connections }, () => open(port, sent, reads));
  try {
    await delay(HOLD_MS, undefined, { signal });
    const { status } = await fetch(`http://127.0.0.1:${port}/health/live`);
    if (status !== 200) throw new Error(`A health probe got ${status}`);
  } finally {
    sockets.forEach((socket) => socket.destroy());
  }
}

function open(port: number, bytes: string | Buffer, reads: boolean): Socket {
  const socket = connect({ port, host: '127.0.0.1' }, () => void socket.write(bytes));
  socket.on('error', () => undefined);
  return reads ? socket.resume() : socket.pause();
}
