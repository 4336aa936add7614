import { Injectable } from '@nestjs/common';
import { type Collector, UnitOfWork } from '../database/unit-of-work.js';
import type { JobKind, QueueName } from './job.js';
import { type AllEvents, JobRegistry } from './job-registry.js';
import { JobRepository, type NewJob, type WrittenJobs } from './job.repository.js';
import { currentCause, currentWork } from '../tracing/work.js';
import { Worker } from './worker.js';

export interface JobOptions {
  /** At most one job of a key waits. Another one that is enqueued meanwhile is dropped, unless it replaces the first. */
  readonly key?: string;
  /** Whether the waiting job of the key gets this payload; a running one runs once more with it. */
  readonly replaces?: boolean;
  readonly runAt?: Date;
}

const MINUTE_MS = 60_000;

/** After the counters of statuses, before those of accounts, whose lock is held as briefly as possible. */
const JOBS_ORDER = 400;

class PendingJobs implements Collector {
  readonly order = JOBS_ORDER;
  written: WrittenJobs = { claimed: [], due: [] };
  /** By their keys, where they have one: one statement writes all, and it cannot write a row twice. */
  private readonly jobs = new Map<unknown, NewJob>();
  private readonly cancelled: string[] = [];
  private readonly reserved: QueueName[] = [];
  /** The events of a job for several, by its name. */
  private readonly gathered = new Map<string, object[]>();

  constructor(
    private readonly repository: JobRepository,
    private readonly worker: Worker,
  ) {}

  add(job: NewJob): void {
    const key = job.key ?? job;
    if (job.replaces !== true && this.jobs.has(key)) return;
    this.jobs.set(key, { ...job, cause: currentCause() }); // a unit of work may be of several requests
  }

  /** Adds an event to the one job for all of them. */
  gather(name: string, queue: QueueName, event: object): void {
    const known = this.gathered.get(name);
    if (known) {
      known.push(event);
      return;
    }
    const payload = { events: [event] } satisfies AllEvents;
    this.gathered.set(name, payload.events);
    this.add({ name, queue, payload, key: null, runAt: null });
  }

  cancel(key: string): void {
    this.cancelled.push(key);
  }

  /** Sends both at once; PostgreSQL runs them in order. */
  async flush(): Promise<void> {
    const cancelling = this.cancelled.length > 0 ? this.repository.cancel(this.cancelled) : undefined;
    const jobs = [...this.jobs.values()];
    const writing = jobs.length > 0 ? this.repository.insert(jobs, (job) => this.claims(job)) : this.written;
    [, this.written] = await Promise.all([cancelling, writing]);
  }

  /** Gives up the room of jobs that were not committed. */
  discard(): void {
    this.worker.release(this.reserved);
  }

  /** Claims a job for this process if it may run at once. */
  private claims({ key, runAt, queue }: NewJob): boolean {
    const isClaimed = key === null && runAt === null && this.worker.reserve(queue);
    if (isClaimed) this.reserved.push(queue);
    return isClaimed;
  }
}

/** Enqueues work inside the caller's unit of work: the job exists if and only if the unit commits. */
@Injectable()
export class Jobs {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: JobRepository,
    private readonly registry: JobRegistry,
    private readonly worker: Worker,
  ) {}

  /** Enqueues one job. Throws outside a unit of work and for a kind without a handler. */
  enqueue<Payload extends object>(kind: JobKind<Payload>, payload: Payload, options: JobOptions = {}): void {
    if (!this.registry.handler(kind.name)) throw new Error(`Nobody handles the job "${kind.name}"`);
    const { key = null, runAt = null, replaces = false } = options;
    this.add({ name: kind.name, queue: kind.queue, payload, key, runAt, replaces });
  }

  /**
   * Cancels the waiting job of a key, before the unit enqueues its own: for work that is obsolete or was moved to
   * another time. A running job has to notice by itself ({@link isCancelled}); one that cancels its own key and enqueues it
   * again is replaced by the new job.
   */
  cancel(key: string): void {
    this.pending().cancel(key);
  }

  /** Whether the running job was cancelled, or another worker has it by now. False outside of jobs. */
  async isCancelled(): Promise<boolean> {
    const { job } = currentWork() ?? {};
    return job !== undefined && !(await this.repository.isHeld(job));
  }

  /**
   * Ends the running job, which has no key, with the caller's unit of work: for a job that only enqueues others which must not
   * run twice, such as letters. Does nothing outside of jobs.
   * @throws when another worker has the job by now
   */
  async endRunning(): Promise<void> {
    if (!this.uow.isOpen) throw new Error('A job ends in the unit of work of what it has done');
    const { job } = currentWork() ?? {};
    if (job) await this.repository.end(job);
  }

  /** Enqueues a job for each subscriber that the event concerns, and calls its listeners after the commit. */
  emit(event: object): void {
    for (const { job, queue, takesAll, afterMinutes } of this.registry.subscribersOf(event)) {
      const runAt = afterMinutes === undefined ? null : new Date(Date.now() + afterMinutes * MINUTE_MS);
      if (takesAll) this.pending().gather(job, queue, event);
      else this.add({ name: job, queue, payload: event, key: null, runAt });
    }
    for (const listener of this.registry.listenersOf(event)) this.uow.afterCommit(() => listener(event));
  }

  private add(job: NewJob): void {
    this.pending().add(job);
  }

  private pending(): PendingJobs {
    return this.uow.collector(this, () => {
      const created = new PendingJobs(this.repository, this.worker);
      this.uow.afterCommit(() => this.worker.committed(created.written));
      return created;
    });
  }
}

/** Announces an event, inside the unit of work that caused it (docs/adr/0003). */
@Injectable()
export class Events {
  constructor(private readonly jobs: Jobs) {}

  /** Emits an event; throws outside a unit of work when it has subscribers. */
  emit(event: object): void {
    this.jobs.emit(event);
  }
}
