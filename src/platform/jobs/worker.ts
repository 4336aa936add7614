import { Injectable, Logger } from '@nestjs/common';
import { BullCarrier } from './bull.carrier.js';
import { QUEUES, type QueueName } from './job.js';
import { JobRegistry } from './job-registry.js';
import { type CarriedJob, JobRepository, LEASE_SECONDS } from './job.repository.js';
import { JobRunner } from './job-runner.js';

const POLL_MS = 1_000;
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
const PARKED_DAYS = 30;

/**
 * Gets due jobs run. Without Redis this process claims them itself: woken by a poke after each commit, and by a poll once
 * a second that also finds what a dead process left behind. With Redis, Bull spreads their ids over the workers, and the
 * poll hands it again what Redis does not know (docs/adr/0003).
 */
@Injectable()
export class Worker {
  private readonly logger = new Logger(Worker.name);
  private readonly busy = new Map<QueueName, number>();
  private timers: NodeJS.Timeout[] = [];
  private looking: Promise<void> | undefined;
  private pokedAgain = false;
  private started = false;

  constructor(
    private readonly registry: JobRegistry,
    private readonly repository: JobRepository,
    private readonly runner: JobRunner,
    private readonly carrier: BullCarrier,
  ) {}

  /** Starts to work: recurring jobs get their rows, then due jobs are run until `stop`. A web process only hands them on. */
  async start(): Promise<void> {
    if (!this.carrier.consumes) return;
    await this.plantRecurring();
    this.carrier.consume((id) => this.runById(id));
    this.started = true;
    this.timers = [
      setInterval(() => this.poke(), POLL_MS),
      setInterval(() => void this.runner.renewLeases(), RENEW_MS),
    ];
    this.poke();
  }

  /** Takes no more jobs and waits for the handlers that run. */
  async stop(): Promise<void> {
    this.started = false;
    this.timers.forEach((timer) => clearInterval(timer));
    await this.carrier.stop();
    await this.looking;
    await this.runner.idle();
  }

  /** Says that these rows were committed. */
  committed(jobs: readonly CarriedJob[]): void {
    if (this.carrier.isOn) this.carrier.add(jobs);
    else this.poke();
  }

  /** Says that there may be due jobs. Cheap; does nothing until `start`. */
  poke(): void {
    if (!this.started) return;
    if (this.looking) {
      this.pokedAgain = true;
      return;
    }
    this.looking = (this.carrier.isOn ? this.sweep() : this.claimAndRun())
      .catch((error: unknown) => this.logger.error({ err: error }, 'Looking for due jobs failed'))
      .finally(() => {
        this.looking = undefined;
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

  /** Removes jobs that were parked a month ago. */
  purgeParked(): Promise<number> {
    return this.repository.purgeParked(PARKED_DAYS);
  }

  private async claimAndRun(): Promise<void> {
    const room = this.room();
    if (room.length === 0) return;
    for (const job of await this.repository.claim(room)) {
      this.busy.set(job.queue, (this.busy.get(job.queue) ?? 0) + 1);
      void this.runner.run(job).then(() => {
        this.busy.set(job.queue, (this.busy.get(job.queue) ?? 1) - 1);
        this.poke();
      });
    }
  }

  /** Hands Bull every row that is due and held by nobody; those it knows already it does not take twice. */
  private async sweep(): Promise<void> {
    this.carrier.add(await this.repository.due());
  }

  private async runById(id: string): Promise<void> {
    const job = await this.repository.claimOne(id);
    if (job) await this.runner.run(job);
  }

  private room(): { queue: QueueName; free: number }[] {
    return queueNames()
      .map((queue) => ({ queue, free: QUEUES[queue].concurrency - (this.busy.get(queue) ?? 0) }))
      .filter(({ free }) => free > 0);
  }
}

const queueNames = () => Object.keys(QUEUES) as QueueName[];
