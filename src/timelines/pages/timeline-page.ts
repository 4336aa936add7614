import { type Json, Page } from '../../common/index.js';
import type { FilterPlace, PageRow, StatusContext, StatusView } from '../../statuses/index.js';

/** For whom a timeline is shown, and as which kind of place: the viewer's filters leave out what they hide there. */
export type TimelineContext = StatusContext & { readonly place: FilterPlace };

/** Renders the rows of a page, which is continued by the ids of its rows, whether filters hide some of them or not. */
export async function timelinePage(
  rows: readonly PageRow[],
  view: StatusView,
  context: TimelineContext,
): Promise<Page<Json>> {
  const first = rows[0]?.feed_id;
  const last = rows.at(-1)?.feed_id;
  const items = await view.many(rows, context);
  return new Page(items, first === undefined || last === undefined ? undefined : { first, last });
}
