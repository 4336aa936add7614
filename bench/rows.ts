import type pg from 'pg';

export type Row = Readonly<Record<string, unknown>>;

const BATCH = 5_000;

/** Inserts rows with the same columns; missing columns get their defaults. */
export async function insertRows(sql: pg.Client, table: string, rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH);
    const columns = Object.keys(batch[0]!).join(', ');
    await sql.query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(batch)],
    );
  }
}
