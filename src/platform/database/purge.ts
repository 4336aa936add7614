import type { Database } from './database.js';

/** Rows that one statement removes at most. */
const AT_ONCE = 1_000;

/** Rows of a table that nobody needs any more. The parts are SQL of the caller's own, with the parameters `$1` and so on. */
export interface Outdated {
  readonly table: string;
  readonly where: string;
  /** The column of an index by which they are found, the oldest first. */
  readonly by: string;
}

/**
 * Removes outdated rows; answers how many. However many they are, after months without a worker for instance, no statement takes
 * longer than it may: each removes some of them, in a transaction of its own. Locked rows are left to the next time (threat D7).
 */
export async function purge(
  db: Database,
  { table, where, by }: Outdated,
  values: readonly unknown[] = [],
): Promise<number> {
  const statement = `with gone as (
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${where} order by ${by} limit ${AT_ONCE} for update skip locked))
      returning 1)
    select count(*)::int as count from gone`;
  for (let removed = 0; ;) {
    const [{ count } = { count: 0 }] = await db.query<{ count: number }>(statement, values);
    removed += count;
    if (count < AT_ONCE) return removed;
  }
}
