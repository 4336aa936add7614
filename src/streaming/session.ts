import type { Auth } from '../common/index.js';
import { covers } from '../oauth/index.js';
import type { Frame } from './frame.js';

/** Close codes (RFC 6455 §7.4.1, and the registry it opens). */
export const CloseCode = {
  goingAway: 1001,
  unsupportedData: 1003,
  policyViolation: 1008,
  tryAgainLater: 1013,
} as const;

/** A client that has not read so many bytes is too slow (threat W3). */
export const MAX_BUFFERED = 1_048_576;

/** One connection: who it belongs to and what it reads. Small, since there are thousands of them. */
export abstract class Session {
  /** The `stream` of frames, as JSON, by the topics that the client reads. */
  readonly labels = new Map<string, string>();

  /** How the client is connected, for the metrics. */
  abstract readonly kind: 'websocket' | 'event_stream';

  /** `auth` is undefined for visitors, and until the client says who it is; `address` is that of the client. */
  constructor(
    public auth: Auth | undefined,
    readonly address: string,
  ) {}

  /** The account for whom statuses are shown here, `''` when they are shown as to anybody: without the scope to read them. */
  get viewerId(): string {
    return this.allows('read:statuses') ? (this.auth?.accountId ?? '') : '';
  }

  /** Whether the client's token covers a scope. */
  allows(scope: string): boolean {
    return this.auth !== undefined && covers(this.auth.scopes, scope);
  }

  /** Sends an event. A client that does not read is closed instead: it would fill the memory. */
  abstract send(frame: Frame): void;

  /** Ends the connection in the way that its protocol has for it; `code` and `reason` are told where that is possible. */
  abstract close(code: number, reason: string): void;

  /** Ends the connection at once. */
  abstract terminate(): void;

  /** Called about once a second, with the time of `performance.now`: looks whether the client is still there. */
  abstract beat(now: number): void;
}
