import { Database, Events, fail, Jobs, retry, UnitOfWork } from '../../src/platform/index.js';
import { JobCarrier } from '../../src/platform/jobs/carrier.js';
import { type QueueName, QUEUES } from '../../src/platform/jobs/job.js';
import { JobRunner } from '../../src/platform/jobs/job-runner.js';
import { runReading } from '../../src/platform/tracing/work.js';
import { Scratch } from '../process/scratch.js';
import { eventually } from '../support/eventually.js';
import { countQueries } from '../support/queries.js';
import { jobCases } from './cases.js';
import { killedWorkerCase } from './killed-worker.js';
import { appointment, Happened, letter, note, Notebook, patient } from './notebook.js';
import { Office } from './office.js';

describe('jobs without Redis', () => {
  afterEach(() => void jest.restoreAllMocks());
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  jobCases(() => ({}));
  killedWorkerCase(scratch, () => ({}));

  it('can all be run without a worker', async () => {
    const office = await Office.open();
    await office.enqueueAll(['a', 'b', 'c']);
    expect(await office.worker.drain()).toBe(3);
    expect(office.notebook.seen).toEqual(['a', 'b', 'c']);
    await office.close();
  });

  it('that recur run when a clock that was ahead has put them far away, and no sooner otherwise', async () => {
    await using office = await Office.open();
    const startWith = async (wait: string) => {
      await office.sql(`update jobs set run_at = now() + interval '${wait}' where key like 'recurring:%'`);
      await office.worker.enqueueRecurring();
      await office.worker.drain();
      return office.notebook.days.length;
    };
    expect([await startWith('0'), await startWith('40 days'), await startWith('59 minutes')]).toEqual([1, 2, 2]);
  });

  it('that were delayed by a clock that was ahead run, but for those that a person set for a time, and none sooner otherwise', async () => {
    await using office = await Office.open();
    const { notebook, worker } = office;
    notebook.answer = () => retry('not yet');
    await office.enqueueSilently(['tried', 'tried lately']);
    await office.enqueueSilently(['tried appointment'], appointment);
    await worker.drain();
    await office.enqueueSilently(['delayed', 'delayed lately', 'delayed long'], note);
    await office.enqueueSilently(['patient', 'impatient'], patient);
    await office.enqueueSilently(['appointment'], appointment);
    await office.sql(`update jobs set run_at = now() + case when payload ->> 'text' like '% lately' then interval '74 minutes'
      when payload ->> 'text' = 'patient' then interval '12 hours' else interval '13 hours' end`);
    notebook.seen.length = 0;
    await worker.enqueueRecurring();
    await worker.drain();
    expect(notebook.seen.toSorted()).toEqual(['delayed', 'delayed long', 'impatient', 'tried', 'tried appointment']);
  });

  it('do not read for the request that has woken them (ADR 25)', async () => {
    await using office = await Office.open();
    const { notebook, worker } = office;
    const reading = { start: 0, leads: 0 };
    const inRequest = (run: () => Promise<unknown>) =>
      new Promise((resolve) => runReading(reading, () => resolve(run())));
    await office.enqueueSilently(['drained']);
    await inRequest(() => worker.drain());
    await inRequest(() => office.start());
    await inRequest(() => office.enqueue('at once'));
    await eventually(() => expect(notebook.seen).toEqual(['drained', 'at once']));
    expect(notebook.readings.map((own) => own === reading)).toEqual([false, false]);
  });

  it('count as done when the current claim has ended, even if an earlier claim of the same process ends before', async () => {
    const office = await Office.open();
    const runner = office.platform.get(JobRunner);
    const turns = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    office.notebook.answer = () => turns[office.notebook.seen.length - 1]!.promise;
    await office.enqueueSilently(['slow']);
    const runs: Promise<void>[] = [];
    for (let turn = 0; turn < turns.length; turn += 1) {
      await office.makeDue();
      const [claimed] = await office.repository.claim([{ queue: note.queue, free: 1 }]);
      runs.push(runner.run(claimed!));
    }
    for (const [at, run] of runs.entries()) {
      turns[at]!.resolve(undefined);
      await run;
    }
    expect(await office.rows()).toEqual([]);
    await office.close();
  });

  it('can end with their unit of work, which fails when another worker has the job by then', async () => {
    await using office = await Office.open();
    const { notebook, platform, repository } = office;
    const jobs = platform.get(Jobs);
    notebook.answer = () =>
      platform.get(UnitOfWork).run(async () => {
        await jobs.endRunning();
        jobs.enqueue(letter, { text: 'once' });
        return undefined;
      });
    for (const attempts of [1, 2]) {
      await office.enqueueSilently(['announce']);
      const [job] = await repository.claim([{ queue: note.queue, free: 1 }]);
      await office.sql(`update jobs set attempts = ${attempts} where name = 'test.note'`); // claimed again or not
      await platform.get(JobRunner).run(job!, () => Promise.resolve()); // the process dies before it removes the job
    }
    expect((await office.rows()).map(({ name, attempts }) => [name, attempts])).toEqual([
      ['test.letter', 0],
      ['test.note', 2],
    ]);
  });

  it('have one handler, also when it is provided under a second name', async () => {
    await using office = await Office.open();
    const twice = await office.another({}, [Notebook, { provide: 'alias', useExisting: Notebook }]);
    await twice.inUnit(() => twice.platform.get(Events).emit(new Happened('1', false)));
    expect(twice.notebook.seen).toEqual(['live 1']);
    await expect(
      office.another({}, [Notebook, { provide: 'heir', useClass: class extends Notebook {} }]),
    ).rejects.toThrow('Two handlers for the job "test.note"');
  });

  it('are offered to others once where new ones fill a process, and not while it goes on with the rest', async () => {
    await using office = await Office.open();
    const carrier = office.platform.get(JobCarrier);
    const offered: QueueName[] = [];
    let onWake: ((queues: readonly QueueName[]) => void) | undefined;
    jest.spyOn(carrier, 'notify').mockImplementation((queues) => void offered.push(...queues));
    jest.spyOn(carrier, 'receive').mockImplementation((wake) => void (onWake = wake));
    const poll = jest.spyOn(globalThis, 'setInterval').mockImplementation(() => setTimeout(() => undefined, 0));
    await office.start();
    poll.mockRestore();
    let [now, gate] = [performance.now(), Promise.withResolvers<undefined>()];
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000)); // it offers seldom
    office.notebook.answer = () => gate.promise;
    const { concurrency } = QUEUES[letter.queue];
    const row = { name: letter.name, queue: letter.queue, key: null, runAt: null };
    await office.repository.insert(
      Array.from({ length: 3 * concurrency }, (_, at) => ({ ...row, payload: { text: `letter ${at}` } })),
    );
    onWake!([letter.queue]);
    for (let full = 1; full <= 3; full += 1) {
      await eventually(() => expect(office.notebook.seen).toHaveLength(full * concurrency));
      const { resolve } = gate;
      gate = Promise.withResolvers();
      resolve(undefined);
    }
    await eventually(async () => expect(await office.rows()).toEqual([]));
    clock.mockRestore();
    expect(offered).toEqual([letter.queue]);
  });

  it('for a set time do not wait for one that takes long', async () => {
    await using office = await Office.open();
    const long = Promise.withResolvers<undefined>();
    office.notebook.answer = () => (office.notebook.seen.length === 1 ? long.promise : undefined);
    await office.start();
    await office.enqueueAll(['long', 'next'], appointment);
    await eventually(() => expect(office.notebook.seen).toEqual(['long', 'next']));
    long.resolve(undefined);
  });

  it('of a kind that this version does not know never fail, and run where a later version finds them', async () => {
    await using office = await Office.open();
    const older = await office.another({}, []);
    await office.enqueueSilently(['new']);
    for (let tries = 0; tries <= QUEUES[note.queue].tries; tries += 1) {
      await office.makeDue();
      expect(await older.worker.drain()).toBe(1);
    }
    expect(await office.rows()).toMatchObject([{ attempts: 0, failed: false, due: false, last_error: 'Unknown job' }]);
    await office.makeDue();
    await office.worker.drain();
    expect(office.notebook.seen).toEqual(['new']);
    expect(await office.rows()).toEqual([]);
  });

  it('take no slot of their queue when they are not committed', async () => {
    const office = await Office.open();
    await office.start();
    const { concurrency } = QUEUES[note.queue];
    for (let attempt = 0; attempt < concurrency; attempt += 1)
      await expect(office.enqueueInVain('lost')).rejects.toThrow();
    // While the worker looks for due jobs, once a second, it has no room for others.
    await eventually(() => {
      const reserved = Array.from({ length: concurrency + 1 }, () => office.worker.reserve(note.queue));
      office.worker.release(reserved.filter(Boolean).map(() => note.queue));
      expect(reserved).toEqual([...Array<boolean>(concurrency).fill(true), false]);
    });
    await office.close();
  });

  it('with a key run once more, with all their tries, when they are enqueued during a last try that fails', async () => {
    await using office = await Office.open();
    const { notebook } = office;
    notebook.answer = async () => {
      if (notebook.seen.length === 1) await office.enqueue('meanwhile', { key: 'k' });
      return fail('hopeless');
    };
    await office.enqueue('first', { key: 'k' });
    await office.worker.drain();
    expect(notebook.seen).toEqual(['first', 'first']);
    expect(await office.rows()).toEqual([expect.objectContaining({ attempts: 1, failed: true })]);
  });

  it('with a key that replace the one that waits or runs have their payload read, and are not replaced by others', async () => {
    await using office = await Office.open();
    const { notebook } = office;
    const enqueue = (text: string, replaces: boolean) => office.enqueue(text, { key: 'k', replaces });
    notebook.answer = async () => {
      if (notebook.seen.length > 1) return undefined;
      await enqueue('newest', true);
      await enqueue('dropped', false);
      return undefined;
    };
    await enqueue('first', false);
    await office.inUnit(() => {
      const jobs = office.platform.get(Jobs);
      for (const text of ['replaced at once', 'second'])
        jobs.enqueue(note, { text }, { key: 'k', replaces: text === 'second' });
    });
    await office.worker.drain();
    expect(notebook.seen).toEqual(['second', 'newest']);
  });

  it('with keys that end together are removed, but for those that were enqueued meanwhile', async () => {
    await using office = await Office.open();
    await office.enqueue('done', { key: 'a' });
    await office.enqueue('enqueued meanwhile', { key: 'b' });
    const claimed = await office.repository.claim([{ queue: note.queue, free: 2 }]);
    await office.enqueue('once more', { key: 'b' });
    await Promise.all(claimed.map((job) => office.repository.finish(job)));
    expect(await office.sql('select key, attempts, again from jobs')).toEqual([
      { key: 'b', attempts: 0, again: false },
    ]);
  });

  it('with keys end together, and do not wait for one that is being enqueued', async () => {
    await using office = await Office.open();
    for (const key of ['a', 'b', 'c']) await office.enqueue(key, { key });
    const [first, ...others] = await office.repository.claim([{ queue: note.queue, free: 3 }]);
    const { pool } = office.platform.get(Database);
    const enqueuing = await pool.connect();
    await enqueuing.query('begin');
    await enqueuing.query('select from jobs where id = $1 for update', [first!.id]);
    const held = office.repository.finish(first!);
    const { statements } = await countQueries(() => Promise.all(others.map((job) => office.repository.finish(job))));
    expect(await office.sql('select id from jobs')).toEqual([{ id: first!.id }]);
    expect(statements.filter((name) => name === 'jobs.finish')).toHaveLength(1);
    await enqueuing.query('rollback');
    enqueuing.release();
    await held;
    expect(await office.sql('select id from jobs')).toEqual([]);
  });

  it('are claimed up to the free slots, even when the statistics show an almost empty table', async () => {
    const office = await Office.open();
    await office.enqueueSilently(['first']);
    await office.sql('vacuum analyze jobs');
    await office.enqueueSilently(Array.from({ length: 50 }, (_, at) => `letter ${at}`));
    const room = [
      { queue: note.queue, free: 2 },
      { queue: 'mail' as const, free: 3 },
    ];
    expect(await office.repository.claim(room)).toHaveLength(2);
    await office.close();
  });
});
