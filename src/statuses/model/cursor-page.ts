import { Page } from '../../common/index.js';

/** A page of rows that is continued by their `cursor`, which is no id of what the page shows. */
export function cursorPage<Row extends { readonly cursor: string }>(rows: readonly Row[]): Page<Row> {
  const first = rows[0]?.cursor;
  const last = rows.at(-1)?.cursor;
  return new Page(rows, first === undefined || last === undefined ? undefined : { first, last });
}
