import { ASKING } from '../outbound/asker.js';

const MINUTE_MS = 60_000;
/** Much longer than any job takes: a longer one is stuck. */
const LONG_MS = 15 * MINUTE_MS;
/** A little more than the time for which a job may ask other servers: it ends by itself. */
const ASKING_MS = ASKING.ms + 10_000;
/** For work on all posts of an account, or all rows of a table. */
const VERY_LONG_MS = 6 * 60 * MINUTE_MS;

/** Tries for about a day: for what is lost with a mail server or a storage that is away for longer than the usual hour. */
export const TRIES_OF_A_DAY = 30;

/**
 * Queues, each with its own room. What waits for answers of other servers shares no queue
 * with other work (threat S13): `ask` is for documents, `pages` for linked pages; `deliver`, `probe` and `push` send. `timed` is
 * for what a person set for a time, which waits for no upkeep of `maintenance`: two at once, since publishing a post may wait
 * five seconds for the accounts that it mentions; only jobs of `timed` may wait for longer than the longest delay of their
 * kind. `upkeep` is for the nightly work on all rows of a table, which rests after each slice and takes hours on a large
 * server: the jobs of `maintenance` do not wait for it.
 */
export const QUEUES = {
  fanout: { concurrency: 2, tries: 10, longestMs: LONG_MS, asks: false },
  notify: { concurrency: 2, tries: 10, longestMs: LONG_MS, asks: false },
  stream: { concurrency: 2, tries: 10, longestMs: LONG_MS, asks: false },
  federate: { concurrency: 2, tries: 10, longestMs: LONG_MS, asks: false },
  ask: { concurrency: 64, tries: 10, longestMs: ASKING_MS, asks: true },
  pages: { concurrency: 16, tries: 10, longestMs: ASKING_MS, asks: true },
  deliver: { concurrency: 40, tries: 10, longestMs: LONG_MS },
  probe: { concurrency: 40, tries: 10, longestMs: LONG_MS },
  inbox: { concurrency: 2, tries: 10, longestMs: LONG_MS, asks: false },
  push: { concurrency: 16, tries: 10, longestMs: LONG_MS },
  mail: { concurrency: 2, tries: TRIES_OF_A_DAY, longestMs: LONG_MS, asks: false },
  timed: { concurrency: 2, tries: 10, longestMs: LONG_MS, isTimed: true },
  maintenance: { concurrency: 1, tries: 10, longestMs: VERY_LONG_MS },
  upkeep: { concurrency: 1, tries: 10, longestMs: VERY_LONG_MS },
  transfer: { concurrency: 2, tries: 10, longestMs: VERY_LONG_MS },
} as const satisfies Record<string, QueueRules>;

export interface QueueRules {
  /** How many jobs of the queue one process runs at the same time. */
  readonly concurrency: number;
  /** After this many tries a job has failed for good. */
  readonly tries: number;
  /** A longer try counts as failed, so that it blocks no other job for ever (threat J7). */
  readonly longestMs: number;
  /** Whether its jobs may ask other servers, within bounds; left out where they do that in a way of their own. */
  readonly asks?: boolean;
  /** Whether a person chooses when its jobs run. */
  readonly isTimed?: boolean;
}

export type QueueName = keyof typeof QUEUES;

export const queueNames = (): QueueName[] => Object.keys(QUEUES) as QueueName[];

/** A kind of job and the type of its payload: ids and a few immutable facts, never entities. */
export interface JobKind<Payload extends object> {
  readonly name: string;
  readonly queue: QueueName;
  /** The longest try, where it differs from the queue's. */
  readonly longestMs?: number;
  /** The number of tries, where it differs from the queue's. */
  readonly tries?: number;
  /** The longest delay before it runs, where that is longer than the longest before another try. */
  readonly longestDelayMs?: number;
  /** Whether recurring work enqueues it again while there is something left to do. */
  readonly isResumed?: boolean;
  /** Whether nothing else knows what is left to do: a failed one stays until somebody runs or drops it. */
  readonly isOnlyRecord?: boolean;
  /** Never set: carries the payload type. */
  readonly payload?: Payload;
}

/** Declares a kind of job. Names are imperatives (`deliver.host`) and are stored: they never change meaning. */
export function job<Payload extends object>(
  name: string,
  queue: QueueName,
  bounds: Omit<JobKind<Payload>, 'name' | 'queue' | 'payload'> = {},
): JobKind<Payload> {
  return { name, queue, ...bounds };
}

/** The outcome of a handler. Returning nothing means `done`; unexpected errors are thrown and retried. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'skip'; readonly reason: string }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number }
  | { readonly kind: 'fail'; readonly reason: string };

export const done: Outcome = { kind: 'done' };
export const skip = (reason: string): Outcome => ({ kind: 'skip', reason });
export const retry = (reason: string, afterMs?: number): Outcome =>
  afterMs === undefined ? { kind: 'retry', reason } : { kind: 'retry', reason, afterMs };
export const fail = (reason: string): Outcome => ({ kind: 'fail', reason });

const FIRST_BACKOFF_MS = 5_000;
const LONGEST_BACKOFF_MS = 3_600_000;
const JITTER = 1 / 4;
/** The longest delay before another try. */
export const LONGEST_RETRY_MS = LONGEST_BACKOFF_MS * (1 + JITTER);

/** Milliseconds until the next try: 5 s, doubled each time up to an hour, with up to a quarter of jitter. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  const base = Math.min(FIRST_BACKOFF_MS * 2 ** Math.max(0, attempts - 1), LONGEST_BACKOFF_MS);
  return Math.round(base * (1 + random() * JITTER));
}
