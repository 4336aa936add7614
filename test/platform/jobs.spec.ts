import { Injectable } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Database,
  Events,
  fail,
  Handles,
  job,
  JobRepository,
  Jobs,
  ListensAfterCommit,
  type Outcome,
  Recurs,
  retry,
  Subscribes,
  UnitOfWork,
  Worker,
} from '../../src/platform/index.js';
import { type Platform, startPlatform } from '../support/platform.js';

const note = job<{ text: string }>('test.note', 'maintenance');
const orphan = job<{ text: string }>('test.orphan', 'maintenance');

class Happened {
  static readonly type = 'test.happened';
  constructor(
    readonly id: string,
    readonly important: boolean,
  ) {}
}

@Injectable()
class Notebook {
  readonly seen: string[] = [];
  answer: () => Outcome | undefined | Promise<Outcome | undefined> = () => undefined;

  @Handles(note)
  note({ text }: { text: string }): Outcome | undefined | Promise<Outcome | undefined> {
    this.seen.push(text);
    return this.answer();
  }

  @Subscribes(Happened, { job: 'test.write-down', queue: 'notify' })
  writeDown(event: Happened): void {
    this.seen.push(`${event.id} ${event instanceof Happened}`);
  }

  @Subscribes(Happened, { job: 'test.alarm', queue: 'push', when: (event) => event.important })
  alarm(event: Happened): void {
    this.seen.push(`alarm ${event.id}`);
  }

  @ListensAfterCommit(Happened)
  live(event: Happened): void {
    this.seen.push(`live ${event.id}`);
  }

  @Recurs({ job: 'test.daily', everyMinutes: 60 })
  daily(): void {
    this.seen.push('daily');
  }
}

interface Row {
  name: string;
  attempts: number;
  parked: boolean;
  due: boolean;
  last_error: string | null;
}

describe('jobs in this process', () => {
  let platform: Platform;
  let notebook: Notebook;

  beforeEach(async () => {
    platform = await startPlatform([Notebook]);
    notebook = platform.get(Notebook);
  });
  afterEach(() => platform.close());

  const inUnit = (work: () => void) =>
    platform.get(UnitOfWork).run(() => {
      work();
      return Promise.resolve();
    });
  const enqueue = (text: string, options = {}) => inUnit(() => platform.get(Jobs).enqueue(note, { text }, options));
  const drain = () => platform.get(Worker).drain();
  const makeDue = () => platform.get(Database).query('update jobs set run_at = now()');
  const rows = () =>
    platform
      .get(Database)
      .query<Row>(
        `select name, attempts, parked_at is not null as parked, run_at <= now() as due, last_error from jobs order by id`,
      );

  /** Resolves when a statement waits for a lock. */
  const untilWaiting = async (): Promise<void> => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await platform.get(Database).query(waiting)).length === 0);
  };

  it('exist if and only if their unit of work commits', async () => {
    await enqueue('kept');
    const failing = platform.get(UnitOfWork).run(() => {
      platform.get(Jobs).enqueue(note, { text: 'lost' });
      return Promise.reject(new Error('no'));
    });
    await expect(failing).rejects.toThrow('no');
    expect(await drain()).toBe(1);
    expect(notebook.seen).toEqual(['kept']);
    expect(await rows()).toEqual([]);
  });

  it('are gone when their unit of work fails in its last moment, after they were written', async () => {
    const failing = inUnit(() => {
      platform.get(Jobs).enqueue(note, { text: 'lost' });
      const flush = () => platform.get(Database).query('select nonsense');
      platform.get(UnitOfWork).collector({}, () => ({ order: 10_000, flush }));
    });
    await expect(failing).rejects.toMatchObject({ code: '42703' });
    expect(await rows()).toEqual([]);
  });

  it('are refused outside a unit of work and when nobody handles them', async () => {
    expect(() => platform.get(Jobs).enqueue(note, { text: 'x' })).toThrow('open unit of work');
    await expect(inUnit(() => platform.get(Jobs).enqueue(orphan, { text: 'x' }))).rejects.toThrow('Nobody handles');
  });

  it('follow from events, one for each subscriber the event concerns, with listeners after the commit', async () => {
    const uow = platform.get(UnitOfWork);
    await uow.run(async () => {
      platform.get(Events).emit(new Happened('1', false));
      await platform.get(Database).query('select 1');
      expect(notebook.seen).toEqual([]);
    });
    expect(notebook.seen).toEqual(['live 1']);
    await inUnit(() => platform.get(Events).emit(new Happened('2', true)));
    await drain();
    expect([...notebook.seen].sort()).toEqual(['1 true', '2 true', 'alarm 2', 'live 1', 'live 2']);
  });

  it('J1 are found by another process when the first died between commit and work', async () => {
    await enqueue('written, then the process was gone');
    const survivor = await platform.another([Notebook]);
    expect(await survivor.get(Worker).drain()).toBe(1);
    expect(survivor.get(Notebook).seen).toEqual(['written, then the process was gone']);
  });

  it('J2 run again when the lease of a dead worker ends, and not before', async () => {
    await enqueue('twice');
    const [claimed] = await platform.get(JobRepository).claim([{ queue: 'maintenance', free: 5 }]);
    expect(claimed?.payload).toEqual({ text: 'twice' });
    expect(await drain()).toBe(0);
    await makeDue(); // the lease ran out
    expect(await drain()).toBe(1);
    expect(notebook.seen).toEqual(['twice']);
  });

  it('are tried again later when they ask for it or throw, and keep the reason', async () => {
    notebook.answer = () => retry('not yet', 5_000);
    await enqueue('a');
    await drain();
    expect(await rows()).toEqual([
      { name: 'test.note', attempts: 1, parked: false, due: false, last_error: 'not yet' },
    ]);
    notebook.answer = () => {
      throw new Error('surprise');
    };
    await makeDue();
    await drain();
    expect(await rows()).toEqual([
      { name: 'test.note', attempts: 2, parked: false, due: false, last_error: 'Error: surprise' },
    ]);
    notebook.answer = () => undefined;
    await makeDue();
    await drain();
    expect(notebook.seen).toEqual(['a', 'a', 'a']);
    expect(await rows()).toEqual([]);
  });

  it('J7 are parked after ten tries or a final failure, and the queue moves on', async () => {
    notebook.answer = () => retry('never');
    await enqueue('poison');
    for (let tries = 1; tries <= 10; tries += 1) {
      await makeDue();
      expect(await drain()).toBe(1);
    }
    notebook.answer = () => fail('hopeless');
    await enqueue('final');
    await drain();
    notebook.answer = () => undefined;
    await enqueue('healthy');
    await makeDue();
    expect(await drain()).toBe(1);
    const parked = await platform.get(JobRepository).parked(10);
    expect(parked.map(({ attempts, last_error }) => ({ attempts, last_error }))).toEqual([
      { attempts: 10, last_error: 'never' },
      { attempts: 1, last_error: 'hopeless' },
    ]);
    await platform.get(JobRepository).retryParked();
    expect(await drain()).toBe(2);
  });

  it('with a key wait only once, and run once more when asked for while they run', async () => {
    await enqueue('first', { key: 'k' });
    await enqueue('second', { key: 'k' });
    expect(await rows()).toHaveLength(1);
    notebook.answer = async () => {
      if (notebook.seen.length === 1) await enqueue('meanwhile', { key: 'k' });
      return undefined;
    };
    await drain();
    expect(notebook.seen).toEqual(['first', 'first']);
    expect(await rows()).toEqual([]);
  });

  it('with a key are one also when one unit asks for them twice', async () => {
    await inUnit(() => {
      platform.get(Jobs).enqueue(note, { text: 'first' }, { key: 'k' });
      platform.get(Jobs).enqueue(note, { text: 'second' }, { key: 'k' });
    });
    await drain();
    expect(notebook.seen).toEqual(['first']);
  });

  it('with a key run again at once when they are asked for while their end is being stored', async () => {
    await enqueue('first', { key: 'k' });
    const repository = platform.get(JobRepository);
    const [claimed] = await repository.claim([{ queue: 'maintenance', free: 1 }]);
    const [marked, asking] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const asked = platform.get(UnitOfWork).run(async () => {
      await platform.get(Database).query('update jobs set again = true');
      marked.resolve(undefined);
      await asking.promise;
    });
    await marked.promise;
    const finished = repository.finish(claimed!.id);
    await untilWaiting();
    asking.resolve(undefined);
    await Promise.all([asked, finished]);
    expect(await rows()).toMatchObject([{ name: 'test.note', attempts: 0, due: true }]);
  });

  it('J7 are parked when the processes that try them keep dying', async () => {
    await enqueue('deadly');
    for (let tries = 1; tries <= 10; tries += 1) {
      await platform.get(JobRepository).claim([{ queue: 'maintenance', free: 1 }]); // and the process is gone
      await makeDue();
    }
    await drain();
    expect(notebook.seen).toEqual([]);
    expect(await platform.get(JobRepository).parked(10)).toMatchObject([{ attempts: 11 }]);
  });

  it('may lie in the future', async () => {
    await enqueue('later', { runAt: new Date(Date.now() + 3_600_000) });
    expect(await drain()).toBe(0);
    await makeDue();
    expect(await drain()).toBe(1);
  });

  it('J8 that recur have one row among all processes and get their next date after each run', async () => {
    const other = await platform.another([Notebook]);
    await platform.get(Worker).plantRecurring();
    await other.get(Worker).plantRecurring();
    await drain();
    expect(notebook.seen).toEqual(['daily']);
    const daily = (await rows()).filter((row) => row.name === 'test.daily');
    expect(daily).toEqual([{ name: 'test.daily', attempts: 0, parked: false, due: false, last_error: null }]);
  });

  it('are woken by the commit once the worker has started, and finished before it stops', async () => {
    const worker = platform.get(Worker);
    await worker.start();
    const ran = new Promise<void>((resolve) => {
      notebook.answer = () => {
        resolve();
        return undefined;
      };
    });
    await enqueue('woken');
    await ran;
    await worker.stop();
    expect(notebook.seen).toContain('woken');
    expect((await rows()).filter((row) => row.name === 'test.note')).toEqual([]);
  });
});
