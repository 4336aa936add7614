import type { DatabaseReport, RetentionTotal, StorageReport } from '../../retention/index.js';
import { columns, counted } from './output.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
/** The number of tables in the report; the others are added up. */
const SHOWN_TABLES = 15;
const NOTED_TABLES = 3;

/** A size for people: `1.3 GB`. Units are powers of 1,000, as disks are sold. */
export function sized(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit] ?? ''}`;
}

/** One line about the database. */
export function storageNote({ database, tables }: DatabaseReport): string {
  const largest = tables.slice(0, NOTED_TABLES).map(({ table, bytes }) => `${table} ${sized(bytes)}`);
  return `the database has ${sized(database)} (${largest.join(', ')}); "storage report" tells about files`;
}

/** Tables and folders with their sizes. */
export function storageLines({ database, tables, folders }: StorageReport): string[] {
  const rest = tables.slice(SHOWN_TABLES);
  const others = rest.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    `database  ${sized(database)}`,
    ...columns([
      ...tables
        .slice(0, SHOWN_TABLES)
        .map(({ table, bytes, rows }) => [`  ${table}`, sized(bytes), `about ${rows} rows`]),
      ...(rest.length === 0 ? [] : [[`  ${counted(rest.length, 'other table')}`, sized(others)]]),
    ]),
    'files',
    ...columns(folders.map(({ folder, bytes, files }) => [`  ${folder}`, sized(bytes), counted(files, 'file')])),
  ];
}

/** A line for each kind: what would go, or what went. */
export function totalLines(totals: readonly RetentionTotal[]): string[] {
  return columns(
    totals.map(({ kind, days, rows, bytes }) =>
      days === 0
        ? [kind, 'kept: no age is set']
        : [kind, `older than ${round(days)} days`, String(rows), `${kind === 'files' ? '' : 'about '}${sized(bytes)}`],
    ),
  );
}

/** The age of files is set in seconds. */
function round(days: number): number {
  return Number(days.toFixed(2));
}
