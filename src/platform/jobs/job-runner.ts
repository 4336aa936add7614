import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { backoffMs, fail, type Outcome, QUEUES } from './job.js';
import { type Handler, JobRegistry } from './job-registry.js';
import { type ClaimedJob, JobRepository } from './job.repository.js';

const MINUTE_MS = 60_000;
const MAX_ERROR_LENGTH = 2_000;

/** Runs one claimed job and stores how it ended; the same for every way in which jobs reach a process. */
@Injectable()
export class JobRunner {
  private readonly logger = new Logger(JobRunner.name);
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly registry: JobRegistry,
    private readonly repository: JobRepository,
    private readonly uow: UnitOfWork,
  ) {}

  /** Never rejects: a job whose outcome could not be stored runs again when its lease is out. */
  run(job: ClaimedJob): Promise<void> {
    const ended = this.uow.outside(() => this.runAndRecord(job)).finally(() => this.running.delete(job.id));
    this.running.set(job.id, ended);
    return ended;
  }

  /** Keeps the leases of running jobs from running out. */
  async renewLeases(): Promise<void> {
    const ids = [...this.running.keys()];
    if (ids.length === 0) return;
    await this.repository.renew(ids).catch((error: unknown) => this.logger.warn({ err: error }, 'Leases not renewed'));
  }

  /** Resolves when no job runs any more. */
  async idle(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private async runAndRecord(job: ClaimedJob): Promise<void> {
    try {
      const handler = this.registry.handler(job.name);
      await this.record(job, handler, await this.outcome(handler, job));
    } catch (error) {
      this.logger.error({ err: error, job: job.name, id: job.id }, 'The outcome of a job was not stored');
    }
  }

  private async outcome(handler: Handler | undefined, job: ClaimedJob): Promise<Outcome> {
    if (!handler) return fail('Unknown job');
    if (job.attempts > QUEUES[job.queue].tries) return fail('No try came to an end: the process died'); // threat J7
    try {
      return (await handler.run(job.payload)) ?? { kind: 'done' };
    } catch (error) {
      this.logger.warn({ err: error, job: job.name, id: job.id, attempts: job.attempts }, 'Job failed');
      return { kind: 'retry', reason: describe(error) };
    }
  }

  private async record(job: ClaimedJob, handler: Handler | undefined, outcome: Outcome): Promise<void> {
    if (handler?.everyMinutes !== undefined) {
      const reason = outcome.kind === 'done' || outcome.kind === 'skip' ? null : outcome.reason;
      return this.repository.reschedule(job.id, handler.everyMinutes * MINUTE_MS, reason, 0);
    }
    if (outcome.kind === 'done' || outcome.kind === 'skip') return this.repository.finish(job.id);
    const lastTry = outcome.kind === 'fail' || job.attempts >= QUEUES[job.queue].tries;
    if (lastTry) return this.repository.park(job.id, outcome.reason);
    return this.repository.reschedule(job.id, outcome.afterMs ?? backoffMs(job.attempts), outcome.reason, job.attempts);
  }
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, MAX_ERROR_LENGTH);
}
