import type { ViewContext } from '../accounts/index.js';
import { type Json, Page } from '../common/index.js';
import type { PageRow, StatusView } from '../statuses/index.js';

/** Renders the rows of a page, which is continued by the ids of its entries. */
export async function timelinePage(
  rows: readonly PageRow[],
  view: StatusView,
  context: ViewContext,
): Promise<Page<Json>> {
  const first = rows[0]?.feed_id;
  const last = rows.at(-1)?.feed_id;
  const items = await view.many(rows, context);
  return new Page(items, first === undefined || last === undefined ? undefined : { first, last });
}
