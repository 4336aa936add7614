import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { UnitOfWork } from './unit-of-work.js';

interface UniqueIndex {
  readonly index: string;
  readonly table: string;
  readonly keys: readonly string[];
  readonly predicate: string | null;
}

/** Values that a unique index should have refused. */
export interface Duplicates {
  readonly index: string;
  /** The number of values in several rows. */
  readonly values: number;
}

/** What {@link DatabaseHealth.duplicates} reads, and what hears of it. */
interface DuplicateSearch {
  readonly isWanted: (table: string) => boolean;
  /** Called before the rows of a unique index are read. */
  readonly onBegin: (index: string, table: string) => void;
}

/**
 * Settings for a check without indexes: a damaged index would hide the very rows that the check looks for. Scans have
 * no time limit.
 */
const SCAN_TABLES = `set local enable_indexscan = off; set local enable_indexonlyscan = off;
  set local enable_bitmapscan = off; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

const uniqueIndexes = `select i.indexrelid::regclass::text as index, i.indrelid::regclass::text as "table",
    array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts) n) as keys,
    pg_get_expr(i.indpred, i.indrelid) as predicate
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and i.indisunique order by 1`;

const invalidIndexes = `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and not (i.indisvalid and i.indisready) order by 1`;

const uncheckedConstraints = `select conrelid::regclass || '.' || conname as name from pg_constraint
  where connamespace = current_schema()::regnamespace and not convalidated order by 1`;

const missingExtensions = `select name from unnest($1::text[]) as wanted(name)
  where not exists (select from pg_extension e where e.extname = wanted.name) order by 1`;

/** Checks of a database that was restored, moved or upgraded by hand (threat D8): for `ctl doctor`. */
@Injectable()
export class DatabaseHealth {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** The missing ones of some extensions. */
  missingExtensions(wanted: readonly string[]): Promise<string[]> {
    return this.names(missingExtensions, [wanted]);
  }

  /** Indexes that were never finished: they cost work and answer no query. */
  invalidIndexes(): Promise<string[]> {
    return this.names(invalidIndexes);
  }

  /** Constraints that were added without a check of the existing rows. */
  uncheckedConstraints(): Promise<string[]> {
    return this.names(uncheckedConstraints);
  }

  /** Rows that break a uniqueness rule because an index is damaged. Reads each wanted table once for each of its rules. */
  duplicates({ isWanted, onBegin }: DuplicateSearch): Promise<Duplicates[]> {
    return this.uow.run(async () => {
      await this.db.query(SCAN_TABLES);
      const found: Duplicates[] = [];
      for (const unique of await this.db.query<UniqueIndex>(uniqueIndexes)) {
        if (!isWanted(unique.table)) continue;
        onBegin(unique.index, unique.table);
        const [row] = await this.db.query<{ values: number }>(countDuplicates(unique));
        if (row && row.values > 0) found.push({ index: unique.index, values: row.values });
      }
      return found;
    });
  }

  private async names(text: string, values: readonly unknown[] = []): Promise<string[]> {
    const rows = await this.db.query<{ name: string }>(text, values);
    return rows.map(({ name }) => name);
  }
}

/** PostgreSQL treats rows with a null in a key as different. */
function countDuplicates({ table, keys, predicate }: UniqueIndex): string {
  const conditions = [...keys.map((key) => `(${key}) is not null`), ...(predicate === null ? [] : [`(${predicate})`])];
  return `select count(*)::int as values from (
    select from ${table} where ${conditions.join(' and ')} group by ${keys.map((key) => `(${key})`).join(', ')}
    having count(*) > 1) as repeated`;
}
