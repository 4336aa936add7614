import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

/** Notifications that an account keeps: so many of the newest… */
export const KEPT = 5_000;
/** …for so long. */
export const KEPT_DAYS = 365;
/** Rows that one statement touches. */
export const BATCH = 1_000;

// Index: notifications_page, which is read as a whole.
const overlong = sql<{ receiver_id: string }>(
  'notifications.overlong',
  `select receiver_id from notifications where receiver_id > $1 group by receiver_id having count(*) > ${KEPT}
   order by receiver_id limit ${BATCH}`,
);

// Index: notifications_page.
const trim = sql(
  'notifications.trim',
  `delete from notifications where id in (
     select id from notifications where receiver_id = $1 order by id desc offset ${KEPT} limit ${BATCH})`,
);

// Ids rise with time: the oldest rows stand first in the primary key.
const dropOld = sql(
  'notifications.drop_old',
  `with oldest as materialized (select id, created_at from notifications order by id limit ${BATCH})
   delete from notifications n using oldest
   where n.id = oldest.id and oldest.created_at < now() - interval '${KEPT_DAYS} days'`,
);

/** Lets old notifications go, in small batches. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly db: Database) {}

  /** Up to {@link BATCH} receivers after an id who have more than {@link KEPT}. */
  async overlong(after: string): Promise<string[]> {
    return (await this.db.rows(overlong, [after])).map((row) => row.receiver_id);
  }

  /** Removes a receiver's oldest beyond {@link KEPT}, at most {@link BATCH}; answers how many. */
  trim(receiverId: string): Promise<number> {
    return this.db.run(trim, [receiverId]);
  }

  /** Removes those of the {@link BATCH} oldest that are older than {@link KEPT_DAYS} days; answers how many. */
  dropOld(): Promise<number> {
    return this.db.run(dropOld);
  }
}
