import { Injectable } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Bus,
  Database,
  Handles,
  job,
  JobRepository,
  Jobs,
  Limiter,
  retry,
  type Outcome,
  UnitOfWork,
  Worker,
} from '../../src/platform/index.js';
import { type Platform, startPlatform } from '../support/platform.js';
import { hasRedis, RedisServer, until } from '../support/redis.js';

const note = job<{ text: string }>('test.note', 'deliver');
const MANY = 200;

@Injectable()
class Notebook {
  readonly seen: string[] = [];
  readonly open = new Set<string>();
  overlaps = 0;
  answer: (text: string) => Outcome | undefined | Promise<Outcome | undefined> = () => undefined;

  @Handles(note)
  async note({ text }: { text: string }): Promise<Outcome | undefined> {
    if (this.open.has(text)) this.overlaps += 1;
    this.open.add(text);
    const outcome = await this.answer(text);
    this.open.delete(text);
    this.seen.push(text);
    return outcome;
  }
}

(hasRedis ? describe : describe.skip)('several processes with Redis', () => {
  const redis = new RedisServer();
  let web: Platform;
  let worker: Platform;

  beforeAll(() => redis.start());
  afterAll(() => redis.remove());
  beforeEach(async () => {
    await redis.flush();
    web = await startPlatform([Notebook], { REDIS_URL: redis.url });
    worker = await web.another([Notebook]);
  });
  afterEach(async () => {
    await worker.get(Worker).stop();
    await web.close();
  });

  const notebook = () => worker.get(Notebook);
  const enqueue = (texts: readonly string[]) =>
    web.get(UnitOfWork).run(() => {
      for (const text of texts) web.get(Jobs).enqueue(note, { text });
      return Promise.resolve();
    });
  const texts = (count: number) => Array.from({ length: count }, (_, at) => `job ${at}`);
  const rows = async () => (await web.get(Database).query('select from jobs where name = $1', [note.name])).length;
  const allDone = () => until('the jobs to be done', async () => (await rows()) === 0);

  it('runs in a worker what another process committed', async () => {
    await worker.get(Worker).start();
    await enqueue(texts(MANY));
    await allDone();
    expect([...notebook().seen].sort()).toEqual(texts(MANY).sort());
    expect(web.get(Notebook).seen).toEqual([]);
  });

  it('J1 finds what was committed by a process that died before it handed it on', async () => {
    await web
      .get(UnitOfWork)
      .run(() =>
        web
          .get(JobRepository)
          .insert([{ name: note.name, queue: note.queue, payload: { text: 'left behind' }, key: null, runAt: null }]),
      );
    await worker.get(Worker).start();
    await allDone();
    expect(notebook().seen).toEqual(['left behind']);
  });

  it('J2 runs again what a dead worker held, when its lease is over', async () => {
    await enqueue(['held']);
    const [claimed] = await web.get(JobRepository).claim([{ queue: note.queue, free: 1 }]);
    expect(claimed?.payload).toEqual({ text: 'held' });
    await worker.get(Worker).start();
    await enqueue(['free']);
    await until('the free one', () => notebook().seen.includes('free'));
    expect(notebook().seen).not.toContain('held');
    await web.get(Database).query('update jobs set run_at = now()'); // the lease ran out
    await allDone();
    expect(notebook().seen).toEqual(['free', 'held']);
  });

  it('tries again what asked for it', async () => {
    let tries = 0;
    notebook().answer = () => ((tries += 1) < 3 ? retry('not yet', 0) : undefined);
    await worker.get(Worker).start();
    await enqueue(['stubborn']);
    await allDone();
    expect(notebook().seen).toEqual(['stubborn', 'stubborn', 'stubborn']);
  });

  it('J3 loses nothing when Redis forgets everything in the middle, and runs nothing twice at once', async () => {
    let flushed = false;
    notebook().answer = async () => {
      if (!flushed && notebook().seen.length > MANY / 4) {
        flushed = true;
        await redis.flush();
      }
      return undefined;
    };
    await worker.get(Worker).start();
    await enqueue(texts(MANY));
    await allDone();
    expect(flushed).toBe(true);
    expect(new Set(notebook().seen).size).toBe(MANY);
    expect(notebook().overlaps).toBe(0);
  });

  it('J3 loses nothing while Redis is down: the work waits in the database', async () => {
    await worker.get(Worker).start();
    await redis.kill();
    await enqueue(texts(20));
    expect(await rows()).toBe(20);
    await redis.start();
    await allDone();
    expect([...notebook().seen].sort()).toEqual(texts(20).sort());
  });

  it('runs once what is handed over twice', async () => {
    const second = await web.another([Notebook]);
    await worker.get(Worker).start();
    await second.get(Worker).start();
    await enqueue(texts(MANY));
    worker.get(Worker).poke();
    second.get(Worker).poke();
    await allDone();
    await second.get(Worker).stop();
    const seen = [...notebook().seen, ...second.get(Notebook).seen];
    expect(seen.sort()).toEqual(texts(MANY).sort());
  });

  it('carries each message to every process once', async () => {
    const heard: string[] = [];
    web.get(Bus).subscribe('news', (message) => void heard.push(`web ${String(message)}`));
    worker.get(Bus).subscribe('news', (message) => void heard.push(`worker ${String(message)}`));
    web.get(Bus).publish('news', 'first');
    worker.get(Bus).publish('news', 'second');
    web.get(Bus).publish('news', 'last');
    await until('the last one', () => heard.includes('worker last') && heard.includes('web second'));
    expect(heard.sort()).toEqual(
      ['first', 'second', 'last'].flatMap((text) => [`web ${text}`, `worker ${text}`]).sort(),
    );
  });

  it('counts together, and alone while Redis is away', async () => {
    const bucket = { name: 'test', points: 3, windowMs: 60_000 };
    const consume = async (platform: Platform) => (await platform.get(Limiter).consume(bucket, 'alice')).allowed;
    expect([await consume(web), await consume(worker), await consume(web), await consume(worker)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    await redis.kill();
    expect(await consume(web)).toBe(true);
    await redis.start();
  });
});
