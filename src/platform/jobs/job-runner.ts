import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Asker, ASKING } from '../outbound/asker.js';
import type { SpanStart } from '../tracing/span.js';
import { errorTypeOf, Tracing } from '../tracing/tracing.js';
import { currentWork, runApart, runWork } from '../tracing/work.js';
import { backoffMs, done, fail, type Outcome, type QueueRules, QUEUES, retry, skip } from './job.js';
import { type Handler, JobRegistry } from './job-registry.js';
import { type ClaimedJob, JobRepository } from './job.repository.js';

const MINUTE_MS = 60_000;
/** The error of a job without a handler here, which waits so long for a worker that has one. */
const UNKNOWN = 'Unknown job';
const UNKNOWN_MS = MINUTE_MS;
const MAX_ERROR_LENGTH = 2_000;

/** What became of a try, with the type of the error that ended it. */
type TriedOutcome = Outcome & { readonly errorType?: string };

/** Removes the row of a job that is done. */
type Finish = (job: ClaimedJob) => Promise<void>;

/** Runs one claimed job and stores its outcome, for every carrier. */
@Injectable()
export class JobRunner {
  private readonly logger = new Logger(JobRunner.name);
  /** By claim: after a lost lease the same job may run here twice at a time. */
  private readonly running = new Map<ClaimedJob, Promise<void>>();

  constructor(
    private readonly registry: JobRegistry,
    private readonly repository: JobRepository,
    private readonly uow: UnitOfWork,
    private readonly asker: Asker,
    private readonly tracing: Tracing,
  ) {}

  /** Never rejects: a job whose outcome could not be stored runs again after its lease. */
  run(job: ClaimedJob, finish: Finish = (done) => this.repository.finish(done)): Promise<void> {
    const span = this.tracing.begin(spanOf(job));
    const work = { requestId: job.requestId ?? undefined, span, job };
    const begin = () => runWork(work, () => this.uow.outside(() => this.runAndRecord(job, finish)));
    const ended = runApart(begin).finally(() => {
      this.running.delete(job);
      span?.end();
    });
    this.running.set(job, ended);
    return ended;
  }

  /** Renews the leases of running jobs. */
  async renewLeases(): Promise<void> {
    const claims = [...this.running.keys()];
    if (claims.length === 0) return;
    await this.repository
      .renew(claims)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'Leases not renewed'));
  }

  /**
   * Waits a bounded time for the running jobs, and hands back the claims of the rest; their outcomes are not stored
   * here any more. For a process that is about to end.
   */
  async finish(patienceMs: number): Promise<void> {
    const allEnded = Promise.all(this.running.values());
    await Promise.race([allEnded, delay(patienceMs, undefined, { ref: false })]);
    const left = [...this.running.keys()];
    if (left.length === 0) return;
    this.running.clear();
    this.logger.warn({ jobs: left.map(({ name }) => name) }, 'Jobs that take long are left to other workers');
    await this.repository
      .handBack(left)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'Claims not handed back; they end by themselves'));
  }

  private async runAndRecord(job: ClaimedJob, finish: Finish): Promise<void> {
    const handler = this.registry.handler(job.name);
    try {
      const outcome = await this.asking(handler, () => this.outcome(handler, job));
      const { span } = currentWork() ?? {};
      span?.set({ 'svc.job.outcome': outcome.kind });
      if ('reason' in outcome && outcome.kind !== 'skip') span?.fail(outcome.errorType ?? outcome.kind);
      if (this.running.has(job)) await this.record(job, handler, outcome, finish);
    } catch (error) {
      this.logger.error({ err: error, job: job.name, id: job.id }, 'The outcome of a job was not stored');
    }
  }

  private async outcome(handler: Handler | undefined, job: ClaimedJob): Promise<TriedOutcome> {
    if (!handler) return retry(UNKNOWN);
    if (job.attempts > handler.tries) return this.withoutEnd(handler, job);
    try {
      const onLate = (reason: string) => this.logger.warn({ job: job.name, id: job.id }, reason);
      return (await inTime(handler, job.payload, onLate)) ?? done;
    } catch (error) {
      this.logger.warn({ err: error, job: job.name, id: job.id, attempts: job.attempts }, 'Job failed');
      return { ...retry(describe(error)), errorType: errorTypeOf(error) };
    }
  }

  /**
   * The outcome of a job with which the process died in every try (threat J7). A job that recurring work enqueues again ends,
   * and begins anew with all its tries: it may not have caused the end of the process.
   */
  private withoutEnd(handler: Handler, { id, name }: ClaimedJob): Outcome {
    const reason = 'No try came to an end: the process died';
    if (!handler.isResumed) return fail(reason);
    this.logger.warn({ job: name, id }, reason);
    return skip(reason);
  }

  /** The queue of the handler counts: a job that an earlier version stored may lie in another. */
  private asking<T>(handler: Handler | undefined, run: () => T): T {
    const { asks }: Partial<QueueRules> = handler ? QUEUES[handler.queue] : {};
    if (asks === undefined) return this.asker.outside(run);
    return asks ? this.asker.within(ASKING, run) : this.asker.without(run);
  }

  private async record(job: ClaimedJob, handler: Handler | undefined, outcome: Outcome, finish: Finish): Promise<void> {
    // While versions change, another worker may know the job: this is no try.
    if (!handler) return this.repository.reschedule(job, UNKNOWN_MS, UNKNOWN, job.attempts - 1);
    if (handler.everyMinutes !== undefined) {
      const reason = outcome.kind === 'done' || outcome.kind === 'skip' ? null : outcome.reason;
      return this.repository.reschedule(job, handler.everyMinutes * MINUTE_MS, reason, 0);
    }
    if (outcome.kind === 'done' || outcome.kind === 'skip') return finish(job);
    const lastTry = outcome.kind === 'fail' || job.attempts >= handler.tries;
    if (lastTry) return this.repository.markFailed(job, outcome.reason);
    return this.repository.reschedule(job, outcome.afterMs ?? backoffMs(job.attempts), outcome.reason, job.attempts);
  }
}

/** The try of a job, as part of the trace of the request that it follows from. */
function spanOf({ id, name, queue, attempts, traceparent }: ClaimedJob): SpanStart {
  const message = { 'messaging.system': 'svc', 'messaging.destination.name': queue, 'messaging.message.id': id };
  const attributes = { ...message, 'messaging.operation.type': 'process', 'svc.job.name': name };
  return { name, kind: 'consumer', parent: traceparent, attributes: { ...attributes, 'svc.job.attempt': attempts } };
}

/**
 * The handler's outcome, if it comes in time. A handler that hangs is abandoned: its further work is safe to run twice,
 * like all handlers.
 */
async function inTime(
  { run, longestMs }: Handler,
  payload: object,
  onLate: (reason: string) => void,
): Promise<Outcome | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    const giveUp = () => {
      const reason = `It took longer than ${longestMs / 1_000} s`;
      onLate(reason);
      resolve(retry(reason));
    };
    timer = setTimeout(giveUp, longestMs).unref();
  });
  try {
    return await Promise.race([run(payload), late]);
  } finally {
    clearTimeout(timer);
  }
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, MAX_ERROR_LENGTH);
}
