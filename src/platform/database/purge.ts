import { repeatSlices } from '../memory/slices.js';
import type { Database } from './database.js';

/** Most rows that one statement removes. */
const AT_ONCE = 1_000;

/** The outdated rows of a table. The parts are trusted SQL, with the parameters `$1` and so on. */
export interface Outdated {
  readonly table: string;
  readonly where: string;
  /** The indexed column that finds them, oldest first. */
  readonly by: string;
}

/**
 * Removes outdated rows; returns the number. Each statement removes a bounded batch in its own transaction, so that
 * none exceeds its time limit, even after months without a worker. Skips locked rows until the next run (threat D7). Rests between
 * batches: for jobs only, never in a unit of work or a request.
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
  let removed = 0;
  await repeatSlices(async () => {
    const [{ count } = { count: 0 }] = await db.query<{ count: number }>(statement, values);
    removed += count;
    return count === AT_ONCE;
  });
  return removed;
}
