import { expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ConcurrentIndex } from '../../src/migrations/concurrent-index.js';
import { ForwardOnly } from '../../src/migrations/forward-only.js';
import { dataSourceOptions } from '../../src/platform/index.js';
import { makeDatabase } from '../support/servers/database.js';

class Slow1700000000000 extends ForwardOnly {
  readonly name = 'Slow1700000000000';
  protected readonly statements = `create table noted as select current_setting('statement_timeout') as timeout`;
}

class Notes1700000000001 extends ForwardOnly {
  readonly name = 'Notes1700000000001';
  protected readonly statements = 'create table notes (id int); create index notes_id on notes (id)';
}

class Indexed1700000000002 extends ConcurrentIndex {
  readonly name = 'Indexed1700000000002';
  protected readonly index = 'notes_id';
  protected readonly definition = 'on notes (id desc)';
}

it('an index can be built during writes to its table, over the rest of a failed attempt', async () => {
  const database = await makeDatabase('template1');
  const source = (migrations: (new () => ForwardOnly | ConcurrentIndex)[]) =>
    new DataSource(dataSourceOptions(database.address, { entities: [], migrations })).initialize();
  const before = await source([Notes1700000000001]);
  const writer = before.createQueryRunner();
  const building = await source([Notes1700000000001, Indexed1700000000002]);
  try {
    await before.runMigrations();
    await writer.startTransaction();
    await writer.query('insert into notes values (1)');
    const built = building.runMigrations();
    // It waits for transactions that began before it, while others go on writing.
    await waitersOf(before, 1);
    await before.query('insert into notes values (2)');
    await writer.commitTransaction();
    expect((await built).map(({ name }) => name)).toEqual(['Indexed1700000000002']);
    const [index] = await before.query<{ indexdef: string; valid: boolean }[]>(
      `select pg_get_indexdef(indexrelid) as indexdef, indisvalid as valid from pg_index where indexrelid = 'notes_id'::regclass`,
    );
    expect(index).toEqual({ indexdef: 'CREATE INDEX notes_id ON public.notes USING btree (id DESC)', valid: true });
    expect(await building.query('show statement_timeout')).toEqual([{ statement_timeout: '15s' }]);
  } finally {
    await writer.release();
    await before.destroy();
    await building.destroy();
    await database.drop();
  }
});

it('migrations have no time limit, and no way back', async () => {
  const database = await makeDatabase('template1');
  const source = new DataSource(dataSourceOptions(database.address, { entities: [], migrations: [Slow1700000000000] }));
  await source.initialize();
  try {
    await source.runMigrations();
    expect(await source.query('select * from noted')).toEqual([{ timeout: '0' }]);
    expect(await source.query('show statement_timeout')).toEqual([{ statement_timeout: '15s' }]);
    await expect(source.undoLastMigration()).rejects.toThrow('cannot be undone');
  } finally {
    await source.destroy();
    await database.drop();
  }
});

/** Resolves when this many others wait for a lock. */
async function waitersOf(source: DataSource, count: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (let waiting = 0; waiting < count;) {
    if (Date.now() > deadline) expect({ waiting }).toEqual({ waiting: count });
    const [row] = await source.query<{ waiting: number }[]>(
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    waiting = row!.waiting;
  }
}
