import { MAX_COUNTED } from '../../common/index.js';
import { columns, fragment, SLICE, sql } from '../../platform/index.js';
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

// The newest filtered notifications of the accounts `$2` up to an id, locked in the order of the notifications, so that two
// requests cannot deadlock. Index: notifications_from.
const SLICE_OF_FILTERED = `slice as materialized (
     select id from notifications where id in (
       select n.id from unnest($2::text[]) sender(id) cross join lateral (
         select id from notifications where from_id = sender.id and receiver_id = $1 and filtered and id <= $3
         order by id desc limit ${SLICE}) n
       order by n.id desc limit ${SLICE})
     order by id for update)`;

/** Lists these notifications. */
export const unfilter = sql<{ id: string }>(
  'notification_requests.unfilter',
  `with ${SLICE_OF_FILTERED},
   listed as (update notifications n set filtered = false from slice where n.id = slice.id returning n.id)
   select id from listed order by id desc`,
);

/** Removes these notifications. */
export const removeFiltered = sql<{ id: string }>(
  'notification_requests.remove_filtered',
  `with ${SLICE_OF_FILTERED},
   gone as (delete from notifications n using slice where n.id = slice.id returning n.id)
   select id from gone order by id desc`,
);
