import { QUEUES } from '../../src/platform/jobs/job.js';
import { Scratch } from '../process/scratch.js';
import { eventually } from '../support/eventually.js';
import { describeWithRedis, noRedis, RedisServer } from '../support/servers/redis.js';
import { jobCases } from './cases.js';
import { killedWorkerCase, startWorker } from './killed-worker.js';
import { letter } from './notebook.js';
import { Office } from './office.js';

describeWithRedis('jobs over Redis', () => {
  const scratch = new Scratch();
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await RedisServer.start(scratch);
  });
  beforeEach(() => redis.command('FLUSHALL'));
  afterAll(() => scratch.remove());

  jobCases(() => ({ REDIS_URL: redis.url }));
  killedWorkerCase(scratch, () => ({ REDIS_URL: redis.url }));
});

describeWithRedis('J3 a Redis that', () => {
  const scratch = new Scratch();
  let redis: RedisServer;
  let web: Office;
  let worker: Office;

  beforeEach(async () => {
    redis = await RedisServer.start(scratch);
    await open(redis.url);
  });
  afterEach(async () => {
    await redis.resume();
    await web.close();
    await redis.kill();
  });
  afterAll(() => scratch.remove());

  async function open(url: string): Promise<void> {
    web = await Office.open({ REDIS_URL: url, ROLE: 'web' });
    worker = await web.another({ ROLE: 'worker' });
    await web.start();
    await worker.start();
  }

  const texts = (count: number) => Array.from({ length: count }, (_, at) => `letter ${at}`);
  /** The number of wake-ups that Bull has received since this Redis started. */
  const carried = async () => Number(await redis.command('GET', 'svc:bull:wake-ups:id'));
  const expectSeen = (all: readonly string[]) =>
    eventually(() => expect([...worker.notebook.seen].sort()).toEqual([...all].sort()));

  async function expectAllDone(all: readonly string[]): Promise<void> {
    await eventually(async () => expect(await web.rows()).toEqual([]));
    await expectSeen(all);
    expect(web.notebook.seen).toEqual([]);
  }

  it('works wakes a worker for the jobs of web processes, once for all of a unit', async () => {
    const before = await carried();
    await web.enqueueAll(texts(5), letter);
    await expectAllDone(texts(5));
    expect(await carried()).toBe(before + 1);
  });

  it('works wakes a worker that does not look for jobs by the clock', async () => {
    await worker.stop();
    const clock = jest.spyOn(globalThis, 'setInterval').mockImplementation(() => setTimeout(() => undefined, 0));
    worker = await web.another({ ROLE: 'worker' });
    await worker.start();
    clock.mockRestore();
    for (const text of texts(3)) {
      await web.enqueue(text, {}, letter);
      await eventually(() => expect(worker.notebook.seen).toContain(text));
    }
  });

  it('works spreads jobs over all workers', async () => {
    const second = await web.another({ ROLE: 'worker' });
    await second.start();
    const workers = [worker, second];
    const gate = Promise.withResolvers<undefined>();
    for (const { notebook } of workers) notebook.answer = () => gate.promise;
    const { concurrency } = QUEUES[letter.queue];
    const all = texts(2 * concurrency + 20);

    await web.enqueueAll(all, letter);
    await eventually(() =>
      expect(workers.map(({ notebook }) => notebook.seen.length)).toEqual([concurrency, concurrency]),
    );
    gate.resolve(undefined);
    await eventually(async () => expect(await web.rows()).toEqual([]));
    expect(workers.flatMap(({ notebook }) => notebook.seen).sort()).toEqual(all.sort());
  });

  it('works is not asked for jobs that the worker which writes them can run', async () => {
    const before = await carried();
    await worker.enqueueAll(texts(5), letter);
    await expectAllDone(texts(5));
    expect(await carried()).toBe(before);
  });

  it('works keeps one wake-up of a kind, however many are sent while no worker takes them', async () => {
    await redis.command('SET', 'svc:bull:wake-ups:meta-paused', '1');
    for (const text of texts(20)) await web.enqueue(text, {}, letter);
    await expectAllDone(texts(20));
    await eventually(async () => expect(await carried()).toBeGreaterThan(1));
    expect(await redis.command('LLEN', 'svc:bull:wake-ups:paused')).toBe(1);
  });

  it('brings the same wake-ups repeatedly causes no second run', async () => {
    const busy = new Set<string>();
    const overlaps: string[] = [];
    worker.notebook.answer = async () => {
      const text = worker.notebook.seen.at(-1) ?? '';
      if (busy.has(text)) overlaps.push(text);
      busy.add(text);
      for (const office of [web, worker]) office.worker.committed({ claimed: [], due: [letter] });
      await web.rows(); // time for a second run
      busy.delete(text);
      return undefined;
    };
    await web.enqueueAll(texts(50), letter);
    await expectAllDone(texts(50));
    expect(overlaps).toEqual([]);
  });

  /** Gives the worker jobs that start and then wait; returns the function that releases them. */
  async function stopInTheMiddle(all: readonly string[], count: number): Promise<() => void> {
    const gate = Promise.withResolvers<undefined>();
    worker.notebook.answer = () => (worker.notebook.seen.length > count ? gate.promise : undefined);
    await web.enqueueAll(all, letter);
    await eventually(() => expect(worker.notebook.seen.length).toBeGreaterThan(count));
    return () => gate.resolve(undefined);
  }

  it('is flushed in the middle of 500 jobs loses no job', async () => {
    const goOn = await stopInTheMiddle(texts(500), 100);
    await redis.command('FLUSHALL');
    expect((await web.rows()).length).toBeGreaterThan(300);
    goOn();
    await expectAllDone(texts(500));
  });

  it('is killed in the middle of jobs and comes back loses no job', async () => {
    const goOn = await stopInTheMiddle(texts(200), 50);
    await redis.kill();
    goOn();
    await web.enqueue('while it was away', {}, letter);
    await expectAllDone([...texts(200), 'while it was away']);
    await redis.startAgain();
    await eventually(async () => {
      await web.enqueue('carried again', {}, letter);
      expect(await carried()).toBeGreaterThan(0);
    });
    await eventually(() => expect(worker.notebook.seen).toContain('carried again'));
  });

  it('is away at the start delays neither the start nor the jobs', async () => {
    await web.close();
    await open(await noRedis());
    await web.enqueueAll(texts(20), letter);
    await expectAllDone(texts(20));
  });

  it('has no memory left refuses jobs, and the worker takes them from the database', async () => {
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    await web.enqueueAll(texts(20), letter);
    await expectAllDone(texts(20));
    const before = await carried();
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    await web.enqueue('carried again', {}, letter);
    await expectAllDone([...texts(20), 'carried again']);
    expect(await carried()).toBeGreaterThan(before);
  });

  it('hangs delays jobs, and the worker takes them from the database', async () => {
    await redis.pause();
    await web.enqueueAll(texts(20), letter);
    await expectAllDone(texts(20));
  });

  it('hangs holds back no worker that stops: it ends as always', async () => {
    await worker.stop();
    const program = await startWorker(scratch, web, { REDIS_URL: redis.url, ROLE: 'worker' });
    const names = async () => String(await redis.command('CLIENT', 'LIST'));
    await eventually(async () => expect(await names()).toMatch(/cmd=brpoplpush/)); // Bull's first commands are answered
    await redis.pause();
    expect(await program.stop()).toBe(0);
  });
});
