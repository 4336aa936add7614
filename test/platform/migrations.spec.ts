import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrate } from '../../src/migrate.js';
import { ForwardOnly } from '../../src/migrations/forward-only.js';
import { migrations } from '../../src/migrations/index.js';
import { dataSourceOptions } from '../../src/platform/index.js';
import { eventually } from '../support/eventually.js';
import { waitersOf } from '../support/locks.js';
import { makeDatabase } from '../support/servers/database.js';

class Slow1700000000000 extends ForwardOnly {
  readonly name = 'Slow1700000000000';
  protected readonly statements = `create table noted as select current_setting('statement_timeout') as timeout`;
}

it('migrations have no time limit and cannot be undone', async () => {
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

it('D9 a migration whose table is in use lets others use it too, and is done when it is free', async () => {
  const database = await makeDatabase();
  const holder = new pg.Client(database.address);
  const reader = new pg.Client({ ...database.address, statement_timeout: 15_000 });
  await Promise.all([holder.connect(), reader.connect()]);
  const lines: string[] = [];
  try {
    await holder.query(`delete from migrations where name = 'UnreadMessages1764000300000'`); // it can run again
    await holder.query('begin; lock table chat_entries in access share mode');
    const ran = migrate(database.address, { log: (line) => lines.push(line) });
    await waitersOf(holder, 1);
    await reader.query('select from chat_entries limit 1');
    await eventually(() =>
      expect(lines).toContainEqual(expect.stringMatching(/UnreadMessages\d+ waits for client backend/)),
    );
    await holder.query('commit');
    expect(await ran).toEqual(['UnreadMessages1764000300000']);
    expect(lines[0]).toBe('Bringing the database up to date: 1 migration');
    expect(lines.at(-1)).toMatch(/^ {2}UnreadMessages1764000300000: \d+\.\d s$/);
  } finally {
    await Promise.all([holder.end(), reader.end()]);
    await database.drop();
  }
});

/** These are released. Nobody can read the table while their index is built. */
const DROPPED_FIRST = [
  'Reactions1763600034200',
  'UnattachedFiles1764000192001',
  'UnreadMessages1764000300000',
  'UnreadConversations1764000300001',
];

it('a migration builds an index before it drops the one that it replaces', () => {
  const dropsFirst = migrations
    .map((Migration) => new Migration() as unknown as { name: string; statements: string })
    .filter(({ statements }) => /drop index[^]*create (unique )?index/i.test(statements));
  expect(dropsFirst.map(({ name }) => name)).toEqual(DROPPED_FIRST);
});
