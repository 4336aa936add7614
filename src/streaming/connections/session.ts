import type { Auth } from '../../common/index.js';
import { covers } from '../../oauth/index.js';
import type { FrameBytes } from './frame.js';
import type { Readers } from './readers.js';

/** Close codes (RFC 6455 §7.4.1 and its registry). */
export const CloseCode = {
  goingAway: 1001,
  unsupportedData: 1003,
  policyViolation: 1008,
  tryAgainLater: 1013,
} as const;

/** A client with more unread bytes than this is too slow (threat W3). */
export const MAX_BUFFERED = 1_048_576;

/** What all clients of a process may leave unread; bytes that many of them share are counted for each. */
export const MAX_BUFFERED_IN_ALL = 128 * MAX_BUFFERED;

/** One connection: its user and the streams it reads. Kept small, since a process holds thousands of sessions. */
export abstract class Session {
  /** The readers that it belongs to, by the topics that the client reads. */
  readonly subscriptions = new Map<string, Readers>();

  /** The kind of connection, for the metrics. */
  abstract readonly kind: 'websocket' | 'event_stream';

  /** `auth` is undefined for visitors, and until the client authenticates; `address` is that of the client. */
  constructor(
    public auth: Auth | undefined,
    readonly address: string,
  ) {}

  /** Bytes that the client has not read; they wait in the memory of this process. */
  abstract readonly unsentBytes: number;

  /** Whether the client's token covers a scope. */
  allows(scope: string): boolean {
    return this.auth !== undefined && covers(this.auth.scopes, scope);
  }

  /**
   * Sends events in one write: a write for each costs the system four times as much. Closes the connection instead when
   * the client does not read, since unread frames fill the memory.
   */
  abstract send(frames: FrameBytes): void;

  /** Ends the connection as its protocol does; sends `code` and `reason` where the protocol has them. */
  abstract close(code: number, reason: string): void;

  /** Closes the connection of a client that is too slow; ends it at once when it does not read the reason either. */
  abstract drop(): void;

  /** Ends the connection at once. */
  abstract terminate(): void;

  /** Checks whether the client is still there. Called about once a second with the time of `performance.now`. */
  abstract beat(now: number): void;
}
