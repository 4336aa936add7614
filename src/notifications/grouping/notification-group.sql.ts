import { MAX_COUNTED } from '../../common/index.js';
import {
  cte,
  type Fragment,
  fragment,
  type Keyset,
  SLICE,
  someRow,
  sql,
  type Statement,
} from '../../platform/index.js';
import {
  isShownNow,
  newestNotifications,
  NOTIFICATION,
  notificationRows,
  type NotificationRow,
} from '../reading/notification-page.sql.js';

/** A group: its newest notification, and what all of them make. */
export type GroupRow = NotificationRow & {
  /** Up to {@link MAX_COUNTED}. */
  readonly notificationsCount: number;
  /** The accounts of the newest ones, newest first. */
  readonly sampleAccountIds: readonly string[];
  /** The oldest of its counted notifications that are not older than the last group of the page. */
  readonly pageMinId: string;
};

/** Number of accounts that a group names. */
const SAMPLE = 8;

// In all statements `$1` is the receiver.

/** The notifications of the receiver that may be shown and match a condition on `n`. */
const shown = (choice: string | Fragment) =>
  fragment`${NOTIFICATION} where n.receiver_id = $1 and ${choice} and ${isShownNow('false')}`;

/**
 * Selects the groups of `listed`: the id of the newest notification and the key of each. A notification that is shown alone has
 * no other members. Index: notifications_group.
 */
function groups(name: string, choice: string | Fragment, listed: Fragment): Statement<GroupRow> {
  const members = fragment`select count(*)::int as notifications_count,
      (array_agg(from_id order by id desc))[1:${SAMPLE}] as sample_account_ids,
      min(id) filter (where id >= (select min(id) from listed)) as page_min_id
    from (
      select n.id, n.from_id from ${newestNotifications('n.group_key = listed.group_key and n.id <= listed.id')}
      where ${choice} and ${isShownNow('false')} order by n.id desc limit ${MAX_COUNTED}) n`;
  return sql<GroupRow>(
    `notifications.groups.${name}`,
    notificationRows(
      fragment`${cte('listed', listed)} cross join lateral (${members}) members
        join notifications n on n.id = listed.id left join statuses post on post.id = n.status_id`,
      'listed.group_key',
      {
        notificationsCount: 'greatest(members.notifications_count, 1)',
        sampleAccountIds: 'coalesce(members.sample_account_ids, array[n.from_id])',
        pageMinId: 'coalesce(members.page_min_id, n.id)',
      },
    ),
  );
}

// In lists: $2 the types that are grouped, $3 types, $4 account or null, $5 filtered too, $6 below, $7 above, $8 limit, $9 offset.
const CHOICE = 'n.type = any($3::text[]) and ($4::text is null or n.from_id = $4) and (not n.filtered or $5::boolean)';
const KEY = `coalesce(case when n.type = any($2::text[]) then n.group_key end, 'ungrouped-' || n.id)`;

/**
 * Goes from the newest of one group to the newest of the next, past the groups before. Those that began above the page are
 * passed, not listed: they are on an earlier page. Index: notifications_page, notifications_group.
 */
const walk = cte(
  'walk(id, group_key, passed, is_listed, listed)',
  fragment`select $6::bigint, '' collate "C", '{}'::text[] collate "C", false, 0
    union all
    select next.id, next.group_key, walk.passed || next.group_key, not is_above, walk.listed + (not is_above)::int
    from walk cross join lateral (
        select n.id, ${KEY} as group_key from ${shown(CHOICE)}
          and n.id < walk.id and n.id > $7 and ${KEY} <> all(walk.passed) order by n.id desc limit 1) next
      cross join lateral (
        select exists(select from ${shown(`n.group_key = next.group_key and n.id >= $6 and ${CHOICE}`)}) as is_above) above
    where $8 > 0 and walk.listed < $8::bigint + $9::bigint`,
  'recursive',
);

/**
 * A page of groups, each at the place of its newest notification, so that no group is on two pages. Rows come newest
 * first in both directions.
 */
export const groupPage: Readonly<Record<Keyset['direction'], Statement<GroupRow>>> = {
  older: groups(
    'older',
    CHOICE,
    fragment`select id, group_key from ${walk} where is_listed order by id desc limit $8 offset $9`,
  ),
  newer: groups(
    'newer',
    CHOICE,
    fragment`select max(n.id) as id, ${KEY} as group_key from ${shown(CHOICE)} and n.id > $7
      group by 2 having max(n.id) < $6 order by 1 limit $8 offset $9`,
  ),
};

/** Counts groups with unread notifications. $6 maximum. Index: notifications_unseen. */
export const unreadGroups = sql<{ unread: number }>(
  'notifications.unread_groups',
  fragment`select count(*)::int as unread from (
     select from ${newestNotifications('not n.seen')} where ${CHOICE} and ${isShownNow('false')} group by ${KEY} limit $6) u`,
);

// $2 is the key of a group, or the id of a notification that is shown alone. Index: notifications_group, notifications_pkey.
const some = (choice: string) => someRow(shown(`n.group_key = $2 and ${choice}`));
/**
 * Whether a key means the filtered notifications of its group: only where no other is shown, since lists that include them
 * name such a group, too.
 */
const MEANS_FILTERED = fragment`(not ${some('not n.filtered')} and ${some('n.filtered')})`;
const MEMBERS = {
  key: fragment`n.group_key = $2 and n.filtered = ${MEANS_FILTERED}`,
  id: 'n.id = $2::bigint',
};
const SHOWN_KEY = { key: '$2::text', id: `('ungrouped-' || n.id)` };

const one = (by: keyof typeof MEMBERS) =>
  groups(
    `one_by_${by}`,
    MEMBERS[by],
    fragment`select n.id, ${SHOWN_KEY[by]} collate "C" as group_key
      from ${shown(MEMBERS[by])} order by n.id desc limit 1`,
  );

/** One group. */
export const oneGroup = { key: one('key'), id: one('id') };

// $3 below, $4 above, $5 limit.
const accounts = (by: keyof typeof MEMBERS, direction: Keyset['direction']) =>
  sql<{ id: string; fromId: string }>(
    `notifications.group_accounts_by_${by}.${direction}`,
    fragment`select n.id, n.from_id as "fromId" from ${shown(MEMBERS[by])} and n.id < $3 and n.id > $4
      order by n.id ${direction === 'older' ? 'desc' : 'asc'} limit $5`,
  );

/** The accounts of a group. */
export const groupAccounts = {
  key: { older: accounts('key', 'older'), newer: accounts('key', 'newer') },
  id: { older: accounts('id', 'older'), newer: accounts('id', 'newer') },
};

/** Which part of a group its key means. */
export const groupPart = sql<{ filtered: boolean }>(
  'notifications.group_part',
  fragment`select ${MEANS_FILTERED} as filtered`,
);

/** Removes the newest notifications of the group with the key `$2` up to an id, the filtered ones or the others. */
export const removeGroup = sql<{ id: string }>(
  'notifications.remove_group',
  `with slice as materialized (
     select n.id from notifications n where n.receiver_id = $1 and n.group_key = $2 and n.id <= $3 and n.filtered = $4
     order by n.id desc limit ${SLICE} for update),
   gone as (delete from notifications n using slice where n.id = slice.id returning n.id)
   select id from gone order by id desc`,
);
