import { AccountCounterRepairService, type RepairOptions } from '../accounts/index.js';
import { ScheduledBackupsService } from '../backup/index.js';
import { VapidKeys } from '../config/index.js';
import { DatabaseHealth, JobRepository, messageOf, OBJECT_STORE, type ObjectStore } from '../platform/index.js';
import { StorageService } from '../retention/index.js';
import { StatusCounterRepairService } from '../statuses/index.js';
import { FeedRepairService } from '../timelines/index.js';
import type { Services } from './frame/command.js';
import type { Finding } from './frame/finding.js';
import { counted } from './frame/output.js';
import { isLong, Progress } from './frame/progress.js';
import { storageNote } from './frame/storage-figures.js';

/** What checks are to do, and how those of many rows tell where they are. */
interface Examination {
  readonly fix: boolean;
  /** Shows a line to the operator, who waits. */
  readonly tell: (line: string) => void;
  /** The rows of a table, as PostgreSQL estimates them. */
  readonly rowsIn: (table: string) => number;
}

interface Check {
  readonly name: string;
  /** Whether the check can repair its problems. */
  readonly mends: boolean;
  readonly find: (services: Services, how: Examination) => Promise<string[]>;
  /** Figures to show with the result. */
  readonly note?: (services: Services) => Promise<string>;
}

/** The migrations make these; a restore by an unprivileged user loses them. */
const EXTENSIONS = ['pg_trgm', 'unaccent'];
const SHOWN_JOBS = 1_000;

const CHECKS: readonly Check[] = [
  {
    name: 'extensions',
    mends: false,
    find: async (services) => {
      const missing = await services.get(DatabaseHealth).missingExtensions(EXTENSIONS);
      return missing.map((name) => `${name} is missing: run "create extension ${name}" as a superuser`);
    },
  },
  {
    name: 'indexes',
    mends: false,
    find: async (services) => {
      const invalid = await services.get(DatabaseHealth).invalidIndexes();
      return invalid.map((name) => `${name} is not valid: run "reindex index concurrently ${name}"`);
    },
  },
  {
    name: 'constraints',
    mends: false,
    find: async (services) => {
      const unchecked = await services.get(DatabaseHealth).uncheckedConstraints();
      return unchecked.map((name) => `${name} was never checked: validate it`);
    },
  },
  {
    name: 'unique rows',
    mends: false,
    find: async (services, { tell, rowsIn }) => {
      const found = await services.get(DatabaseHealth).duplicates((index, table) => {
        if (isLong(rowsIn(table))) tell(`...    unique rows: ${index}, about ${rowsIn(table)} rows`);
      });
      return found.map(
        ({ index, values }) =>
          `${index}: ${counted(values, 'value stands', 'values stand')} in several rows; remove the surplus and reindex`,
      );
    },
  },
  {
    name: 'counters of accounts',
    mends: true,
    find: async (services, how) => {
      const options = (what: string) => repairOptions(`counters of accounts, ${what}`, 'account_stats', how);
      const follows = await services.get(AccountCounterRepairService).follows(options('follows'));
      const posts = await services.get(StatusCounterRepairService).posts(options('posts'));
      return [...wrong(follows, 'account', 'followers or follows'), ...wrong(posts, 'account', 'posts')];
    },
  },
  {
    name: 'counters of statuses',
    mends: true,
    find: async (services, how) => {
      const options = repairOptions('counters of statuses', 'status_stats', how);
      const statuses = await services.get(StatusCounterRepairService).statuses(options);
      return wrong(statuses, 'status', 'replies, boosts or favourites', 'statuses');
    },
  },
  {
    name: 'home feeds',
    mends: true,
    find: async (services, how) => {
      const feeds = await services.get(FeedRepairService).check(repairOptions('home feeds', 'users', how));
      return feeds === 0 ? [] : [`${counted(feeds, 'feed lacks', 'feeds lack')} posts at or above the floor`];
    },
  },
  {
    name: 'keys',
    mends: false,
    find: async (services) => {
      const usable = await services.get(VapidKeys).isUsable();
      return usable ? [] : ['the key for web push does not open with this SECRET_KEY: set the one it was made with'];
    },
  },
  {
    name: 'storage of files',
    mends: false,
    find: async (services) => {
      const store = services.get<ObjectStore | null>(OBJECT_STORE);
      const problem = await store?.check().catch(messageOf);
      return problem === undefined ? [] : [`${problem}: see STORAGE_URL and the access key`];
    },
  },
  {
    name: 'backups',
    mends: false,
    find: async (services) => [...((await services.get(ScheduledBackupsService).schedule())?.problems ?? [])],
  },
  {
    name: 'failed jobs',
    mends: false,
    find: async (services) => {
      const failed = await services.get(JobRepository).listFailed(SHOWN_JOBS);
      const some = failed.length === SHOWN_JOBS ? 'at least ' : '';
      return failed.length === 0 ? [] : [`${some}${counted(failed.length, 'job')}: see "jobs list" and "jobs retry"`];
    },
  },
  {
    name: 'storage',
    mends: false,
    find: () => Promise.resolve([]),
    note: async (services) => storageNote(await services.get(StorageService).databaseReport()),
  },
];

/** Runs all checks in order; `fix` repairs what is safe to repair. `tell` shows how far those of many rows are. */
export async function* examine(
  services: Services,
  { fix, tell }: Pick<Examination, 'fix' | 'tell'>,
): AsyncGenerator<Finding> {
  const { tables } = await services.get(StorageService).databaseReport();
  const rows = new Map(tables.map((size) => [size.table, size.rows]));
  const how = { fix, tell, rowsIn: (table: string) => rows.get(table) ?? 0 };
  for (const { name, mends, find, note } of CHECKS) {
    const problems = await find(services, how);
    const figures = note === undefined ? {} : { note: await note(services) };
    yield { check: name, problems, fixed: fix && mends && problems.length > 0, ...figures };
  }
}

function repairOptions(name: string, table: string, { fix, tell, rowsIn }: Examination): RepairOptions {
  const progress = new Progress(name, rowsIn(table), tell);
  return { fix, progress: (compared) => progress.reach(compared) };
}

/** The finding about the migrations. The other checks need an up-to-date database. */
export function migrationsFinding(pending: readonly string[], unknown: readonly string[]): Finding {
  const problems = [
    ...(pending.length > 0 ? [`${counted(pending.length, 'migration')} missing: run "migrate"`] : []),
    ...(unknown.length > 0 ? [`made by a newer version: ${unknown.join(', ')}`] : []),
  ];
  return { check: 'migrations', problems, fixed: false };
}

function wrong(count: number, one: string, what: string, many = `${one}s`): string[] {
  return count === 0 ? [] : [`${counted(count, one, many)} with wrong numbers of ${what}`];
}
