import { DataSource } from 'typeorm';
import { entities } from './app.entities.js';
import { migrations } from './migrations/index.js';
import { type DatabaseAddress, dataSourceOptions, withAdvisoryLock } from './platform/index.js';

const MIGRATIONS_LOCK = 'migrations';

/** The TypeORM options of this application for an address. */
export function applicationDatabase(address: DatabaseAddress) {
  return dataSourceOptions(address, { entities, migrations });
}

/** Brings a database up to date; of several processes that start at once one does it. Answers the names that ran. */
export async function migrate(address: DatabaseAddress): Promise<string[]> {
  return withAdvisoryLock(address, MIGRATIONS_LOCK, async () => {
    const dataSource = new DataSource(applicationDatabase(address));
    await dataSource.initialize();
    try {
      const ran = await dataSource.runMigrations();
      return ran.map((migration) => migration.name);
    } finally {
      await dataSource.destroy();
    }
  });
}
