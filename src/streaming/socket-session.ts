import { WebSocket } from 'ws';
import type { Auth } from '../common/index.js';
import type { Frame } from './frame.js';
import { CloseCode, MAX_BUFFERED, Session } from './session.js';

/** How often a client is asked for a sign of life, and how long it may give none (threat W5). */
const PING_MS = 30_000;
const SILENCE_MS = 60_000;
/** What a client may send in a window (threat W3). */
const MAX_EVENTS = 100;
const WINDOW_MS = 10_000;

const TEXT = { binary: false };

/** One WebSocket, whose client says what it wants. */
export class SocketSession extends Session {
  readonly kind = 'websocket';
  private pending: Promise<void> = Promise.resolve();
  private pingAt = performance.now() + PING_MS;
  private heardAt = performance.now();
  private events = 0;
  private windowEnd = 0;

  constructor(
    readonly raw: WebSocket,
    auth: Auth | undefined,
    address: string,
  ) {
    super(auth, address);
  }

  send(frame: Frame): void {
    if (this.raw.readyState !== WebSocket.OPEN) return;
    if (this.raw.bufferedAmount > MAX_BUFFERED) this.close(CloseCode.tryAgainLater, 'Too slow');
    else this.raw.send(frame.message, TEXT);
  }

  /** By the closing handshake. */
  close(code: number, reason: string): void {
    this.raw.close(code, reason);
  }

  terminate(): void {
    this.raw.terminate();
  }

  /** Something came from the client. */
  heard(): void {
    this.heardAt = performance.now();
  }

  /** Asks for a sign of life when it is time; ends a connection that gave none for too long. */
  beat(now: number): void {
    if (now - this.heardAt >= SILENCE_MS) this.terminate();
    if (now < this.pingAt || this.raw.readyState !== WebSocket.OPEN) return;
    this.pingAt = now + PING_MS;
    this.raw.ping();
  }

  /** Counts something that the client sent; false when it sends too much. */
  mayGoOn(now: number): boolean {
    if (now >= this.windowEnd) {
      this.windowEnd = now + WINDOW_MS;
      this.events = 0;
    }
    this.events += 1;
    return this.events <= MAX_EVENTS;
  }

  /** Does the client's bidding one after the other, in the order in which it asked. */
  inTurn(work: () => Promise<void>): Promise<void> {
    this.pending = this.pending.then(work);
    return this.pending;
  }
}
