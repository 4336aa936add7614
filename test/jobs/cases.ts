import { Events, fail, Jobs, retry, runWork, UnitOfWork } from '../../src/platform/index.js';
import { JobRunner } from '../../src/platform/jobs/job-runner.js';
import { eventually } from '../support/eventually.js';
import { Arrived, brief, Ended, Happened, letter, note, type Notebook, orphan, resumed } from './notebook.js';
import { Office, type Row } from './office.js';

/** Long enough that no job becomes due by itself during a test. */
const HOUR_MS = 3_600_000;

/** Tests of jobs that pass with and without Redis. `environment` gives the variables of the processes. */
export function jobCases(environment: () => Record<string, string>): void {
  let office: Office;
  let notebook: Notebook;

  beforeEach(async () => {
    office = await Office.open(environment());
    notebook = office.notebook;
  });
  afterEach(() => office.close());

  const row = (values: Partial<Row>): Row => ({
    name: 'test.note',
    attempts: 0,
    failed: false,
    due: false,
    last_error: null,
    ...values,
  });
  const expectRows = (...expected: Row[]) => eventually(async () => expect(await office.rows()).toEqual(expected));
  /** Notes are claimed in the order they are due, and run beside each other: when the last one has run, so could all others. */
  const expectSeen = async (...texts: string[]) => {
    await office.enqueue('.');
    await eventually(() => expect(notebook.seen.toSorted()).toEqual(['.', ...texts]));
  };

  it('exist only if their unit of work commits', async () => {
    await office.start();
    const failing = office.platform.get(UnitOfWork).run(() => {
      office.platform.get(Jobs).enqueue(letter, { text: 'lost' });
      return Promise.reject(new Error('no'));
    });
    await expect(failing).rejects.toThrow('no');
    await office.enqueue('kept');
    await expectSeen('kept');
    await expectRows();
  });

  it('are gone when their unit of work fails at its end, after they were written', async () => {
    const failing = office.inUnit(() => {
      office.platform.get(Jobs).enqueue(letter, { text: 'lost' });
      const flush = () => office.sql('select nonsense');
      office.platform.get(UnitOfWork).collector({}, () => ({ order: 10_000, flush }));
    });
    await expect(failing).rejects.toMatchObject({ code: '42703' });
    expect(await office.rows()).toEqual([]);
  });

  it('are refused outside a unit of work and without a handler', async () => {
    expect(() => office.platform.get(Jobs).enqueue(letter, { text: 'x' })).toThrow('open unit of work');
    await expect(office.enqueue('x', {}, orphan)).rejects.toThrow('Nobody handles');
  });

  it('follow from events, one for each interested subscriber, and listeners are called after the commit', async () => {
    await office.platform.get(UnitOfWork).run(async () => {
      office.platform.get(Events).emit(new Happened('1', false));
      await office.sql('select 1');
      expect(notebook.seen).toEqual([]);
    });
    expect(notebook.seen).toEqual(['live 1']);
    await office.inUnit(() => office.platform.get(Events).emit(new Happened('2', true)));
    await office.start();
    await eventually(() =>
      expect([...notebook.seen].sort()).toEqual(['1 true', '2 true', 'alarm 2', 'live 1', 'live 2']),
    );
    await expectRows();
  });

  it('follow from each event of a handler of several', async () => {
    await office.inUnit(() =>
      [new Happened('1', false), new Ended('2')].forEach((event) => office.platform.get(Events).emit(event)),
    );
    await office.worker.drain();
    expect([...notebook.seen].sort()).toEqual(['1 true', '2 false', 'live 1']);
  });

  it('follow together from all events of a unit where the subscriber wants them, also from one that was stored alone', async () => {
    await office.inUnit(() => ['1', '2'].forEach((id) => office.platform.get(Events).emit(new Arrived(id))));
    await office.inUnit(() => office.platform.get(Events).emit(new Arrived('3')));
    await office.sql(`insert into jobs (name, queue, payload) values ('test.count', 'notify', '{"id":"4"}')`);
    await office.start();
    await eventually(() => expect([...notebook.seen].sort()).toEqual(['1 true, 2 true', '3 true', '4 true']));
    await expectRows();
  });

  it('J1 are found by another process when the first one died between commit and start', async () => {
    await office.enqueueSilently(['written, then the process was gone']);
    await office.stop();
    const survivor = await office.another();
    await survivor.start();
    await eventually(() => expect(survivor.notebook.seen).toEqual(['written, then the process was gone']));
  });

  it('log under the id of the request that enqueued them, in any process, and of no other', async () => {
    const asRequest = (requestId: string, run: () => Promise<void>) => runWork({ requestId, span: undefined }, run);
    await asRequest('of the first', () => office.enqueueSilently(['first']));
    await office.enqueueSilently(['of nobody']);
    await asRequest('of the second', () => office.enqueue('waiting', { key: 'k' }));
    await asRequest('of the third', () => office.enqueue('asked for again', { key: 'k' }));
    const other = await office.another();
    await asRequest('of a start', () => other.start());
    await eventually(() => expect(other.notebook.logged).toHaveLength(4));
    await asRequest('of the fourth', () => other.enqueue('at once'));
    await eventually(() => expect(other.notebook.logged).toHaveLength(5));
    const waiting = { text: 'waiting', requestId: 'of the third' };
    expect(other.notebook.logged).toEqual(
      expect.arrayContaining([
        { text: 'first', requestId: 'of the first' },
        { text: 'of nobody' },
        waiting,
        waiting,
        { text: 'at once', requestId: 'of the fourth' },
      ]),
    );
  });

  it('J1 are found by a running process that was not notified', async () => {
    await office.start();
    await expectSeen();
    await office.enqueueSilently(['nobody was told']);
    await eventually(() => expect(notebook.seen).toEqual(['.', 'nobody was told']));
  });

  it('are claimed up to the free slots of their queue, oldest first, however many are due', async () => {
    const texts = Array.from({ length: 300 }, (_, at) => `note ${at}`);
    await office.enqueueSilently(texts);
    await office.enqueueAll(texts, letter);
    const room = [
      { queue: 'maintenance', free: 3 },
      { queue: 'deliver', free: 5 },
      { queue: 'mail', free: 2 },
    ] as const;
    for (let round = 0; round < 3; round += 1) {
      const claimed = await office.repository.claim(room);
      const of = (queue: string) => claimed.filter((each) => each.queue === queue).map(({ payload }) => payload);
      const next = (count: number) => texts.slice(round * count, (round + 1) * count).map((text) => ({ text }));
      expect(of('maintenance')).toEqual(expect.arrayContaining(next(3)));
      expect(of('deliver')).toEqual(expect.arrayContaining(next(5)));
      expect(claimed).toHaveLength(8);
    }
  });

  it('that are done are removed with the next claim unless another worker has claimed them since', async () => {
    await office.enqueueSilently(['done', 'lost', 'next']);
    const claimed = await office.repository.claim([{ queue: 'maintenance', free: 2 }]);
    await office.sql(`update jobs set attempts = attempts + 1 where payload ->> 'text' = 'lost'`);
    const next = await office.repository.claim([{ queue: 'maintenance', free: 5 }], claimed);
    expect(next.map(({ payload }) => payload)).toEqual([{ text: 'next' }]);
    await expectRows(row({ attempts: 2 }), row({ attempts: 1 }));
  });

  it('J2 run again when the lease of a dead worker ends, and not before', async () => {
    await office.enqueueSilently(['twice']);
    const [claimed] = await office.repository.claim([{ queue: 'maintenance', free: 5 }]);
    expect(claimed?.payload).toEqual({ text: 'twice' });
    await office.start();
    await expectSeen();
    await expectRows(row({ attempts: 1 }));
    await office.makeDue();
    await eventually(() => expect(notebook.seen).toEqual(['.', 'twice']));
    await expectRows();
  });

  it('are tried again later on request or after an error, and keep the reason', async () => {
    notebook.answer = () => retry('not yet', HOUR_MS);
    await office.start();
    await office.enqueue('a');
    await expectRows(row({ attempts: 1, last_error: 'not yet' }));
    notebook.answer = () => {
      throw new Error('surprise');
    };
    await office.makeDue();
    await expectRows(row({ attempts: 2, last_error: 'Error: surprise' }));
    notebook.answer = () => undefined;
    await office.makeDue();
    await expectRows();
    expect(notebook.seen).toEqual(['a', 'a', 'a']);
  });

  it('J7 fail for good after ten tries or a final failure, and the queue moves on', async () => {
    notebook.answer = () => retry(`no ${notebook.seen.length}`, HOUR_MS);
    await office.start();
    await office.enqueue('poison');
    for (let tries = 1; tries < 10; tries += 1) {
      await expectRows(row({ attempts: tries, last_error: `no ${tries}` }));
      await office.makeDue();
    }
    const poison = row({ attempts: 10, last_error: 'no 10', failed: true });
    await expectRows(poison);
    notebook.answer = () => fail('hopeless');
    await office.enqueue('final');
    await expectRows(poison, row({ attempts: 1, last_error: 'hopeless', failed: true }));
    notebook.answer = () => undefined;
    notebook.seen.length = 0;
    await expectSeen();
    expect((await office.repository.listFailed(10)).map(({ lastError }) => lastError)).toEqual(['no 10', 'hopeless']);
    expect(await office.repository.retryFailed()).toBe(2);
    await expectRows();
    expect(notebook.seen).toEqual(['.', 'poison', 'final']);
  });

  it('J7 that hang are tried again later, and the queue moves on', async () => {
    notebook.answer = () => new Promise(() => undefined);
    await office.start();
    await office.enqueue('stuck', {}, brief);
    await expectRows(row({ name: 'test.brief', attempts: 1, last_error: 'It took longer than 0.001 s' }));
    notebook.answer = () => undefined;
    await office.enqueue('next');
    await eventually(() => expect(notebook.seen).toEqual(['stuck', 'next']));
    await office.sql('delete from jobs');
  });

  it('of an unknown kind wait for a version that can handle them', async () => {
    await office.sql(
      `insert into jobs (name, queue, payload, run_at) values ('test.alarm', 'maintenance', '{}', now())`,
    );
    const older = await office.another({}, []);
    await older.start();
    await expectRows(row({ name: 'test.alarm', last_error: 'Unknown job' }));
  });

  it('with a key wait once, and run once more when they are enqueued while they run', async () => {
    await office.enqueue('first', { key: 'k' });
    await office.enqueue('second', { key: 'k' });
    expect(await office.rows()).toHaveLength(1);
    notebook.answer = async () => {
      if (notebook.seen.length === 1) await office.enqueue('meanwhile', { key: 'k' });
      return undefined;
    };
    await office.start();
    await expectRows();
    expect(notebook.seen).toEqual(['first', 'first']);
  });

  it('with a key are stored once when one unit enqueues them twice', async () => {
    await office.inUnit(() => {
      office.platform.get(Jobs).enqueue(note, { text: 'first' }, { key: 'k' });
      office.platform.get(Jobs).enqueue(note, { text: 'second' }, { key: 'k' });
    });
    await office.start();
    await expectSeen('first');
  });

  it('with a key can be cancelled while they wait, and enqueued again by the same unit', async () => {
    await office.enqueue('years away', { key: 'k', runAt: new Date('2100-01-01') });
    await office.enqueue('nobody waits for it', { key: 'other', runAt: new Date('2100-01-01') });
    await office.replace('k', 'now');
    await office.inUnit(() => office.platform.get(Jobs).cancel('other'));
    await office.start();
    await expectSeen('now');
    await expectRows();
  });

  it('with a key can be followed by a next one in their place, which runs once', async () => {
    await office.enqueue('first', { key: 'k' });
    notebook.answer = async () => {
      if (notebook.seen.length > 1) return undefined;
      await office.enqueue('meanwhile', { key: 'k' });
      await office.replace('k', 'second');
      return undefined;
    };
    await office.start();
    await expectRows();
    expect(notebook.seen).toEqual(['first', 'second']);
  });

  it('with a key run again at once when they are enqueued while their result is being stored', async () => {
    await office.enqueue('first', { key: 'k' });
    const [claimed] = await office.repository.claim([{ queue: 'maintenance', free: 1 }]);
    const [marked, asking] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const asked = office.platform.get(UnitOfWork).run(async () => {
      await office.sql('update jobs set again = true');
      marked.resolve(undefined);
      await asking.promise;
    });
    await marked.promise;
    const finished = office.repository.finish(claimed!);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(async () => expect(await office.sql(waiting)).not.toEqual([]));
    asking.resolve(undefined);
    await Promise.all([asked, finished]);
    expect(await office.rows()).toEqual([row({ due: true })]);
  });

  it('J7 fail for good when the processes that try them keep dying, unless recurring work enqueues them again', async () => {
    await office.enqueueSilently(['deadly']);
    await office.enqueueSilently(['interrupted'], resumed);
    for (let tries = 1; tries <= 10; tries += 1) {
      await office.repository.claim([{ queue: 'maintenance', free: 2 }]); // the process dies now
      await office.makeDue();
    }
    await office.start();
    await expectRows(row({ attempts: 11, failed: true, last_error: 'No try came to an end: the process died' }));
    expect(notebook.seen).toEqual([]);
  });

  it('can be due in the future', async () => {
    await office.start();
    await office.enqueue('later', { runAt: new Date(Date.now() + HOUR_MS) });
    await expectSeen();
    await office.makeDue();
    await eventually(() => expect(notebook.seen).toEqual(['.', 'later']));
  });

  it('J8 that recur have one row for all processes and get their next date after each run', async () => {
    const other = await office.another();
    await Promise.all([office.start(), other.start()]);
    const daily = () =>
      office.sql(`select attempts, run_at > now() + interval '59 minutes' as next from jobs where name = 'test.daily'`);
    await eventually(async () => expect(await daily()).toEqual([{ attempts: 0, next: true }]));
    expect([...notebook.days, ...other.notebook.days]).toEqual(['daily']);
  });

  it('are finished before the worker stops', async () => {
    await office.start();
    const started = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    notebook.answer = async () => {
      started.resolve(undefined);
      await goOn.promise;
      return undefined;
    };
    await office.enqueue('long');
    await started.promise;
    const stopped = office.worker.stop();
    await office.enqueue('too late');
    goOn.resolve(undefined);
    await stopped;
    expect(notebook.seen).toEqual(['long']);
    expect(await office.rows()).toEqual([row({ due: true })]);
  });

  it('that take too long when the worker stops are handed back without counting the try or storing the outcome', async () => {
    const started = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    notebook.answer = async () => {
      started.resolve(undefined);
      await goOn.promise;
      return fail('would fail for good');
    };
    await office.enqueueSilently(['very long']);
    const [claimed] = await office.repository.claim([{ queue: 'maintenance', free: 1 }]);
    const runner = office.platform.get(JobRunner);
    const run = runner.run(claimed!);
    await started.promise;
    await runner.finish(0);
    expect(await office.rows()).toEqual([row({ due: true })]);
    goOn.resolve(undefined);
    await run;
    expect(await office.rows()).toEqual([row({ due: true })]);
  });

  it('are not changed by a worker that lost its lease', async () => {
    await office.enqueueSilently(['slow']);
    const room = [{ queue: 'maintenance', free: 1 }] as const;
    const [slow] = await office.repository.claim(room);
    await office.makeDue();
    const [quick] = await office.repository.claim(room);
    await office.repository.finish(slow!);
    await office.repository.reschedule(slow!, 0, 'late', 1);
    await office.repository.markFailed(slow!, 'late');
    await office.repository.handBack([slow!]);
    await expectRows(row({ attempts: 2 }));
    await office.repository.finish(quick!);
    await expectRows();
  });

  it('run once each and never twice at the same time, with any number of workers', async () => {
    const workers = [office, await office.another(), await office.another()];
    const running = new Set<string>();
    const overlaps: string[] = [];
    for (const { notebook: own } of workers) {
      own.answer = async () => {
        const text = own.seen.at(-1) ?? '';
        if (running.has(text)) overlaps.push(text);
        running.add(text);
        await office.sql('select pg_sleep(0.005)');
        running.delete(text);
        return undefined;
      };
    }
    const texts = Array.from({ length: 60 }, (_, at) => `letter ${at}`);
    await office.enqueueAll(texts, letter);
    await Promise.all(workers.map((each) => each.start()));
    for (const each of workers) each.worker.committed({ claimed: [], due: [letter] });
    await expectRows();
    expect(workers.flatMap(({ notebook: { seen } }) => seen).sort()).toEqual([...texts].sort());
    expect(overlaps).toEqual([]);
  });
}
