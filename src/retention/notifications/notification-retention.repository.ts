import { Injectable } from '@nestjs/common';
import { isAnswered } from '../../notifications/index.js';
import { Database, sql } from '../../platform/index.js';
import { PREVIEW_ROWS, SLICE_ROWS } from '../model/retention-kind.js';

/**
 * Whether the notification `n` may go: the one definition, for the preview and the removal. Those that were not read stay.
 * `$2` is the age in days.
 */
const MAY_GO = `n.seen and n.created_at < now() - $2::float8 * interval '1 day' and ${isAnswered('n')}`;

/** The next notifications after an id, the oldest first. Index: notifications_pkey. */
const page = (rows: number) =>
  `page as materialized (select id from notifications where id > $1::bigint order by id limit ${rows})`;

interface CountRow {
  readonly count: number;
  readonly last: string | null;
}

const count = sql<CountRow>(
  'retention.count_notifications',
  `with ${page(PREVIEW_ROWS)}, going as (select from page join notifications n on n.id = page.id where ${MAY_GO})
   select (select count(*) from going)::int as count, case when count(*) = ${PREVIEW_ROWS} then max(id) end as last from page`,
);

const remove = sql<CountRow>(
  'retention.remove_notifications',
  `with ${page(SLICE_ROWS)}, gone as (
     delete from notifications n where n.id = any(array(select id from page)) and ${MAY_GO} returning 1)
   select (select count(*) from gone)::int as count, case when count(*) = ${SLICE_ROWS} then max(id) end as last from page`,
);

/** Finds and removes notifications that were read long ago. */
@Injectable()
export class NotificationRetentionRepository {
  constructor(private readonly db: Database) {}

  /** Counts those that may go among the next ones after an id. */
  count(after: string, days: number): Promise<{ count: number; last: string | undefined }> {
    return this.run(count, after, days);
  }

  /** Removes those that may go among the next ones after an id; returns their number. */
  removeNext(after: string, days: number): Promise<{ count: number; last: string | undefined }> {
    return this.run(remove, after, days);
  }

  private async run(statement: typeof count, after: string, days: number) {
    const row = await this.db.first(statement, [after || '0', days]);
    return { count: row?.count ?? 0, last: row?.last ?? undefined };
  }
}
