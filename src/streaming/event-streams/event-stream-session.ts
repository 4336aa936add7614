import type { ServerResponse } from 'node:http';
import type { Auth } from '../../common/index.js';
import type { FrameBytes } from '../connections/frame.js';
import { MAX_BUFFERED, Session } from '../connections/session.js';

/**
 * A comment that keeps proxies from closing the connection and reveals dead connections. No empty line follows: an
 * empty line ends an event, and simple clients fail on an empty event.
 */
const THUMP = ':thump\n';
const THUMP_MS = 15_000;
/** The number of thumps that a client may leave unread. */
const MAX_UNREAD = 2;

/** One stream of server-sent events: a response that stays open. */
export class EventStreamSession extends Session {
  readonly kind = 'event_stream';
  private thumpAt = performance.now() + THUMP_MS;
  private unread = 0;

  constructor(
    readonly response: ServerResponse,
    auth: Auth | undefined,
    address: string,
  ) {
    super(auth, address);
  }

  /**
   * Sends the headers, and a comment that tells clients that they are connected. The body ends with the connection: in chunks
   * each event would be three pieces to write.
   */
  begin(): void {
    this.response.removeHeader('Transfer-Encoding');
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'private, no-store, no-transform',
      Connection: 'close',
      'X-Accel-Buffering': 'no', // tells proxies not to buffer
    });
    this.response.write(THUMP);
  }

  send(frames: FrameBytes): void {
    if (this.unsentBytes > MAX_BUFFERED) {
      this.drop();
      return;
    }
    this.write(frames.lines);
  }

  /** The rest of an ended response is counted among the answers. */
  get unsentBytes(): number {
    return this.response.writableEnded ? 0 : this.response.writableLength;
  }

  drop(): void {
    this.terminate();
  }

  /** An event stream has no way to send a reason. */
  close(): void {
    this.response.end();
  }

  terminate(): void {
    this.response.destroy();
  }

  /** Sends a thump when one is due; ends the connection of a client that leaves thumps unread, since it may be gone. */
  beat(now: number): void {
    if (now < this.thumpAt) return;
    this.thumpAt = now + THUMP_MS;
    this.unread = this.response.writableLength > 0 ? this.unread + 1 : 0;
    if (this.unread > MAX_UNREAD) this.terminate();
    else this.write(THUMP);
  }

  /**
   * Writes behind the headers, to the socket below the response: the body is neither in chunks nor compressed. A response
   * that waits for an earlier one on its connection has no socket yet.
   */
  private write(lines: Buffer | string): void {
    const { response } = this;
    if (!response.writableEnded && !response.destroyed) (response.socket ?? response).write(lines);
  }
}
