import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { isRefusal, type SchemaMaker, unfinishedLoad } from './backup/index.js';
import { migrations } from './migrations/index.js';
import {
  type DatabaseAddress,
  dataSourceOptions,
  hasCode,
  messageOf,
  sqlState,
  StartError,
  withAdvisoryLock,
} from './platform/index.js';

const MIGRATIONS_LOCK = 'svc: migrations';
const INSUFFICIENT_PRIVILEGE = '42501';
/** How a migration fails whose tables others use: `lock_not_available` and `deadlock_detected`. */
const TABLES_IN_USE = ['55P03', '40P01'];
/** Between two tries of such a migration: the statements that waited behind it run. */
const PAUSE_MS = 5_000;

const OPEN_TRANSACTIONS = `
  select format('%s (PostgreSQL process %s, %s s)', coalesce(nullif(application_name, ''), backend_type), pid,
    extract(epoch from now() - xact_start)::int) as name
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '2 s'
  order by xact_start limit 3`;

/** The state of a database against the migrations of this version, by name. */
export interface MigrationState {
  /** The migrations it lacks. */
  readonly pending: readonly string[];
  /** The migrations of a newer version. */
  readonly unknown: readonly string[];
}

/** Reports progress to the operator, and ends the work. */
interface MigrationProgress {
  /** Lines for the operator who waits. */
  readonly log?: (line: string) => void;
  /** Ends the work at once; the migration that runs is undone. */
  readonly signal?: AbortSignal | undefined;
}

export interface MigrateOptions extends MigrationProgress {
  /** Gets the migrations of a newer version, when the database has some, before anything is changed. */
  readonly onUnknown?: (names: readonly string[]) => void;
}

/**
 * Brings a database up to date; one of several concurrent processes does it. Returns the names of the new migrations.
 * @throws StartError when its user lacks the privileges, or a restore or a move did not finish in it
 */
export async function migrate(
  address: DatabaseAddress,
  { onUnknown, ...progress }: MigrateOptions = {},
): Promise<string[]> {
  const check = async (dataSource: DataSource) => {
    await requireComplete(dataSource);
    const unknown = unknownOf(await appliedMigrations(dataSource));
    if (unknown.length > 0) onUnknown?.(unknown);
  };
  return run(address, migrations, { check, ...progress });
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

interface RunOptions extends MigrationProgress {
  readonly check?: (dataSource: DataSource) => Promise<void>;
}

async function run(
  address: DatabaseAddress,
  some: typeof migrations,
  { check, log = () => undefined, signal }: RunOptions = {},
): Promise<string[]> {
  const runSome = async () => {
    const dataSource = new DataSource(dataSourceOptions(address, { entities: [], migrations: some }));
    await dataSource.initialize();
    try {
      await check?.(dataSource);
      return await runMissing(dataSource, log, signal);
    } finally {
      await dataSource.destroy();
    }
  };
  const onWait = () => log('Another process brings the database up to date');
  try {
    return await withAdvisoryLock(address, MIGRATIONS_LOCK, runSome, { onWait, signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw hasCode(error, INSUFFICIENT_PRIVILEGE) ? notOurs(address, error) : error;
  }
}

/** Runs the migrations that are missing, each in a transaction of its own, and returns their names. */
async function runMissing(
  dataSource: DataSource,
  log: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  const executor = new MigrationExecutor(dataSource, runner);
  const stop = await endAtSignal(dataSource, runner, signal);
  try {
    const missing = await executor.getPendingMigrations();
    const isNew = missing.length === dataSource.migrations.length;
    const report = isNew ? () => undefined : log; // an empty database takes a moment
    if (missing.length > 0) report(`Bringing the database up to date: ${amount(missing.length)}`);
    for (const migration of missing) {
      signal?.throwIfAborted();
      const begun = performance.now();
      const inTransaction = () => runOne(executor, runner, migration);
      await untilFree(dataSource, inTransaction, (others) => log(`  ${migration.name} waits for ${others}`), signal);
      report(`  ${migration.name}: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
    }
    return missing.map(({ name }) => name);
  } finally {
    stop();
    await runner.release();
  }
}

async function runOne(executor: MigrationExecutor, runner: QueryRunner, migration: Migration): Promise<void> {
  await runner.startTransaction();
  try {
    await executor.executeMigration(migration);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined); // the connection may be gone
    throw isRefusal(error)
      ? new StartError(`The migration ${migration.name} failed: ${messageOf(error)} (${sqlState(error)}).`, {
          cause: error,
        })
      : error;
  }
}

/**
 * Repeats a migration until its tables are free. Each try waits three seconds at most: other statements wait behind it.
 * @param onWait called once, with the longest open transactions, for one of which it probably waits
 */
async function untilFree(
  dataSource: DataSource,
  migration: () => Promise<void>,
  onWait: (others: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await migration();
      return;
    } catch (error) {
      if (!hasCode(error, ...TABLES_IN_USE)) throw error;
    }
    if (tries === 1) {
      const others = await dataSource.query<{ name: string }[]>(OPEN_TRANSACTIONS);
      onWait(others.map(({ name }) => name).join(', ') || 'others that use its tables');
    }
    await delay(PAUSE_MS, undefined, { signal });
  }
}

/** Ends the session of a runner at the signal, whatever it does or waits for. Returns what ends that. */
async function endAtSignal(
  dataSource: DataSource,
  runner: QueryRunner,
  signal: AbortSignal | undefined,
): Promise<() => void> {
  const [session] = (await runner.query('select pg_backend_pid() as pid')) as { pid: number }[];
  // A killed process must not leave its migration behind, where PostgreSQL can notice that it is gone.
  await runner.query(`set client_connection_check_interval = '5s'`).catch(() => undefined);
  const end = () => void dataSource.query('select pg_terminate_backend($1)', [session?.pid]).catch(() => undefined);
  signal?.addEventListener('abort', end);
  return () => signal?.removeEventListener('abort', end);
}

function amount(count: number): string {
  return count === 1 ? '1 migration' : `${count} migrations`;
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
