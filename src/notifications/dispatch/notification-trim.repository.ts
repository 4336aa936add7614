import { Injectable } from '@nestjs/common';
import { Database, purge, sql } from '../../platform/index.js';
import { isAnswered } from '../model/answered.sql.js';
import { KEPT } from '../model/notification.entity.js';

/** Maximum age of stored notifications, in days. */
export const KEPT_DAYS = 365;
/** Maximum number of rows that one statement reads or deletes. */
export const BATCH = 1_000;
/** Number of receivers whose notifications one statement counts, each up to {@link KEPT}. */
const PAGE_OF_RECEIVERS = 200;

/** A local account, and whether it has more than {@link KEPT} notifications. */
export interface Receiver {
  readonly accountId: string;
  readonly isOverlong: boolean;
}

// A page of receivers costs the same however many notifications there are. Index: users_pkey, and notifications_page once for
// each receiver.
const receivers = sql<Receiver>(
  'notifications.receivers',
  `select u.account_id as "accountId", coalesce((
     select true from notifications n where n.receiver_id = u.account_id offset ${KEPT} limit 1), false)
     as "isOverlong"
   from users u where u.account_id > $1 order by u.account_id limit ${PAGE_OF_RECEIVERS}`,
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

  /** Lists the next receivers after an id. */
  receivers(after: string): Promise<Receiver[]> {
    return this.db.rows(receivers, [after]);
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
