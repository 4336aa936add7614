import type { Duplex } from 'node:stream';
import { type RawData, WebSocket } from 'ws';
import type { Auth } from '../../common/index.js';
import type { FrameBytes } from '../connections/frame.js';
import { CloseCode, MAX_BUFFERED, Session } from '../connections/session.js';

/** How often the server pings a client, and how long a client may stay silent (threat W5). */
const PING_MS = 30_000;
const SILENCE_MS = 60_000;
/** The number of messages and pings that a client may send in a window (threat W3). */
const MAX_MESSAGES = 100;
const WINDOW_MS = 10_000;

/** Limits of one message of a client, in bytes and in pieces (threat W2); options of a gateway. */
export const SOCKET_LIMITS = {
  maxPayload: 65_536,
  maxFragments: 64,
  maxBufferedChunks: 1_024,
  perMessageDeflate: false, // would take some 100 KB for each socket
  clientTracking: false, // Sessions does that
} as const;

/**
 * One WebSocket: the client of the gateway. Writes whole messages, framed before, to the socket below it: `ws` sends no
 * fragments and compresses nothing here, so they never come into the middle of one of its own frames.
 */
export class SocketSession extends Session {
  readonly kind = 'websocket';
  private pending: Promise<void> = Promise.resolve();
  private pingAt = performance.now() + PING_MS;
  private receivedAt = performance.now();
  private messages = 0;
  private windowEnd = 0;

  constructor(
    readonly raw: WebSocket,
    private readonly socket: Duplex,
    auth: Auth | undefined,
    address: string,
  ) {
    super(auth, address);
    raw
      .on('ping', () => this.countMessage())
      .on('pong', () => (this.receivedAt = performance.now()))
      .on('error', () => undefined); // the close code tells a client that breaks the protocol
  }

  send(frames: Pick<FrameBytes, 'bytes'>): void {
    if (this.raw.readyState !== WebSocket.OPEN) return;
    if (this.unsentBytes > MAX_BUFFERED) {
      this.drop();
      return;
    }
    this.socket.write(frames.bytes);
  }

  get unsentBytes(): number {
    return this.socket.writableLength;
  }

  drop(): void {
    if (this.raw.readyState === WebSocket.OPEN) this.close(CloseCode.tryAgainLater, 'Too slow');
    else this.terminate();
  }

  /** Starts the closing handshake. */
  close(code: number, reason: string): void {
    this.raw.close(code, reason);
  }

  terminate(): void {
    this.raw.terminate();
  }

  /** Pings the client when a ping is due; ends the connection of a client that was silent for too long. */
  beat(now: number): void {
    if (now - this.receivedAt >= SILENCE_MS) this.terminate();
    if (now < this.pingAt || this.raw.readyState !== WebSocket.OPEN) return;
    this.pingAt = now + PING_MS;
    this.raw.ping();
  }

  /** Calls the handler with the client's texts, one after the other. The handler never rejects. */
  onText(handle: (data: RawData) => Promise<void>): void {
    this.raw.on('message', (data, isBinary) => {
      if (!this.countMessage()) return;
      if (isBinary) this.close(CloseCode.unsupportedData, 'Text only');
      else this.pending = this.pending.then(() => handle(data));
    });
  }

  /** Notes that the client sent something; closes the connection and returns false when the client sends too much. */
  private countMessage(): boolean {
    const now = performance.now();
    this.receivedAt = now;
    if (now >= this.windowEnd) {
      this.windowEnd = now + WINDOW_MS;
      this.messages = 0;
    }
    this.messages += 1;
    if (this.messages > MAX_MESSAGES) this.close(CloseCode.policyViolation, 'Too many messages');
    return this.messages <= MAX_MESSAGES;
  }
}
