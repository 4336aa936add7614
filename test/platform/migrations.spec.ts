import { DataSource } from 'typeorm';
import { ForwardOnly } from '../../src/migrations/forward-only.js';
import { dataSourceOptions } from '../../src/platform/index.js';
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
