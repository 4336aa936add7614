import { OutboundError, type OutboundResponse } from '../../platform/index.js';
import { isPassingAnswer } from '../signatures/request-signer.js';

/**
 * The result of one attempt. `retry` is about the delivery alone; `unreachable` and `busy` are about the whole host.
 */
export type DeliveryOutcome =
  | { readonly kind: 'done' | 'refused' | 'gone' | 'retry' | 'unreachable'; readonly reason: string }
  | {
      readonly kind: 'busy';
      readonly reason: string;
      readonly afterSeconds: number;
      /** Whether the server itself was away, for its proxy. */
      readonly isAway: boolean;
    };

const GONE = 410;
const TOO_MANY = 429;
/** Answers of proxies whose server is away. */
const AWAY = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530]);

const DEFAULT_WAIT_SECONDS = 60;
const LONGEST_WAIT_SECONDS = 12 * 3_600;

/** The outcome of a delivery with an answer. */
export function outcomeOf({ status, headers }: Pick<OutboundResponse, 'status' | 'headers'>): DeliveryOutcome {
  const reason = `status ${status}`;
  const wait = headers['retry-after'];
  if (status >= 200 && status <= 299) return { kind: 'done', reason };
  if (status === GONE) return { kind: 'gone', reason };
  const isAway = AWAY.has(status);
  if (status === TOO_MANY || (isAway && wait !== undefined))
    return { kind: 'busy', reason, afterSeconds: secondsOf(wait), isAway };
  if (isAway) return { kind: 'unreachable', reason };
  return { kind: isPassingAnswer(status) ? 'retry' : 'refused', reason };
}

/** The outcome of a failed request. */
export function outcomeOfError(error: unknown): DeliveryOutcome {
  if (!(error instanceof OutboundError)) throw error;
  const reason = error.kind;
  switch (error.kind) {
    case 'timeout':
    case 'network':
      return { kind: 'unreachable', reason };
    case 'too-large':
      return { kind: 'done', reason }; // only successful answers are read
    default:
      return { kind: 'refused', reason };
  }
}

/** `Retry-After`: seconds, or a date. */
function secondsOf(text = '', now = Date.now()): number {
  const seconds = /^\d{1,9}$/.test(text.trim()) ? Number(text) : (Date.parse(text) - now) / 1_000;
  const wanted = Number.isFinite(seconds) ? seconds : DEFAULT_WAIT_SECONDS;
  return Math.round(Math.min(Math.max(wanted, DEFAULT_WAIT_SECONDS), LONGEST_WAIT_SECONDS));
}

const JITTER = 1 / 4;
/** The longest time until the next attempt of one delivery. */
export const LONGEST_RETRY_SECONDS = LONGEST_WAIT_SECONDS * (1 + JITTER);

/** Seconds until the next attempt of one delivery: a minute, doubled up to 12 hours, and up to a quarter more. */
export function retrySeconds(attempts: number, random: () => number = Math.random): number {
  return Math.round(Math.min(60 * 2 ** attempts, LONGEST_WAIT_SECONDS) * (1 + random() * JITTER));
}
