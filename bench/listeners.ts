import { connect, type Socket } from 'node:net';

/** Protocols of live streams. */
export type Protocol = 'websocket' | 'event_stream';

const PATH = '/api/v1/streaming';
const HEAD_END = Buffer.from('\r\n\r\n');
/** What every frame of a new post contains, once. */
const MARK = {
  websocket: Buffer.from('"event":"update"'),
  event_stream: Buffer.from('event: update\n'),
} as const satisfies Record<Protocol, Buffer>;
const ID = /"id\\?":\\?"(\w+)/;
/** The id of the post stands within so many bytes behind the mark. */
const ID_WITHIN = 64;
/** The opcode of a closing frame with the last bit of a message (RFC 6455 §5.2). */
const CLOSE = 0x88;

/** Every connection reads into the same memory. */
const READ = Buffer.alloc(262_144);

export interface ListenerOptions {
  readonly port: number;
  readonly protocol: Protocol;
  readonly stream?: string;
  readonly token?: string;
  /** Called with the id of the post in every frame; without it frames are only counted, which costs less. */
  readonly onPost?: (id: string) => void;
}

/**
 * A client of a live stream with the least cost for this process: it looks for the frames of new posts in the bytes that
 * arrive, and reads nothing else.
 */
export class StreamListener {
  /** Frames of new posts so far. */
  frames = 0;
  /** Bytes behind the answer to the handshake. */
  bytes = 0;
  /** The code of the closing frame, 0 when the connection ended without one. */
  closeCode: number | undefined;
  private readonly socket: Socket;
  private rest = Buffer.alloc(0);
  private isOpen = false;
  private readonly options: ListenerOptions;
  private settle: ((problem?: Error) => void) | undefined;

  private constructor(options: ListenerOptions) {
    this.options = options;
    this.socket = connect({
      port: options.port,
      host: '127.0.0.1',
      onread: {
        buffer: READ,
        callback: (length, buffer) => {
          this.take(Buffer.from(buffer.buffer as ArrayBuffer, 0, length));
          return true;
        },
      },
    });
    this.socket.on('connect', () => this.socket.write(handshake(options)));
    this.socket.on('error', (error) => this.settle?.(error));
    this.socket.on('close', () => {
      this.closeCode ??= 0;
      this.settle?.(new Error('connection closed'));
    });
  }

  /** Resolves when the server has accepted the stream. */
  static open(options: ListenerOptions): Promise<StreamListener> {
    return new Promise((resolve, reject) => {
      const listener = new StreamListener(options);
      listener.settle = (problem) => {
        listener.settle = undefined;
        if (problem) reject(problem);
        else resolve(listener);
      };
    });
  }

  /** Stops reading, as a client does that hangs. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    this.rest = Buffer.alloc(0);
    if (!this.isOpen) this.readHead(bytes);
    else {
      this.bytes += chunk.length;
      this.readFrames(bytes);
    }
  }

  private readHead(bytes: Buffer): void {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      this.rest = Buffer.from(bytes);
      return;
    }
    const status = bytes.toString('latin1', 9, 12);
    this.isOpen = status === '101' || status === '200';
    this.settle?.(this.isOpen ? undefined : new Error(`status ${status}`));
    if (this.isOpen && bytes.length > end + HEAD_END.length) this.take(bytes.subarray(end + HEAD_END.length));
  }

  private readFrames(bytes: Buffer): void {
    const { protocol, onPost } = this.options;
    const mark = MARK[protocol];
    let done = 0;
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, done)) {
      const end = at + mark.length + (onPost ? ID_WITHIN : 0);
      if (end > bytes.length) {
        this.rest = Buffer.from(bytes.subarray(at));
        return;
      }
      done = end;
      this.frames += 1;
      if (onPost) onPost(ID.exec(bytes.toString('latin1', at + mark.length, end))?.[1] ?? '');
    }
    this.noteClosing(bytes);
    this.rest = Buffer.from(bytes.subarray(Math.max(done, bytes.length - mark.length + 1)));
  }

  /** The server sends nothing behind a closing frame, which is the last of the bytes then. */
  private noteClosing(bytes: Buffer): void {
    if (this.options.protocol !== 'websocket') return;
    const at = bytes.lastIndexOf(CLOSE);
    if (at >= 0 && bytes.length >= at + 4 && bytes[at + 1] === bytes.length - at - 2) {
      this.closeCode = bytes.readUInt16BE(at + 2);
      this.socket.end();
    }
  }
}

function handshake({ protocol, stream = '', token = '' }: ListenerOptions): string {
  const query = new URLSearchParams({
    access_token: token,
    ...(protocol === 'websocket' ? { stream } : {}),
  }).toString();
  if (protocol === 'event_stream') return `GET ${PATH}/${stream}?${query} HTTP/1.1\r\nHost: bench.test\r\n\r\n`;
  return [
    `GET ${PATH}?${query} HTTP/1.1`,
    'Host: bench.test',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', // that of RFC 6455; one key does for all
    '',
    '',
  ].join('\r\n');
}
