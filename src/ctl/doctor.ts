import { AccountCounterRepairService, type RepairOptions } from '../accounts/index.js';
import { ScheduledBackupsService } from '../backup/index.js';
import { Settings, VapidKeys } from '../config/index.js';
import {
  DatabaseHealth,
  JobRepository,
  Mailer,
  messageOf,
  OBJECT_STORE,
  type ObjectStore,
  Replicas,
} from '../platform/index.js';
import { type DatabaseReport, StorageService } from '../retention/index.js';
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
  /** The sizes of tables, as PostgreSQL estimates them. */
  readonly report: DatabaseReport;
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
/** Of more posts, the counters of so many are compared: those change most. */
const NEWEST = 200_000;
const POSTS = 'status_stats';

const rowsIn = (table: string, { report }: Examination) =>
  report.tables.find((size) => size.table === table)?.rows ?? 0;
/** Whether all rows of a table are read. */
const isRead = (table: string, how: Examination) => how.all || rowsIn(table, how) <= LARGE;
/** `--fix` corrects all counters. */
const newestOf = (how: Examination) => (how.fix || how.all || rowsIn(POSTS, how) <= NEWEST ? undefined : NEWEST);

const CHECKS: readonly Check[] = [
  {
    name: 'replicas',
    mends: false,
    find: (services) => services.get(Replicas).problems(),
  },
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
      const found = await services.get(DatabaseHealth).duplicates({
        isWanted: (table) => isRead(table, how),
        onBegin: (index, table) => {
          const rows = rowsIn(table, how);
          if (isLong(rows)) how.tell(`...    unique rows: ${index}, about ${rows} rows`);
        },
      });
      return found.map(
        ({ index, values }) =>
          `${index}: ${counted(values, 'value stands', 'values stand')} in several rows; remove the surplus and reindex`,
      );
    },
    note: (_services, how) => {
      const left = how.report.tables.map(({ table }) => table).filter((table) => !isRead(table, how));
      return Promise.resolve(left.length === 0 ? undefined : `without ${left.join(', ')}, "doctor --all" reads them`);
    },
  },
  {
    name: 'counters of accounts',
    mends: true,
    find: async (services, how) => {
      const accounts = rowsIn('account_stats', how);
      const options = (what: string) => repairOptions(`counters of accounts, ${what}`, accounts, how);
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
      const options = repairOptions('counters of statuses', newest ?? rowsIn(POSTS, how), how);
      const statuses = await services.get(StatusCounterRepairService).statuses(options, newest);
      return wrong(statuses, 'status', 'replies, boosts or favourites', 'statuses');
    },
    note: (_services, how) => {
      const newest = newestOf(how);
      const compared = newest && `the newest ${newest} of about ${rowsIn(POSTS, how)}, "doctor --all" compares all`;
      return Promise.resolve(compared);
    },
  },
  {
    name: 'home feeds',
    mends: true,
    find: async (services, how) => {
      const feeds = await services.get(FeedRepairService).check(repairOptions('home feeds', rowsIn('users', how), how));
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
    name: 'mail',
    mends: false,
    find: (services) => {
      const isStuck = services.get(Settings).get('instance.account_activation_required') && !services.get(Mailer).isOn;
      const problem =
        'instance.account_activation_required is on without SMTP_URL: nobody gets a letter to confirm an address';
      return Promise.resolve(isStuck ? [problem] : []);
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
    note: (_services, { report }) => Promise.resolve(storageNote(report)),
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
  const how = { ...asked, report: await services.get(StorageService).databaseReport() };
  for (const { name, mends, find, note } of CHECKS) {
    const problems = await find(services, how);
    const shown = await note?.(services, how);
    const figures = shown === undefined ? {} : { note: shown };
    yield { check: name, problems, fixed: how.fix && mends && problems.length > 0, ...figures };
  }
}

function repairOptions(name: string, rows: number, { fix, tell }: Examination): RepairOptions {
  const progress = new Progress(name, rows, tell);
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
