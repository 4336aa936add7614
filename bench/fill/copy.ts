import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';

export type Row = Readonly<Record<string, unknown>>;

/** Rows that are sent in one piece. */
const PIECE = 500;

/**
 * Adds rows with the same columns by COPY, some ten times as fast as inserts; missing columns get their defaults.
 * Objects and arrays are JSON: no columns of array types.
 */
export async function copyRows(sql: pg.Client, table: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!);
  await pipeline(
    Readable.from(pieces(columns, rows)),
    sql.query(from(`copy ${table} (${columns.join(', ')}) from stdin`)),
  );
}

function* pieces(columns: readonly string[], rows: readonly Row[]): Generator<string> {
  for (let at = 0; at < rows.length; at += PIECE) {
    yield rows
      .slice(at, at + PIECE)
      .map((row) => `${columns.map((column) => field(row[column])).join('\t')}\n`)
      .join('');
  }
}

/** A value in the text format of COPY. */
function field(value: unknown): string {
  if (value === null || value === undefined) return String.raw`\N`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[\\\t\n\r]/.test(text) ? text.replaceAll(/[\\\t\n\r]/g, escaped) : text;
}

function escaped(character: string): string {
  return { '\t': String.raw`\t`, '\n': String.raw`\n`, '\r': String.raw`\r` }[character] ?? `\\${character}`;
}

/** What a table loses while it is filled, and the statements that bring it back. */
const PARTS = `select format('drop index %I', c.relname) as lose, pg_get_indexdef(i.indexrelid) as restore
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  union all
  select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname),
      format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
    from pg_constraint k where k.conrelid = any($1::regclass[]) and k.contype = 'u'`;

/**
 * Fills tables without their indexes, keys to other tables and triggers, and makes the indexes afterwards: the rows must
 * agree with each other. The trigger that makes the words of a post runs.
 */
export async function filling<T>(sql: pg.Client, tables: readonly string[], fill: () => Promise<T>): Promise<T> {
  const { rows } = await sql.query<{ lose: string; restore: string }>(PARTS, [tables]);
  await sql.query(`set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '128MB';
    set session_replication_role = replica; alter table statuses enable always trigger statuses_words`);
  for (const { lose } of rows) await sql.query(lose);
  const result = await fill();
  for (const { restore } of rows) await sql.query(restore);
  await sql.query(`alter table statuses enable trigger statuses_words; set session_replication_role = origin;
    reset synchronous_commit; reset maintenance_work_mem; reset work_mem`);
  return result;
}
