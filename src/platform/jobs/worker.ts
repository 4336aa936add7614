import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { ENV, type Env } from '../env/env.js';
import { JobCarrier } from './carrier.js';
import { type QueueName, queueNames, QUEUES } from './job.js';
import { JobRegistry } from './job-registry.js';
import { type CarriedJob, type ClaimedJob, JobRepository, LEASE_SECONDS, type Room } from './job.repository.js';
import { JobRunner } from './job-runner.js';

const POLL_MS = 1_000;
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
/** How long a job of the carrier may wait before a worker with room takes it from the database. */
const CARRIER_PATIENCE_SECONDS = 5;
/** How long running jobs may take when the process stops. */
const FINISH_MS = 20_000;
const FAILED_DAYS = 30;

/**
 * Runs due jobs. Without Redis this process claims them itself: after each commit, and by a poll once a second that
 * also finds jobs of dead processes. With Redis, Bull spreads their ids over the workers, the poll hands over ids that
 * Bull may have lost, and a worker claims undelivered ones all the same (docs/adr/0003).
 */
@Injectable()
export class Worker implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Worker.name);
  private readonly busy = new Map<QueueName, number>();
  private timers: NodeJS.Timeout[] = [];
  private sweeping: Promise<void> | undefined;
  private looking: Promise<void> | undefined;
  /** The queues that may hold due jobs. */
  private readonly toLook = new Set<QueueName>();
  /** Done jobs, removed with the next claim. */
  private done: ClaimedJob[] = [];
  private started = false;
  private stopped: Promise<void> | undefined;
  private isCarried = false;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly registry: JobRegistry,
    private readonly repository: JobRepository,
    private readonly runner: JobRunner,
    private readonly carrier: JobCarrier,
  ) {}

  /**
   * Starts to work: stores the rows of recurring jobs, then runs due jobs until `stop`. A web process only hands them
   * over.
   */
  async start(): Promise<void> {
    if (this.env.role === 'web') return;
    await this.plantRecurring();
    this.started = true;
    this.carrier.consume((id) => this.receive(id));
    this.timers = [
      setInterval(() => void this.poll(), POLL_MS),
      setInterval(() => void this.runner.renewLeases(), RENEW_MS),
    ];
    await this.poll();
  }

  /** Takes no more jobs, waits for the running ones, and hands back those that take too long. */
  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Announces that these rows were committed. */
  committed(jobs: readonly CarriedJob[]): void {
    if (this.carrier.isOn) void this.handOver(jobs);
    else this.poke(jobs.map(({ queue }) => queue));
  }

  /** Announces that some queues may have due jobs. Cheap; does nothing until `start`. */
  poke(queues: readonly QueueName[] = queueNames()): void {
    if (!this.started) return;
    for (const queue of queues) this.toLook.add(queue);
    if (this.toLook.size === 0) return;
    this.looking ??= this.claimAndRun()
      .catch((error: unknown) => this.logger.error({ err: error }, 'Looking for due jobs failed'))
      .finally(() => {
        this.looking = undefined;
        this.poke([]);
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
  async plantRecurring(): Promise<void> {
    const recurring = this.registry.recurring();
    if (recurring.length === 0) return;
    await this.repository.insert(
      recurring.map(({ name, queue }) => ({ name, queue, payload: {}, key: `recurring:${name}`, runAt: new Date() })),
    );
  }

  /** Removes jobs that failed more than a month ago. */
  purgeFailed(): Promise<number> {
    return this.repository.purgeFailed(FAILED_DAYS);
  }

  private async end(): Promise<void> {
    this.started = false;
    const [poll, renewal] = this.timers;
    clearInterval(poll);
    await this.carrier.stop();
    await Promise.all([this.sweeping, this.looking]);
    await this.runner.finish(FINISH_MS);
    clearInterval(renewal);
    await this.removeDone().catch((error: unknown) => this.logger.warn({ err: error }, 'Jobs that are done run again'));
  }

  private async poll(): Promise<void> {
    if (this.carrier.isOn) await (this.sweeping ??= this.sweep());
    this.poke();
  }

  /** Hands over every due row without a lease. */
  private async sweep(): Promise<void> {
    try {
      await this.handOver(await this.repository.due());
    } catch (error) {
      this.logger.error({ err: error }, 'Looking for jobs to hand over failed');
    } finally {
      this.sweeping = undefined;
    }
  }

  private async handOver(jobs: readonly CarriedJob[]): Promise<void> {
    this.isCarried = await this.carrier.add(jobs);
    if (!this.isCarried) this.poke();
  }

  private async receive(id: string): Promise<void> {
    if (!this.started) return;
    const job = await this.repository.claimOne(id);
    if (job) await Promise.all(await this.take([job], (each) => this.runner.run(each)));
  }

  /** One statement removes the done jobs and claims due ones of the queues. */
  private async claimAndRun(): Promise<void> {
    const room = this.room();
    this.toLook.clear();
    if (room.length === 0 && this.done.length === 0) return;
    const jobs = await this.claim(room);
    const runs = await this.take(jobs, (job) => this.runner.run(job, (done) => this.finish(done)));
    for (const ended of runs) void ended.then((queue) => this.poke([queue]));
  }

  private async claim(room: readonly Room[]): Promise<ClaimedJob[]> {
    const done = this.done;
    this.done = [];
    try {
      return await this.repository.claim(room, this.isCarried ? CARRIER_PATIENCE_SECONDS : 0, done);
    } catch (error) {
      this.done.push(...done);
      throw error;
    }
  }

  private async finish(job: ClaimedJob): Promise<void> {
    if (job.keyed) await this.repository.finish(job);
    else this.done.push(job);
  }

  private async removeDone(): Promise<void> {
    if (this.done.length > 0) await this.claim([]);
  }

  /**
   * Runs claimed jobs, or gives them back when the worker was stopped meanwhile. Each returns the queue with new room.
   */
  private async take(
    jobs: readonly ClaimedJob[],
    run: (job: ClaimedJob) => Promise<void>,
  ): Promise<Promise<QueueName>[]> {
    if (this.started) return jobs.map((job) => this.occupy(job.queue, () => run(job)));
    await this.repository.handBack(jobs);
    return [];
  }

  private async occupy(queue: QueueName, work: () => Promise<void>): Promise<QueueName> {
    this.busy.set(queue, this.busyOf(queue) + 1);
    await work();
    this.busy.set(queue, this.busyOf(queue) - 1);
    return queue;
  }

  private room(): Room[] {
    return [...this.toLook]
      .map((queue) => ({ queue, free: QUEUES[queue].concurrency - this.busyOf(queue) }))
      .filter(({ free }) => free > 0);
  }

  private busyOf(queue: QueueName): number {
    return this.busy.get(queue) ?? 0;
  }
}
