import { type Json, Page } from '../../common/index.js';
import type { FilterPlace, PageRow, StatusContext, StatusView } from '../../statuses/index.js';

/** The viewer of a timeline, and the kind of place that the viewer's filters apply to. */
export type TimelineContext = StatusContext & { readonly place: FilterPlace };

/** Renders a page. Its cursors come from its rows, also from those that filters hide. */
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
