import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './span.js';

/** The piece of work that runs: an answer to a request, a job, a delivery. */
export interface Work {
  /** The id of the request that it follows from, for the log; undefined where it follows from none. */
  readonly requestId: string | undefined;
  /** Its span, where traces are made. */
  readonly span: Span | undefined;
}

/** What a row keeps of the work that wrote it: the log and the traces of the work that follows lead back to it. */
export interface Cause {
  readonly requestId: string | null;
  /** The span as W3C Trace Context writes it; null without traces. */
  readonly traceparent: string | null;
}

const works = new AsyncLocalStorage<Work | undefined>();

/** The work that runs now; undefined for what belongs to none, such as the look for due jobs. */
export function currentWork(): Work | undefined {
  return works.getStore();
}

/** Runs a piece of work, with all that it starts. */
export function runWork<T>(work: Work, run: () => T): T {
  return works.run(work, run);
}

/** Runs what belongs to no piece of work, although one has woken it. */
export function runApart<T>(run: () => T): T {
  return works.run(undefined, run);
}

/** The cause of what is written now. */
export function currentCause(): Cause {
  const work = works.getStore();
  return { requestId: work?.requestId ?? null, traceparent: work?.span?.traceparent ?? null };
}

/** The fields of each line of the log that tell which work wrote it. */
export function workFields(): object {
  const work = works.getStore();
  if (work === undefined) return {};
  const { requestId, span } = work;
  return { ...(requestId !== undefined && { requestId }), ...(span && { traceId: span.traceId }) };
}
