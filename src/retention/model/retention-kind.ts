import { firstFlakeAt } from '../../platform/index.js';

const DAY_MS = 86_400_000;

/** The kinds of data that end some time, in the order in which they are removed: a post that goes may free its author. */
export const RETENTION_KINDS = ['files', 'posts', 'accounts', 'notifications', 'previews'] as const;
export type RetentionKindName = (typeof RETENTION_KINDS)[number];

/** A part of a table: rows after a cursor, in the order of their ids. */
export interface Slice {
  /** The last id of the slice before; `''` for the first slice. */
  readonly after: string;
  /** The age in days from which rows go. */
  readonly days: number;
}

/** What a slice has, or had, of rows that go. */
export interface SliceResult {
  readonly rows: number;
  /** The last id of the slice; undefined at the end of the table. */
  readonly next: string | undefined;
  /** The size of files in bytes; undefined for rows. */
  readonly bytes?: number;
}

/** One kind of data, with one definition of what may go: a count finds exactly what a removal would remove. */
export interface RetentionKind {
  readonly name: RetentionKindName;
  /** The table of its rows, and the tables whose rows go with them; none for files. */
  readonly tables: readonly string[];
  /** The age in days that the settings say; 0: nothing goes. */
  days(): number;
  /** Counts what may go. */
  count(slice: Slice): Promise<SliceResult>;
  /** Removes what may go, in a unit of work. Safe to run twice and beside all other work. */
  remove(slice: Slice): Promise<SliceResult>;
}

/** The first id of a status or an account that is younger than so many days. */
export function cutoffId(days: number): string {
  return firstFlakeAt(Math.max(0, Math.floor(Date.now() - days * DAY_MS)));
}
