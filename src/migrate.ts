import { DataSource } from 'typeorm';
import { type SchemaMaker, unfinishedLoad } from './backup/index.js';
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
 * @param onUnknown gets the migrations of a newer version, when the database has some, before anything is changed
 * @throws StartError when its user lacks the privileges, or a restore or a move did not finish in it
 */
export async function migrate(
  address: DatabaseAddress,
  onUnknown?: (names: readonly string[]) => void,
): Promise<string[]> {
  return run(address, migrations, async (dataSource) => {
    await requireComplete(dataSource);
    const unknown = unknownOf(await appliedMigrations(dataSource));
    if (unknown.length > 0) onUnknown?.(unknown);
  });
}

/** The migrations of this version, for restores and moves: these fill a database that has some of them. */
export const schemaMaker: SchemaMaker = {
  known: migrations.map((Migration) => new Migration().name),
  make: async (address, names) => {
    const some = migrations.filter((Migration) => names.includes(new Migration().name));
    await run(address, some);
  },
  complete: (address) => migrate(address),
};

async function run(
  address: DatabaseAddress,
  some: typeof migrations,
  check?: (dataSource: DataSource) => Promise<void>,
): Promise<string[]> {
  return withAdvisoryLock(address, MIGRATIONS_LOCK, async () => {
    const dataSource = new DataSource(dataSourceOptions(address, { entities: [], migrations: some }));
    await dataSource.initialize();
    try {
      await check?.(dataSource);
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

/** @throws StartError when a restore or a move into the database did not finish */
async function requireComplete(dataSource: DataSource): Promise<void> {
  const load = await unfinishedLoad((text) => dataSource.query<Record<string, unknown>[]>(text));
  if (!load) return;
  const command = load.kind === 'restore' ? 'backup restore' : 'database move';
  throw new StartError(
    `The database is not complete: a ${load.kind} into it did not finish. Run \`npm run ctl -- ${command}\` again.`,
  );
}

/**
 * Compares a database with the migrations of this version, and changes nothing.
 * @throws StartError when a restore or a move into it did not finish
 */
export async function migrationState(address: DatabaseAddress): Promise<MigrationState> {
  const dataSource = new DataSource(dataSourceOptions(address, { entities: [], migrations: [] }));
  await dataSource.initialize();
  try {
    await requireComplete(dataSource);
    const applied = await appliedMigrations(dataSource);
    const ours: readonly string[] = schemaMaker.known;
    return {
      pending: ours.filter((name) => !applied.has(name)),
      unknown: unknownOf(applied),
    };
  } finally {
    await dataSource.destroy();
  }
}

function unknownOf(applied: ReadonlySet<string>): string[] {
  return [...applied].filter((name) => !schemaMaker.known.includes(name));
}

async function appliedMigrations(dataSource: DataSource): Promise<Set<string>> {
  const [found] = await dataSource.query<{ there: boolean }[]>(`select to_regclass('migrations') is not null as there`);
  if (!found?.there) return new Set();
  const rows = await dataSource.query<{ name: string }[]>('select name from migrations order by id');
  return new Set(rows.map(({ name }) => name));
}
