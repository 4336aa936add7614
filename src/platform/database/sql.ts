/** A named prepared statement; `Row` is the shape of one result row, as `test/rules/statements.spec.ts` checks. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set: carries the row type. */
  readonly row?: Row;
}

const MAX_NAME_BYTES = 63; // PostgreSQL cuts longer names, and two cut names could meet
const texts = new Map<string, string>();

/**
 * Declares a hot statement once, at module load. The server refuses to start when one name has two texts, since a
 * connection would keep running the first.
 */
export function sql<Row = never>(name: string, text: string): Statement<Row> {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Error(`Statement name "${name}" is too long`);
  const known = texts.get(name);
  if (known !== undefined && known !== text) throw new Error(`Statement name "${name}" is used twice`);
  texts.set(name, text);
  return { name, text };
}

/** Every declared statement, for reviews (`docs/sql`) and `EXPLAIN` runs. */
export function declaredStatements(): ReadonlyMap<string, string> {
  return texts;
}

/**
 * Whether there is such a row: an SQL condition. With `exists`, PostgreSQL may build a hash of all rows of the viewer.
 */
export function someRow(rows: string): string {
  return `coalesce((select true from ${rows} limit 1), false)`;
}
