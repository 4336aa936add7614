import { connect, type Socket } from 'node:net';
import { type FrameEvents, type FrameReader, frameReader, type Protocol } from './streams/frames.ts';

const PATH = '/api/v1/streaming';
const HEAD_END = Buffer.from('\r\n\r\n');
/** How long a listener that is not timed waits after it has read. */
const WAIT_MS = 50;

/** Every connection reads into the same memory. */
const READ = Buffer.alloc(1_048_576);

/** Listeners that wait until they read again. */
const waiting: StreamListener[] = [];

export interface ListenerOptions {
  readonly port: number;
  readonly protocol: Protocol;
  readonly stream?: string;
  readonly token?: string;
  /**
   * Called with the id of the post in every frame, as soon as it comes. Without it frames are only counted, several in one
   * read: clients on other machines would take no CPU of this one.
   */
  readonly onPost?: (id: string) => void;
}

/**
 * A client of a live stream with the least cost for this process: it looks for the frames of new posts in the bytes that
 * arrive, and reads nothing else.
 */
export class StreamListener implements FrameEvents {
  /** Frames of new posts so far. */
  frames = 0;
  /** Bytes behind the answer to the handshake. */
  bytes = 0;
  /** The code of the closing frame, 0 when the connection ended without one. */
  closeCode: number | undefined;
  private readonly socket: Socket;
  private readonly reader: FrameReader;
  private isHanging = false;
  private rest = Buffer.alloc(0);
  private isOpen = false;
  private readonly options: ListenerOptions;
  private settle: ((problem?: Error) => void) | undefined;

  private constructor(options: ListenerOptions) {
    this.options = options;
    this.reader = frameReader(options.protocol, options.onPost !== undefined, this);
    this.socket = connect({
      port: options.port,
      host: '127.0.0.1',
      onread: {
        buffer: READ,
        callback: (length, buffer) => {
          const readsOn = this.read(Buffer.from(buffer.buffer as ArrayBuffer, 0, length));
          if (!readsOn) this.wait();
          return readsOn;
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
    this.isHanging = true;
    this.socket.pause();
  }

  resume(): void {
    this.isHanging = false;
    this.socket.resume();
  }

  update(id: string): void {
    this.frames += 1;
    this.options.onPost?.(id);
  }

  closed(code: number): void {
    this.closeCode = code;
    this.socket.end();
  }

  close(): void {
    this.socket.destroy();
  }

  private wait(): void {
    if (waiting.push(this) > 1) return;
    setTimeout(() => {
      for (const listener of waiting.splice(0)) if (!listener.isHanging) listener.socket.resume();
    }, WAIT_MS);
  }

  /** Returns whether to read on at once. */
  private read(chunk: Buffer): boolean {
    if (!this.isOpen) {
      this.readHead(chunk);
      return true;
    }
    this.bytes += chunk.length;
    this.reader.read(chunk);
    return this.options.onPost !== undefined;
  }

  private readHead(chunk: Buffer): void {
    const bytes = Buffer.concat([this.rest, chunk]);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      this.rest = bytes;
      return;
    }
    const status = bytes.toString('latin1', 9, 12);
    this.isOpen = status === '101' || status === '200';
    this.settle?.(this.isOpen ? undefined : new Error(`status ${status}`));
    if (this.isOpen && bytes.length > end + HEAD_END.length) this.read(bytes.subarray(end + HEAD_END.length));
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
