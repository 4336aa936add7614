import { WebSocket } from 'ws';
import type { Auth } from '../common/index.js';
import { covers } from '../oauth/index.js';

/** Close codes (RFC 6455 §7.4.1, and the registry it opens). */
export const CloseCode = {
  goingAway: 1001,
  unsupportedData: 1003,
  policyViolation: 1008,
  tryAgainLater: 1013,
} as const;

/** A client that has not read so many bytes is too slow (threat W3). */
const MAX_BUFFERED = 1_048_576;
/** How often a client is asked for a sign of life, and how many times in vain (threat W5). */
const PING_MS = 30_000;
const MAX_MISSED = 2;
/** What a client may send in a window (threat W3). */
const MAX_EVENTS = 100;
const WINDOW_MS = 10_000;

const TEXT = { binary: false };

/** One socket: who it belongs to, what it reads, whether it lives. Small, since there are thousands of them. */
export class Session {
  /** The `stream` of frames, as JSON, by the topics that the client reads. */
  readonly labels = new Map<string, string>();
  private pending: Promise<void> = Promise.resolve();
  private pingAt = Date.now() + PING_MS;
  private missed = 0;
  private events = 0;
  private windowEnd = 0;

  constructor(
    readonly raw: WebSocket,
    /** Undefined until the client says who it is. */
    public auth: Auth | undefined,
  ) {}

  /** The account for whom statuses are shown here, `''` when they are shown as to anybody: without the scope to read them. */
  get viewerId(): string {
    return this.allows('read:statuses') ? (this.auth?.accountId ?? '') : '';
  }

  /** Whether the client's token covers a scope. */
  allows(scope: string): boolean {
    return this.auth !== undefined && covers(this.auth.scopes, scope);
  }

  /** Sends a text frame. A client that does not read is closed instead: it would fill the memory. */
  send(frame: Buffer | string): void {
    if (this.raw.readyState !== WebSocket.OPEN) return;
    if (this.raw.bufferedAmount > MAX_BUFFERED) this.close(CloseCode.tryAgainLater, 'Too slow');
    else this.raw.send(frame, TEXT);
  }

  /** Ends the connection by the closing handshake. */
  close(code: number, reason: string): void {
    this.raw.close(code, reason);
  }

  /** Ends the connection at once. */
  terminate(): void {
    this.raw.terminate();
  }

  /** Something came from the client. */
  heard(): void {
    this.missed = 0;
  }

  /** Asks for a sign of life when it is time; ends a connection that gave none twice. */
  beat(now: number): void {
    if (now < this.pingAt) return;
    this.pingAt = now + PING_MS;
    this.missed += 1;
    if (this.missed > MAX_MISSED) this.terminate();
    else this.raw.ping();
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
