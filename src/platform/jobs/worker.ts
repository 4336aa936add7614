import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { backoffMs, type Outcome, QUEUES, type QueueName } from './job.js';
import { type Handler, JobRegistry } from './job-registry.js';
import { type ClaimedJob, JobRepository, LEASE_SECONDS } from './job.repository.js';

const POLL_MS = 1_000;
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
const MINUTE_MS = 60_000;
const PARKED_DAYS = 30;
const MAX_ERROR_LENGTH = 2_000;

/**
 * Runs jobs in this process: woken by a poke after each commit and by a poll once a second, which also finds what a dead
 * process left behind when its lease has run out.
 */
@Injectable()
export class Worker {
  private readonly logger = new Logger(Worker.name);
  private readonly running = new Map<string, Promise<void>>();
  private readonly busy = new Map<QueueName, number>();
  private timers: NodeJS.Timeout[] = [];
  private claiming: Promise<void> | undefined;
  private pokedAgain = false;
  private started = false;

  constructor(
    private readonly registry: JobRegistry,
    private readonly repository: JobRepository,
    private readonly uow: UnitOfWork,
  ) {}

  /** Starts to work: recurring jobs get their rows, then due jobs are claimed until `stop`. */
  async start(): Promise<void> {
    await this.plantRecurring();
    this.started = true;
    this.timers = [setInterval(() => this.poke(), POLL_MS), setInterval(() => void this.renewLeases(), RENEW_MS)];
    this.poke();
  }

  /** Claims no more and waits for the handlers that run. */
  async stop(): Promise<void> {
    this.started = false;
    this.timers.forEach((timer) => clearInterval(timer));
    await this.claiming;
    await Promise.all(this.running.values());
  }

  /** Says that there may be due jobs. Cheap; does nothing until `start`. */
  poke(): void {
    if (!this.started) return;
    if (this.claiming) {
      this.pokedAgain = true;
      return;
    }
    this.claiming = this.uow
      .outside(() => this.claimAndRun())
      .catch((error: unknown) => this.logger.error('Claiming jobs failed', error))
      .finally(() => {
        this.claiming = undefined;
        if (this.pokedAgain) {
          this.pokedAgain = false;
          this.poke();
        }
      });
  }

  /** Runs due jobs until none is left, one after the other: for tests and `ctl`. Answers how many ran. */
  async drain(): Promise<number> {
    const room = queueNames().map((queue) => ({ queue, free: 1 }));
    for (let ran = 0; ;) {
      const jobs = await this.uow.outside(() => this.repository.claim(room));
      if (jobs.length === 0) return ran;
      for (const job of jobs) await this.uow.outside(() => this.run(job));
      ran += jobs.length;
    }
  }

  /** Gives each recurring job its row, once among all processes. */
  async plantRecurring(): Promise<void> {
    const recurring = this.registry.recurring();
    if (recurring.length === 0) return;
    await this.repository.insert(
      recurring.map(({ name, queue }) => ({ name, queue, payload: {}, key: `recurring:${name}`, runAt: new Date() })),
    );
  }

  /** Removes jobs that were parked a month ago. */
  purgeParked(): Promise<number> {
    return this.repository.purgeParked(PARKED_DAYS);
  }

  private async claimAndRun(): Promise<void> {
    const room = this.room();
    if (room.length === 0) return;
    const jobs = await this.repository.claim(room);
    for (const job of jobs) {
      this.busy.set(job.queue, (this.busy.get(job.queue) ?? 0) + 1);
      const ended = this.run(job).finally(() => {
        this.running.delete(job.id);
        this.busy.set(job.queue, (this.busy.get(job.queue) ?? 1) - 1);
        this.poke();
      });
      this.running.set(job.id, ended);
    }
  }

  private room(): { queue: QueueName; free: number }[] {
    return queueNames()
      .map((queue) => ({ queue, free: QUEUES[queue].concurrency - (this.busy.get(queue) ?? 0) }))
      .filter(({ free }) => free > 0);
  }

  private async run(job: ClaimedJob): Promise<void> {
    try {
      const handler = this.registry.handler(job.name);
      const outcome = handler ? await this.handle(handler, job) : ({ kind: 'fail', reason: 'Unknown job' } as const);
      await this.record(job, handler, outcome);
    } catch (error) {
      // The database did not take the outcome: the lease runs out and the job runs again.
      this.logger.error(`The outcome of job ${job.name} ${job.id} was not stored`, error);
    }
  }

  private async handle(handler: Handler, job: ClaimedJob): Promise<Outcome> {
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

  private async renewLeases(): Promise<void> {
    const ids = [...this.running.keys()];
    if (ids.length === 0) return;
    await this.repository.renew(ids).catch((error: unknown) => this.logger.warn({ err: error }, 'Leases not renewed'));
  }
}

const queueNames = () => Object.keys(QUEUES) as QueueName[];

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, MAX_ERROR_LENGTH);
}
