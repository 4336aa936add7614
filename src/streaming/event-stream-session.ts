import type { ServerResponse } from 'node:http';
import type { Auth } from '../common/index.js';
import type { Frame } from './frame.js';
import { MAX_BUFFERED, Session } from './session.js';

/**
 * A comment, so that nobody on the way takes the connection for dead, and we notice when it is. No empty line comes after it:
 * that ends an event, and simple clients fail at one that is empty.
 */
const THUMP = ':thump\n';
const THUMP_MS = 15_000;
/** So many thumps a client may leave unread. */
const MAX_UNREAD = 2;

/** One answer to a request that never ends by itself: server-sent events. */
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

  /** Sends the head, and a comment, by which clients see that they are connected. */
  begin(): void {
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'private, no-store, no-transform',
      'X-Accel-Buffering': 'no', // proxies are not to wait for more
    });
    this.write(THUMP);
  }

  send(frame: Frame): void {
    if (this.response.writableLength > MAX_BUFFERED) this.terminate();
    else this.write(frame.lines);
  }

  /** An event stream has no words for a reason. */
  close(): void {
    this.response.end();
  }

  terminate(): void {
    this.response.destroy();
  }

  /** Ends a connection whose client has read nothing for some time, such as one that vanished. */
  beat(now: number): void {
    if (now < this.thumpAt) return;
    this.thumpAt = now + THUMP_MS;
    this.unread = this.response.writableLength > 0 ? this.unread + 1 : 0;
    if (this.unread > MAX_UNREAD) this.terminate();
    else this.write(THUMP);
  }

  private write(lines: Buffer | string): void {
    if (!this.response.writableEnded && !this.response.destroyed) this.response.write(lines);
  }
}
