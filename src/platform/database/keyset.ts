import { FIRST_ID, LAST_ID } from './flake-id.js';

/** The paging parameters of a list, as `api` names them; `limit` is already within 1 … 40. */
export interface KeysetQuery {
  readonly max_id?: string | undefined;
  readonly since_id?: string | undefined;
  readonly min_id?: string | undefined;
  readonly limit: number;
}

/**
 * One keyset page: rows with `above < id < below`, newest first (`older`) or oldest first (`newer`, for `min_id`, whose
 * rows are turned round afterwards). Both bounds are always given, so one statement per direction serves every page.
 */
export interface Keyset {
  readonly direction: 'older' | 'newer';
  readonly below: string;
  readonly above: string;
  /** 0 for a page that begins too far away: with it a statement reads nothing. */
  readonly limit: number;
}

/** The paging parameters with an offset. */
export interface OffsetQuery extends KeysetQuery {
  readonly offset?: number | undefined;
}

/** The deepest offset: skipped rows are read, too. A page that begins further is empty. */
const FURTHEST = 800;

const BIGINT_FIRST = '0';
/** Above all ids of `bigint` columns. */
export const BIGINT_LAST = '9223372036854775807';

/** The keyset of a list ordered by Flake ids. An unreadable id stays a plain text bound: it compares, never casts. */
export function flakeKeyset(query: OffsetQuery): Keyset {
  return keyset(query, FIRST_ID, LAST_ID, (id) => id);
}

/** The keyset of a list ordered by `bigint` ids, as decimal strings; an unreadable bound is ignored. */
export function bigintKeyset(query: OffsetQuery): Keyset {
  return keyset(query, BIGINT_FIRST, BIGINT_LAST, (id) => (isBigintId(id) ? id : undefined));
}

/** A page of a list whose statement has no offset: reads skipped rows too. Rows come newest first. */
export async function skipped<T>(
  { offset = 0 }: OffsetQuery,
  keyset: Keyset,
  read: (keyset: Keyset) => Promise<T[]>,
): Promise<T[]> {
  if (keyset.limit === 0) return [];
  const rows = await read({ ...keyset, limit: keyset.limit + offset });
  return keyset.direction === 'older' ? rows.slice(offset) : rows.slice(0, Math.max(0, rows.length - offset));
}

/** Whether a text is a decimal id that fits PostgreSQL's `bigint`. */
export function isBigintId(text: string): boolean {
  return /^\d{1,19}$/.test(text) && BigInt(text) <= BigInt(BIGINT_LAST);
}

/** The highest of some ids, Flake ids or `bigint` ids as decimal strings; undefined when there are none. */
export function highestId(ids: readonly string[]): string | undefined {
  return ids.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1)).at(-1); // a longer number is higher
}

function keyset(query: OffsetQuery, first: string, last: string, read: (id: string) => string | undefined): Keyset {
  const { offset = 0 } = query;
  const limit = offset > FURTHEST ? 0 : query.limit;
  const bound = (id: string | undefined) => (id === undefined || id === '' ? undefined : read(id));
  const below = bound(query.max_id) ?? last;
  const min = bound(query.min_id);
  if (min !== undefined) return { direction: 'newer', below, above: min, limit };
  return { direction: 'older', below, above: bound(query.since_id) ?? first, limit };
}

/** Puts the rows of a page into the order of the API: newest first. */
export function newestFirst<T>(rows: readonly T[], { direction }: Keyset): T[] {
  return direction === 'older' ? [...rows] : [...rows].reverse();
}
