import type { Provider } from '@nestjs/common';
import {
  Database,
  type JobKind,
  type JobOptions,
  JobRepository,
  Jobs,
  UnitOfWork,
  Worker,
} from '../../src/platform/index.js';
import { queueNames } from '../../src/platform/jobs/job.js';
import { type Platform, startPlatform } from '../support/servers/platform.js';
import { note, Notebook } from './notebook.js';

export interface Row {
  readonly name: string;
  readonly attempts: number;
  readonly failed: boolean;
  readonly due: boolean;
  readonly last_error: string | null;
}

type Text = { text: string };

/** A process with the handlers of {@link Notebook}, and helpers for tests. */
export class Office implements AsyncDisposable {
  private constructor(readonly platform: Platform) {}

  /** Opens a process on its own database; `source` contains environment variables. */
  static async open(source: Record<string, string> = {}): Promise<Office> {
    return new Office(await startPlatform([Notebook], source));
  }

  /** Opens another process on the same database; `changes` contains environment variables. */
  async another(changes: Record<string, string> = {}, providers: Provider[] = [Notebook]): Promise<Office> {
    return new Office(await this.platform.another(providers, changes));
  }

  get notebook(): Notebook {
    return this.platform.get(Notebook);
  }

  get worker(): Worker {
    return this.platform.get(Worker);
  }

  get repository(): JobRepository {
    return this.platform.get(JobRepository);
  }

  start(): Promise<void> {
    return this.worker.start();
  }

  stop(): Promise<void> {
    return this.platform.stop();
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  inUnit(work: () => void): Promise<void> {
    return this.platform.get(UnitOfWork).run(() => {
      work();
      return Promise.resolve();
    });
  }

  enqueue(text: string, options: JobOptions = {}, kind: JobKind<Text> = note): Promise<void> {
    return this.inUnit(() => this.platform.get(Jobs).enqueue(kind, { text }, options));
  }

  /** Enqueues a job in the place of that of its key. */
  replace(key: string, text: string): Promise<void> {
    return this.inUnit(() => {
      this.platform.get(Jobs).enqueue(note, { text }, { key });
      this.platform.get(Jobs).cancel(key);
    });
  }

  /** Enqueues many jobs in one unit of work. */
  enqueueAll(texts: readonly string[], kind: JobKind<Text> = note): Promise<void> {
    return this.inUnit(() => texts.forEach((text) => this.platform.get(Jobs).enqueue(kind, { text })));
  }

  /** Enqueues a job in a unit of work whose commit fails. */
  enqueueInVain(text: string): Promise<void> {
    return this.inUnit(() => {
      this.platform.get(Jobs).enqueue(note, { text });
      const last = { order: Infinity, flush: () => this.sql('select 1 / 0') };
      this.platform.get(UnitOfWork).collector(last, () => last);
    });
  }

  /** Inserts jobs like a process that dies before it announces them. */
  async enqueueSilently(texts: readonly string[], { name, queue }: JobKind<Text> = note): Promise<void> {
    const row = { name, queue, key: null, runAt: null };
    await this.repository.insert(texts.map((text) => ({ ...row, payload: { text } })));
  }

  /** Ends all waits and leases, and wakes the workers. */
  async makeDue(): Promise<void> {
    await this.sql(`update jobs set run_at = now() - interval '1 minute' where name <> 'test.daily'`);
    this.worker.committed({ claimed: [], due: queueNames().map((queue) => ({ queue })) });
  }

  /** The rows of the jobs that tests enqueue. */
  rows(): Promise<Row[]> {
    return this.sql<Row>(
      `select name, attempts, parked_at is not null as failed, run_at <= now() as due, last_error from jobs
       where name in ('test.note', 'test.letter', 'test.write-down', 'test.alarm', 'test.brief', 'test.resumed') order by id`,
    );
  }

  sql<R>(text: string): Promise<R[]> {
    return this.platform.get(Database).query<R>(text);
  }
}
