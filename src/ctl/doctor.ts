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
  /** Whether to read all rows of large tables. */
  readonly all: boolean;
  /** Shows a line to the operator, who waits. */
  readonly tell: (line: string) => void;
  /** The rows of a table, as PostgreSQL estimates them. */
  readonly rowsIn: (table: string) => number;
  readonly tables: readonly string[];
}

interface Check {
  readonly name: string;
  /** Whether the check can repair its problems. */
  readonly mends: boolean;
  readonly find: (services: Services, how: Examination) => Promise<string[]>;
  /** What to show with the result; undefined for nothing. */
  readonly note?: (services: Services, how: Examination) => Promise<string | undefined>;
}

/** The migrations make these; a restore by an unprivileged user loses them. */
const EXTENSIONS = ['pg_trgm', 'unaccent'];
const SHOWN_JOBS = 1_000;
/** A table of more rows is large: to read all of it takes minutes, and an operator waits. */
const LARGE = 1_000_000;
/** Of a large number of posts, the counters of so many are compared: those change most. */
const NEWEST = 200_000;
/** The tables whose unique rows are checked unless they are large. */
const isRead = (table: string, { all, rowsIn }: Examination) => all || rowsIn(table) <= LARGE;
/** `--fix` corrects all counters. */
const newestOf = (how: Examination) => (how.fix || isRead(POSTS, how) ? undefined : NEWEST);
const POSTS = 'status_stats';

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
    find: async (services, how) => {
      const found = await services.get(DatabaseHealth).duplicates((index, table) => {
        const rows = how.rowsIn(table);
        if (!isRead(table, how)) return false;
        if (isLong(rows)) how.tell(`...    unique rows: ${index}, about ${rows} rows`);
        return true;
      });
      return found.map(
        ({ index, values }) =>
          `${index}: ${counted(values, 'value stands', 'values stand')} in several rows; remove the surplus and reindex`,
      );
    },
    note: (_services, how) => {
      const left = how.tables.filter((table) => !isRead(table, how));
      return Promise.resolve(left.length === 0 ? undefined : `without ${left.join(', ')}, "doctor --all" reads them`);
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
      const newest = newestOf(how);
      const rowsIn = (table: string) => newest ?? how.rowsIn(table);
      const options = repairOptions('counters of statuses', POSTS, { ...how, rowsIn });
      const statuses = await services.get(StatusCounterRepairService).statuses(options, newest);
      return wrong(statuses, 'status', 'replies, boosts or favourites', 'statuses');
    },
    note: (_services, how) => {
      const newest = newestOf(how);
      const compared = newest && `the newest ${newest} of about ${how.rowsIn(POSTS)}, "doctor --all" compares all`;
      return Promise.resolve(compared);
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

/**
 * Runs all checks in order; `fix` repairs what is safe to repair, `all` reads all of large tables. `tell` shows how far the
 * checks of many rows are.
 */
export async function* examine(
  services: Services,
  asked: Pick<Examination, 'fix' | 'all' | 'tell'>,
): AsyncGenerator<Finding> {
  const { tables } = await services.get(StorageService).databaseReport();
  const rows = new Map(tables.map((size) => [size.table, size.rows]));
  const how = { ...asked, rowsIn: (table: string) => rows.get(table) ?? 0, tables: [...rows.keys()] };
  for (const { name, mends, find, note } of CHECKS) {
    const problems = await find(services, how);
    const shown = await note?.(services, how);
    const figures = shown === undefined ? {} : { note: shown };
    yield { check: name, problems, fixed: how.fix && mends && problems.length > 0, ...figures };
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
