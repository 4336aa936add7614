import { Logger } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { type Collector, Database, sql, UnitOfWork } from '../../src/platform/index.js';
import { type Platform, startPlatform } from '../support/servers/platform.js';

const insert = sql('test.insert', 'insert into notes (id, text) values ($1, $2)');
const all = sql<{ id: number; text: string }>('test.all', 'select id, text from notes order by id');

/** Records each packet that the connection sends from now on. */
function watchPackets({ connection: { stream } }: PoolClient, packets: string[]): void {
  const write = stream._write.bind(stream);
  const writeAll = stream._writev!.bind(stream);
  stream._write = (chunk: Buffer, ...rest) => {
    packets.push(chunk.toString('latin1'));
    write(chunk, ...rest);
  };
  stream._writev = (chunks, done) => {
    packets.push(chunks.map(({ chunk }: { chunk: Buffer }) => chunk.toString('latin1')).join(''));
    writeAll(chunks, done);
  };
}

describe('the unit of work', () => {
  let platform: Platform;
  let uow: UnitOfWork;
  let db: Database;

  beforeAll(async () => {
    platform = await startPlatform();
    uow = platform.get(UnitOfWork);
    db = platform.get(Database);
    await db.query('create table notes (id integer primary key, text text)');
  });
  afterAll(() => platform.close());
  beforeEach(() => db.query('delete from notes'));

  const stored = async () => (await db.rows(all)).map((row) => row.id);

  it('commits all statements or none', async () => {
    await uow.run(() => Promise.all([db.run(insert, [1, 'a']), db.run(insert, [2, 'b'])]));
    await expect(
      uow.run(async () => {
        await db.run(insert, [3, 'c']);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await stored()).toEqual([1, 2]);
  });

  it('includes nested units, and is invisible to others before the commit', async () => {
    await uow.run(async () => {
      await uow.run(() => db.run(insert, [1, 'nested']));
      expect(await stored()).toEqual([1]);
      expect(await uow.outside(stored)).toEqual([]);
    });
    expect(await stored()).toEqual([1]);
  });

  it('sends independent statements together, and the commit together with the statements of collectors', async () => {
    const packets: string[] = [];
    const work = uow.run(async () => {
      watchPackets(uow.client!, packets);
      uow.collector({}, () => ({ order: 1, flush: () => db.run(insert, [4, 'collected']) }));
      await Promise.all([1, 2, 3].map((id) => db.run(insert, [id, 'at once'])));
    });
    await work;
    expect(packets).toHaveLength(2);
    expect(packets.map((packet) => packet.split('at once').length - 1)).toEqual([3, 0]);
    expect(packets[1]).toMatch(/collected.*commit/s);
    expect(await stored()).toEqual([1, 2, 3, 4]);
  });

  it('refuses to commit when a failed statement was swallowed', async () => {
    const work = uow.run(async () => {
      await db.run(insert, [1, 'a']);
      await db.query('select nonsense').catch(() => undefined);
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await stored()).toEqual([]);
  });

  it('fails with the first error of several parallel statements', async () => {
    await db.run(insert, [1, 'a']);
    const work = uow.run(() => {
      const [first, second] = [db.run(insert, [1, 'a']), db.run(insert, [2, 'b'])];
      const heardLater = first.catch(async (error: unknown) => {
        await second.catch(() => undefined);
        throw error;
      });
      return Promise.all([heardLater, second]);
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
  });

  it('detects a failed statement of the entity manager', async () => {
    const work = uow.run(async () => {
      await db.run(insert, [1, 'a']);
      await uow.manager.query('select nonsense').catch(() => undefined);
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await stored()).toEqual([]);
  });

  it('shares the statement of a batch among its own callers, and with no other unit', async () => {
    const runs: string[][] = [];
    const batches = db.batches<string, number>(async (texts) => {
      runs.push([...texts]);
      for (const [at, text] of texts.entries()) await db.run(insert, [10 * runs.length + at, text]);
      return texts.map((text) => text.length);
    });
    const kept = uow.run(() => Promise.all([batches.add('a'), batches.add('bb')]));
    const undone = uow.run(async () => {
      await batches.add('c');
      throw new Error('undone');
    });
    const alone = batches.add('ddd');
    expect(await Promise.allSettled([kept, undone, alone])).toMatchObject([
      { value: [1, 2] },
      { reason: { message: 'undone' } },
      { value: 3 },
    ]);
    expect(runs.sort()).toEqual([['a', 'bb'], ['c'], ['ddd']]);
    const texts = (await db.rows(all)).map(({ text }) => text);
    expect(texts.sort()).toEqual(['a', 'bb', 'ddd']);
  });

  it('refuses a statement after it has ended', async () => {
    let late: Promise<unknown> = Promise.resolve();
    let release: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (release = resolve));
    await uow.run(async () => {
      late = ended.then(() => db.run(insert, [9, 'late']));
      await db.run(insert, [1, 'a']);
    });
    release();
    await expect(late).rejects.toThrow('after its unit of work ended');
    expect(await stored()).toEqual([1]);
  });

  it('writes collectors in their order at the end, and calls listeners only after a commit', async () => {
    const seen: string[] = [];
    const collector = (order: number, id: number): Collector => ({
      order,
      flush: () => {
        seen.push(`flush ${order}`);
        return db.run(insert, [id, 'collected']);
      },
    });
    await uow.run(async () => {
      uow.afterCommit(() => seen.push('committed'));
      uow.collector({}, () => collector(2, 2));
      uow.collector({}, () => collector(1, 1));
      await db.run(insert, [3, 'first']);
    });
    expect(seen).toEqual(['flush 1', 'flush 2', 'committed']);
    expect(await stored()).toEqual([1, 2, 3]);

    const failing = uow.run(async () => {
      uow.afterCommit(() => seen.push('never'));
      await db.run(insert, [3, 'again']);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(seen).not.toContain('never');
  });

  it('succeeds after its commit even when listeners fail', async () => {
    const seen: string[] = [];
    const logged: unknown[] = [];
    const record = (entry: unknown) => logged.push(entry);
    Logger.overrideLogger({ log: record, warn: record, error: record });
    const answered = uow.run(async () => {
      uow.afterCommit(() => {
        throw new Error('at once');
      });
      uow.afterCommit(() => Promise.reject(new Error('later')));
      uow.afterCommit(() => seen.push('committed'));
      await db.run(insert, [1, 'a']);
      return 'answer';
    });
    expect(await answered).toBe('answer');
    Logger.overrideLogger(['error']);
    expect(seen).toEqual(['committed']);
    expect(logged).toEqual([{ err: new Error('at once') }, { err: new Error('later') }]);
    expect(await stored()).toEqual([1]);
  });

  it('rolls back when a collector fails', async () => {
    const work = uow.run(async () => {
      await db.run(insert, [1, 'a']);
      uow.collector({}, () => ({ order: 1, flush: () => db.query('select nonsense') }));
    });
    await expect(work).rejects.toMatchObject({ code: '42703' });
    expect(await stored()).toEqual([]);
  });

  it('D2 is repeated after a deadlock until it succeeds', async () => {
    let tries = 0;
    await uow.run(async () => {
      tries += 1;
      await db.run(insert, [tries, 'try']);
      if (tries < 3) await db.query(`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`);
    });
    expect(tries).toBe(3);
    expect(await stored()).toEqual([3]);

    const hopeless = uow.run(() => db.query(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`));
    await expect(hopeless).rejects.toMatchObject({ code: '40001' });
  });

  it('returns times as API strings and 64-bit numbers as text', async () => {
    const [row] = await db.query(
      `select timestamptz '2024-05-01 10:20:30.1+00' as t, timestamptz '2024-05-01 12:20:30+02' as u,
              9007199254740993::bigint as n, date '2024-05-01' as d`,
    );
    expect(row).toEqual({
      t: '2024-05-01T10:20:30.100Z',
      u: '2024-05-01T10:20:30.000Z',
      n: '9007199254740993',
      d: '2024-05-01',
    });
  });
});
