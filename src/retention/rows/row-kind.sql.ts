import type { SettingPath } from '../../config/index.js';
import { sql, type Statement } from '../../platform/index.js';
import type { RetentionKindName } from '../model/retention-kind.js';

/** Number of rows that one unit of work looks at: few, so that its locks and its load are short. */
const SLICE_ROWS = 100;
/** Number of rows that one statement counts. */
const COUNTED_ROWS = 2_000;

/** The time before which a row is old enough, for an age of `$2` days. */
export const CUTOFF = `now() - $2::float8 * interval '1 day'`;

/** One kind of rows. */
export interface RowKind {
  readonly name: Exclude<RetentionKindName, 'files'>;
  /** The setting with the age in days. */
  readonly setting: Extract<SettingPath, `retention.${string}`>;
  /** The table of the rows, and those whose rows go with them. */
  readonly tables: readonly string[];
  /** The age as `$2` of the statements. */
  readonly ageOf: (days: number) => string | number;
  readonly statements: RowStatements;
}

/** The one definition of which rows of a kind may go, for the count and the removal. */
export interface RowRules extends Omit<RowKind, 'statements'> {
  /** The ids after `$1`, in their order, of at most so many rows that may be old enough; fewer only at the end. */
  readonly page: (rows: number) => string;
  /** The rows that are locked before others go: their table with its alias, and the type of their ids. */
  readonly locked: { readonly table: string; readonly alias: string; readonly id: 'text' | 'bigint' };
  /** Whether a locked row may go at the age `$2`: a condition. */
  readonly mayGo: string;
}

/** The ids of rows that may go, and the last id that was looked at; null at the end of the table. */
export interface NextRow {
  readonly ids: readonly string[];
  readonly last: string | null;
}

/** As {@link NextRow}, with the number of the rows in place of their ids. */
type CountRow = Pick<NextRow, 'last'> & { readonly count: number };

export interface IdRow {
  readonly id: string;
}

/** The statements that find and lock the rows of a kind. */
export interface RowStatements {
  readonly count: Statement<CountRow>;
  readonly next: Statement<NextRow>;
  readonly lock: Statement<IdRow>;
  readonly recheck: Statement<IdRow>;
}

/** A kind with its statements: `retention.next_posts` and so on. */
export function rowKind({ page, locked, mayGo, ...kind }: RowRules): RowKind {
  const { name } = kind;
  const { table, alias, id } = locked;
  const find = <Row>(verb: string, rows: number, found: string) =>
    sql<Row>(
      `retention.${verb}_${name}`,
      `with page as materialized (${page(rows)}),
       going as (select ${alias}.id from page join ${table} ${alias} on ${alias}.id = page.id where ${mayGo})
       select ${found},
         case when count(*) = ${rows} then max(id)::text end as last from page`,
    );
  const these = `${alias}.id::text as id from ${table} ${alias} where ${alias}.id = any($1::${id}[])`;
  const statements = {
    count: find<CountRow>('count', COUNTED_ROWS, '(select count(*)::int from going) as count'),
    next: find<NextRow>('next', SLICE_ROWS, 'array(select going.id::text from going order by going.id) as ids'),
    // A transaction that is about to refer to a row holds its lock: such rows stay until the next night.
    lock: sql<IdRow>(`retention.lock_${name}`, `select ${these} order by ${alias}.id for update skip locked`),
    // A statement of its own after the lock, so that it sees what was committed until then.
    recheck: sql<IdRow>(`retention.recheck_${name}`, `select ${these} and ${mayGo}`),
  };
  return { ...kind, statements };
}

/** A kind whose locked rows are deleted, with the statement that does it: `retention.remove_accounts` and so on. */
export function deletedKind(rules: RowRules): RowKind & { readonly remove: Statement<never> } {
  const { table, id } = rules.locked;
  const remove = sql(`retention.remove_${rules.name}`, `delete from ${table} where id = any($1::${id}[])`);
  return { ...rowKind(rules), remove };
}
