import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './span.js';

/** The piece of work that runs: an answer to a request, a job, a delivery. */
export interface Work {
  /** The id of the request that it follows from, for the log; undefined where it follows from none. */
  readonly requestId: string | undefined;
  /** Its span, where traces are made. */
  readonly span: Span | undefined;
  /** The try of a job that it is. */
  readonly job?: { readonly id: string; readonly attempts: number };
}

/** What a row keeps of the work that wrote it: the log and the traces of the work that follows lead back to it. */
export interface Cause {
  readonly requestId: string | null;
  /** The span as W3C Trace Context writes it; null without traces. */
  readonly traceparent: string | null;
}

/** A request that reads through caches. */
export interface ReadingRequest {
  /** When it began, on the clock of the changes; undefined when it is answered. */
  start: number | undefined;
  /** Its reads that others may wait for. While there are any, it does not wait for those of others. */
  leads: number;
}

/** What code runs for. One store for all of it: each further one would cost every request another frame. */
interface Context {
  readonly work: Work | undefined;
  reading: ReadingRequest | undefined;
}

const contexts = new AsyncLocalStorage<Context>();

/** The piece of work that runs now; undefined for what belongs to none, such as the look for due jobs. */
export function currentWork(): Work | undefined {
  return contexts.getStore()?.work;
}

/** Runs a piece of work, with all that it starts. */
export function runWork<T>(work: Work | undefined, run: () => T): T {
  return contexts.run({ work, reading: currentReading() }, run);
}

/** Runs what belongs to no piece of work, although one has woken it. It reads for no request but a given one of its own. */
export function runApart<T>(run: () => T, reading?: ReadingRequest): T {
  return contexts.run({ work: undefined, reading }, run);
}

/** The request that reads now; undefined outside of requests. */
export function currentReading(): ReadingRequest | undefined {
  return contexts.getStore()?.reading;
}

/** Makes the piece of work that runs now, which a request has just begun, one that reads; without such it runs a new one. */
export function runReading(reading: ReadingRequest, run: () => void): void {
  const context = contexts.getStore();
  if (context?.work === undefined || context.reading !== undefined) {
    contexts.run({ work: context?.work, reading }, run);
    return;
  }
  context.reading = reading;
  run();
}

/** The cause of what is written now. */
export function currentCause(): Cause {
  const work = currentWork();
  return { requestId: work?.requestId ?? null, traceparent: work?.span?.traceparent ?? null };
}

/** The fields of each line of the log that tell which work wrote it. */
export function workFields(): object {
  const work = currentWork();
  if (work === undefined) return {};
  const { requestId, span } = work;
  return { ...(requestId !== undefined && { requestId }), ...(span && { traceId: span.traceId }) };
}
