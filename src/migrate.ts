import { DataSource } from 'typeorm';
import { migrations } from './migrations/index.js';
import {
  type DatabaseAddress,
  dataSourceOptions,
  hasCode,
  messageOf,
  StartError,
  withAdvisoryLock,
} from './platform/index.js';

const MIGRATIONS_LOCK = 'svc: migrations';
const INSUFFICIENT_PRIVILEGE = '42501';

/** The state of a database against the migrations of this version, by name. */
export interface MigrationState {
  /** The migrations it lacks. */
  readonly pending: readonly string[];
  /** The migrations of a newer version. */
  readonly unknown: readonly string[];
}

/**
 * Brings a database up to date; one of several concurrent processes does it. Returns the names of the new migrations.
 * @throws StartError when its user lacks the privileges
 */
export async function migrate(address: DatabaseAddress): Promise<string[]> {
  return withAdvisoryLock(address, MIGRATIONS_LOCK, async () => {
    const dataSource = new DataSource(dataSourceOptions(address, { entities: [], migrations }));
    await dataSource.initialize();
    try {
      const ran = await dataSource.runMigrations();
      return ran.map((migration) => migration.name);
    } catch (error) {
      throw hasCode(error, INSUFFICIENT_PRIVILEGE) ? notOurs(address, error) : error;
    } finally {
      await dataSource.destroy();
    }
  });
}

function notOurs({ user, database }: DatabaseAddress, cause: unknown): StartError {
  const text = `The user ${user} may not make tables in the database ${database}: ${messageOf(cause)}. Make it the owner.`;
  return new StartError(text, { cause });
}

/** Compares a database with the migrations of this version, and changes nothing. */
export async function migrationState(address: DatabaseAddress): Promise<MigrationState> {
  const dataSource = new DataSource(dataSourceOptions(address, { entities: [], migrations: [] }));
  await dataSource.initialize();
  try {
    const applied = await appliedMigrations(dataSource);
    const ours: string[] = migrations.map((Migration) => new Migration().name);
    return {
      pending: ours.filter((name) => !applied.has(name)),
      unknown: [...applied].filter((name) => !ours.includes(name)),
    };
  } finally {
    await dataSource.destroy();
  }
}

async function appliedMigrations(dataSource: DataSource): Promise<Set<string>> {
  const [found] = await dataSource.query<{ there: boolean }[]>(`select to_regclass('migrations') is not null as there`);
  if (!found?.there) return new Set();
  const rows = await dataSource.query<{ name: string }[]>('select name from migrations order by id');
  return new Set(rows.map(({ name }) => name));
}
