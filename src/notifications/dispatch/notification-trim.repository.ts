import { Injectable } from '@nestjs/common';
import { Database, purge, sql } from '../../platform/index.js';
import { isAnswered } from '../model/answered.sql.js';
import { KEPT } from '../model/notification.entity.js';

/** Maximum age of stored notifications, in days. */
export const KEPT_DAYS = 365;
/** Maximum number of rows that one statement reads or deletes. */
export const BATCH = 1_000;

// Index: notifications_page, the whole index.
const overlong = sql<{ receiverId: string }>(
  'notifications.overlong',
  `select receiver_id as "receiverId" from notifications where receiver_id > $1 group by receiver_id having count(*) > ${KEPT}
   order by receiver_id limit ${BATCH}`,
);

// Index: notifications_page.
const trim = sql(
  'notifications.trim',
  `delete from notifications where id in (
     select id from notifications n where n.receiver_id = $1 and ${isAnswered('n')} order by id desc offset ${KEPT} limit ${BATCH})`,
);

// Ids rise with time, so the oldest rows come first in the primary key.
const dropOld = sql(
  'notifications.drop_old',
  `with oldest as materialized (
     select n.id, n.created_at from notifications n where ${isAnswered('n')} order by n.id limit ${BATCH})
   delete from notifications n using oldest
   where n.id = oldest.id and oldest.created_at < now() - interval '${KEPT_DAYS} days'`,
);

/** Requests of which nothing is left for a day. */
const EMPTY = `not accepted and updated_at < now() - interval '1 day' and not exists (
  select from notifications n where n.receiver_id = notification_requests.receiver_id
    and n.from_id = notification_requests.from_id and n.filtered)`;

/** Deletes old notifications, in small batches. */
@Injectable()
export class NotificationTrimRepository {
  constructor(private readonly db: Database) {}

  /** Lists up to {@link BATCH} receivers after an id who have more than {@link KEPT} notifications. */
  async overlong(after: string): Promise<string[]> {
    return (await this.db.rows(overlong, [after])).map((row) => row.receiverId);
  }

  /** Deletes a receiver's oldest notifications beyond {@link KEPT}, at most {@link BATCH}; returns their number. */
  trim(receiverId: string): Promise<number> {
    return this.db.run(trim, [receiverId]);
  }

  /** Deletes those of the {@link BATCH} oldest that are older than {@link KEPT_DAYS} days; returns their number. */
  dropOld(): Promise<number> {
    return this.db.run(dropOld);
  }

  /** Deletes requests that are not accepted, have no notifications and did not change for a day. */
  async dropEmptyRequests(): Promise<void> {
    await purge(this.db, { table: 'notification_requests', where: EMPTY, by: 'id' });
  }
}
