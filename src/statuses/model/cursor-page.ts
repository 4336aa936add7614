import { Page } from '../../common/index.js';

/** A page with the cursors of its rows, which are not ids of the entities shown. */
export function cursorPage<Row extends { readonly cursor: string }>(rows: readonly Row[]): Page<Row> {
  const first = rows[0]?.cursor;
  const last = rows.at(-1)?.cursor;
  return new Page(rows, first === undefined || last === undefined ? undefined : { first, last });
}
