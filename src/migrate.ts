import { DataSource } from 'typeorm';
import { migrations } from './migrations/index.js';
import { type DatabaseAddress, dataSourceOptions, withAdvisoryLock } from './platform/index.js';

const MIGRATIONS_LOCK = 'svc: migrations';

/** Brings a database up to date; of several processes that start at once one does it. Answers the names that ran. */
export async function migrate(address: DatabaseAddress): Promise<string[]> {
  return withAdvisoryLock(address, MIGRATIONS_LOCK, async () => {
    const dataSource = new DataSource(dataSourceOptions(address, { entities: [], migrations }));
    await dataSource.initialize();
    try {
      const ran = await dataSource.runMigrations();
      return ran.map((migration) => migration.name);
    } finally {
      await dataSource.destroy();
    }
  });
}
