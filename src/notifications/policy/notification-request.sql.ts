import { MAX_COUNTED } from '../../common/index.js';
import { columns, fragment, sql } from '../../platform/index.js';
import { isShownNow, newestNotifications } from '../reading/notification-page.sql.js';
import { NotificationRequest } from './notification-request.entity.js';

/** A request of an account to notify the receiver. */
export interface RequestRow {
  readonly id: string;
  readonly fromId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Up to {@link MAX_COUNTED}. */
  readonly notificationsCount: number;
  /** The newest counted notification about a post, else the newest. */
  readonly notificationId: string;
}

// In all statements `$1` is the receiver. A request is shown while one of its notifications is: the index is
// notifications_from.
const pending = fragment`select ${columns(NotificationRequest, 'r', ['id', 'fromId', 'createdAt', 'updatedAt'])},
       f.notifications as "notificationsCount", f.newest as "notificationId"
     from notification_requests r cross join lateral (
       select count(*)::int as notifications,
         coalesce(max(n.id) filter (where n.status_id is not null), max(n.id)) as newest
       from (
         select n.id, n.status_id from ${newestNotifications('n.from_id = r.from_id and n.filtered')}
         where ${isShownNow('false')} order by n.id desc limit ${MAX_COUNTED}) n) f
     where r.receiver_id = $1 and not r.accepted and f.notifications > 0`;

// $2 below, $3 above, $4 limit. Index: notification_requests_page.
const page = (direction: 'older' | 'newer') =>
  sql<RequestRow>(
    `notification_requests.page.${direction}`,
    fragment`${pending} and r.id < $2 and r.id > $3 order by r.id ${direction === 'older' ? 'desc' : 'asc'} limit $4`,
  );

export const requestPage = { older: page('older'), newer: page('newer') };

export const oneRequest = sql<RequestRow>('notification_requests.one', fragment`${pending} and r.id = $2`);

/** Counts requests and their notifications, up to the limit `$2` of requests. */
export const requestCounts = sql<{ requests: number; notifications: number }>(
  'notification_requests.counts',
  fragment`select count(*)::int as requests, coalesce(sum("notificationsCount"), 0)::int as notifications
   from (${pending} limit $2) p`,
);

/** Accepts the accounts of the requests `$2`. */
export const acceptRequests = sql<{ fromId: string }>(
  'notification_requests.accept',
  `update notification_requests set accepted = true where receiver_id = $1 and id = any($2::bigint[]) and not accepted
   returning from_id as "fromId"`,
);

/** Removes the requests `$2`. */
export const removeRequests = sql<{ fromId: string }>(
  'notification_requests.remove',
  `delete from notification_requests where receiver_id = $1 and id = any($2::bigint[]) and not accepted
   returning from_id as "fromId"`,
);

/** Lists the filtered notifications of the accounts `$2`. */
export const unfilter = sql(
  'notification_requests.unfilter',
  `update notifications set filtered = false where receiver_id = $1 and from_id = any($2::text[]) and filtered`,
);

/** Removes the filtered notifications of the accounts `$2`. */
export const removeFiltered = sql(
  'notification_requests.remove_filtered',
  `delete from notifications where receiver_id = $1 and from_id = any($2::text[]) and filtered`,
);
