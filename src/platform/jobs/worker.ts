import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { ENV, type Env } from '../env/env.js';
import { runApart } from '../tracing/work.js';
import { JobCarrier } from './carrier.js';
import { DAILY, Recurs } from './handlers.js';
import { type QueueName, queueNames, type QueueRules, QUEUES } from './job.js';
import { JobRegistry } from './job-registry.js';
import { type ClaimedJob, JobRepository, LEASE_SECONDS, type Room, type WrittenJobs } from './job.repository.js';
import { JobRunner } from './job-runner.js';

const POLL_MS = 1_000;
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
/** How long running jobs may take when the process stops. */
const FINISH_MS = 20_000;
/** How long jobs that are done are gathered, to be removed together. After a crash they run again. */
const REMOVE_MS = 50;
/** How often a process without room wakes others for a queue, at most. */
const WAKE_OTHERS_MS = 100;
const FAILED_DAYS = 30;
/** How often jobs are looked for that a clock has put far away. */
const HASTEN_MS = 3_600_000;

const recurringKey = (name: string): string => `recurring:${name}`;

/**
 * Runs due jobs. A process that works claims them itself: with the commit that writes them, after it, when the carrier
 * wakes it for those of other processes, and by a poll once a second, which also finds jobs of dead processes and those
 * whose wake-up was lost (docs/adr/0003).
 */
@Injectable()
export class Worker implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Worker.name);
  private readonly busy = new Counts();
  /** Jobs that are claimed by their commit and do not run yet. */
  private readonly reserved = new Counts();
  private timers: NodeJS.Timeout[] = [];
  private looking: Promise<void> | undefined;
  /** The queues that may hold due jobs besides the claimed ones. */
  private readonly toCheck = new Set<QueueName>();
  /** Those of them with new jobs: if they fill the room of this process, it wakes another. */
  private readonly woken = new Set<QueueName>();
  /** When this process last woke others for a queue, in milliseconds of its clock. */
  private readonly othersWoken = new Map<QueueName, number>();
  /** Done jobs, removed with the next claim or soon. */
  private done: ClaimedJob[] = [];
  private removal: Promise<void> | undefined;
  private started = false;
  private stopped: Promise<void> | undefined;
  private readonly ending = new AbortController();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly registry: JobRegistry,
    private readonly repository: JobRepository,
    private readonly runner: JobRunner,
    private readonly carrier: JobCarrier,
  ) {}

  /**
   * Starts to work: stores the rows of recurring jobs, then runs due jobs until `stop`. A web process only wakes workers.
   */
  async start(): Promise<void> {
    if (this.env.role === 'web') return;
    await this.enqueueRecurring();
    this.started = true;
    this.carrier.receive((queues) => this.findNew(queues));
    this.timers = [
      setInterval(() => this.checkQueues(), POLL_MS),
      setInterval(() => void this.runner.renewLeases(), RENEW_MS),
      setInterval(() => void this.hasten(), HASTEN_MS),
    ];
    this.checkQueues();
  }

  /** Takes no more jobs, waits for the running ones, and hands back those that take too long. */
  stop(): Promise<void> {
    this.ending.abort();
    return (this.stopped ??= this.end());
  }

  /** Aborted when the worker stops: for jobs that take longer than the end of a process, and may begin again. */
  get stopping(): AbortSignal {
    return this.ending.signal;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /**
   * Reserves room for a job that its commit claims: while the queue has room and no job waits. Returns false when there is
   * none. Besides the running jobs of a queue, at most as many again are reserved.
   */
  reserve(queue: QueueName): boolean {
    const { concurrency } = QUEUES[queue];
    const isFree = this.busy.of(queue) < concurrency && this.reserved.of(queue) < concurrency;
    if (!this.started || this.toCheck.has(queue) || !isFree) return false;
    this.reserved.add(queue, 1);
    return true;
  }

  /** Gives up reserved room: once for each time that {@link reserve} returned true. */
  release(queues: readonly QueueName[]): void {
    for (const queue of queues) this.reserved.add(queue, -1);
  }

  /** Announces that these rows were committed. */
  committed({ claimed, due }: WrittenJobs): void {
    this.release(claimed.map(({ queue }) => queue));
    const queues = due.map(({ queue }) => queue);
    runApart(() => {
      this.run(claimed).catch((error: unknown) => this.logger.warn({ err: error }, 'Claims not handed back'));
      if (!this.started) {
        this.carrier.notify(queues);
        return;
      }
      this.notifyOthers(queues.filter((queue) => this.freeOf(queue) <= 0));
      this.findNew(queues);
    });
  }

  /** Announces that some queues may have due jobs. Cheap; does nothing until `start`. */
  checkQueues(queues: readonly QueueName[] = queueNames()): void {
    if (!this.started) return;
    for (const queue of queues) this.toCheck.add(queue);
    if (this.room().length === 0) return;
    this.looking ??= this.claimAndRun()
      .catch((error: unknown) => this.logger.error({ err: error }, 'Looking for due jobs failed'))
      .finally(() => {
        this.looking = undefined;
        this.checkQueues([]);
      });
  }

  /** Runs due jobs until none is left, in turn: for tests and `ctl`. Returns the number. */
  async drain(): Promise<number> {
    const room = queueNames().map((queue) => ({ queue, free: 1 }));
    for (let ran = 0; ;) {
      const jobs = await this.repository.claim(room);
      if (jobs.length === 0) return ran;
      for (const job of jobs) await this.runner.run(job);
      ran += jobs.length;
    }
  }

  /** Gives each recurring job its row, once among all processes. */
  async enqueueRecurring(): Promise<void> {
    const recurring = this.registry.recurring();
    if (recurring.length === 0) return;
    await this.repository.insert(
      recurring.map(({ name, queue }) => ({ name, queue, payload: {}, key: recurringKey(name), runAt: new Date() })),
    );
    await this.hasten(true);
  }

  /** Makes jobs due that a clock which was ahead has put far away; at a start also recurring ones that run then. */
  private async hasten(isStart = false): Promise<void> {
    const kinds = this.registry.all().map(({ name, queue, longestDelayMs, atStart = false }) => {
      const { isTimed = false }: QueueRules = QUEUES[queue];
      return { name, longestDelayMs: isStart && atStart ? LEASE_SECONDS * 1_000 : longestDelayMs, isTimed };
    });
    await this.repository
      .hasten(kinds)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'Jobs that a clock has put far away may be late'));
  }

  /** Removes jobs that failed more than a month ago, but for those that are the only record of what is left to do. */
  @Recurs({ job: 'jobs.purge-failed', everyMinutes: DAILY })
  async purgeFailed(): Promise<void> {
    await this.repository.purgeFailed(FAILED_DAYS, this.registry.onlyRecords());
  }

  private async end(): Promise<void> {
    this.started = false;
    const [poll, renewal, hastening] = this.timers;
    clearInterval(poll);
    clearInterval(hastening);
    await this.carrier.stop();
    await this.looking;
    await this.runner.finish(FINISH_MS);
    clearInterval(renewal);
    await this.removal;
    await this.removeDone();
  }

  /** Looks for new jobs; if there is no room for all, the rest is for other workers. */
  private findNew(queues: readonly QueueName[]): void {
    for (const queue of queues) if (this.freeOf(queue) > 0) this.woken.add(queue);
    this.checkQueues(queues);
  }

  /** Wakes a worker that may have room, while this one has none; seldom, since this one goes on until no job waits. */
  private notifyOthers(queues: readonly QueueName[]): void {
    const now = performance.now();
    const due = queues.filter((queue) => now - (this.othersWoken.get(queue) ?? -Infinity) >= WAKE_OTHERS_MS);
    for (const queue of due) this.othersWoken.set(queue, now);
    this.carrier.notify(due);
  }

  /** One statement removes the done jobs and claims due ones of the queues. */
  private async claimAndRun(): Promise<void> {
    const room = this.room();
    for (const { queue } of room) this.toCheck.delete(queue);
    const woken = new Set(room.flatMap(({ queue }) => (this.woken.delete(queue) ? [queue] : [])));
    const jobs = await this.claim(room);
    const full = room.filter(({ queue, free }) => jobs.filter((job) => job.queue === queue).length === free);
    for (const { queue } of full) this.toCheck.add(queue); // more may be due
    this.notifyOthers(full.map(({ queue }) => queue).filter((queue) => woken.has(queue)));
    await this.run(jobs);
  }

  /** Runs claimed jobs, or hands them back when the worker was stopped meanwhile. */
  private async run(jobs: readonly ClaimedJob[]): Promise<void> {
    if (this.started) for (const job of jobs) void this.occupy(job);
    else if (jobs.length > 0) await this.repository.handBack(jobs);
  }

  private async claim(room: readonly Room[]): Promise<ClaimedJob[]> {
    const done = this.done;
    this.done = [];
    try {
      return await this.repository.claim(room, done);
    } catch (error) {
      this.done.push(...done);
      throw error;
    }
  }

  private async finish(job: ClaimedJob): Promise<void> {
    if (job.keyed) return this.repository.finish(job);
    this.done.push(job);
    this.removal ??= runApart(async () => {
      await delay(REMOVE_MS);
      this.removal = undefined;
      await this.removeDone();
    });
  }

  private async removeDone(): Promise<void> {
    if (this.done.length === 0) return;
    await this.claim([]).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'Jobs that are done may run again'),
    );
  }

  private async occupy(job: ClaimedJob): Promise<void> {
    const { queue, keyed } = job;
    this.busy.add(queue, 1);
    await this.runner.run(job, (done) => this.finish(done));
    this.busy.add(queue, -1);
    this.checkQueues(keyed ? [queue] : []); // one with a key may have been enqueued meanwhile
  }

  private room(): Room[] {
    return [...this.toCheck].map((queue) => ({ queue, free: this.freeOf(queue) })).filter(({ free }) => free > 0);
  }

  private freeOf(queue: QueueName): number {
    return QUEUES[queue].concurrency - this.busy.of(queue);
  }
}

/** A number for each queue, 0 at first. */
class Counts {
  private readonly numbers = new Map<QueueName, number>();

  of(queue: QueueName): number {
    return this.numbers.get(queue) ?? 0;
  }

  add(queue: QueueName, change: 1 | -1): void {
    this.numbers.set(queue, this.of(queue) + change);
  }
}
