import { hasMessage, unreadChats } from '../../chats/index.js';
import { type Fragment, fragment, type Keyset, snakeCase, sql, type Statement } from '../../platform/index.js';
import {
  blockedAccounts,
  isDeactivated,
  isThreadNotMuted,
  isOutsideBlockedDomains,
  isNotHidden,
  maySee,
  mentionsNoHidden,
  PAGE_KEYS,
  type PageRow,
  selectPage,
  matchesVisibility,
} from '../../statuses/index.js';
import { KEPT } from '../model/notification.entity.js';
import type { NotificationType } from '../model/notification.types.js';
import { mutedAccounts, refusedAccounts, silencedAccounts } from '../model/silenced.sql.js';

/** A notification with the page row of its status, or with nulls. */
export type NotificationRow = {
  readonly notificationId: string;
  readonly type: NotificationType;
  readonly groupKey: string;
  readonly fromId: string;
  readonly reportId: string | null;
  /** For a move: the account moved to. */
  readonly targetId: string | null;
  readonly chatMessageId: string | null;
  /** For a reaction. */
  readonly emoji: string | null;
  /** For a reaction with a custom emoji of a remote server. */
  readonly emojiUrl: string | null;
  readonly seen: boolean;
  /** Whether the receiver muted the actor or the thread. */
  readonly muted: boolean;
  readonly createdAt: string;
} & (PageRow | { readonly id: null });

// In all statements `$1` is the receiver.
const blocked = blockedAccounts('$1');
const muted = mutedAccounts('$1');
const silenced = silencedAccounts('$1');

/** A notification `n` with its post. */
export const NOTIFICATION = 'notifications n left join statuses post on post.id = n.status_id';

/**
 * The newest notifications of the receiver that match a condition on `n`, as many as are stored for longer than a day, with
 * their posts. Counts look no further.
 */
export const newestNotifications = (choice: string) => fragment`(
    select * from notifications n where n.receiver_id = $1 and ${choice} order by n.id desc limit ${KEPT}) n
  left join statuses post on post.id = n.status_id`;

/** The receiver is staff now: only current staff sees reports. */
const isStaff = `coalesce((select z.is_admin or z.is_moderator from users z where z.account_id = $1), false)`;

/** No block and no domain block hides the account from the receiver, and it is not deactivated. */
const isAccountShown = (account: string) =>
  fragment`${isNotHidden(account, blocked)} and not ${isDeactivated(account)} and ${isOutsideBlockedDomains([account], '$1')}`;

/** A row grants no access: every read checks blocks, mutes, the visibility of the status and the chat message again. */
export const isShownNow = (withMuted: string) => fragment`${isAccountShown('n.from_id')}
      and (n.target_id is null or ${isAccountShown('n.target_id')})
      and (${withMuted}::boolean
        or ${isNotHidden('n.from_id', silenced)} and ${isThreadNotMuted('post', '$1')} and ${mentionsNoHidden('post', '$1', silenced)})
      and (n.status_id is null or ${maySee('post', '$1')} and ${mentionsNoHidden('post', '$1', refusedAccounts('$1'))}) and (n.report_id is null or ${isStaff})
      and (n.chat_message_id is null or ${hasMessage('$1', 'n.chat_message_id')})`;

const COLUMNS = [
  'notificationId',
  'type',
  'groupKey',
  'fromId',
  'reportId',
  'targetId',
  'chatMessageId',
  'emoji',
  'emojiUrl',
  'seen',
  'muted',
  'createdAt',
];

/** The key of the group of a notification; one that is shown alone has a key of its own. */
const GROUP_KEY = `coalesce(n.group_key, 'ungrouped-' || n.id)`;

/** Index: reactions_one. */
const EMOJI_URL = `case when n.emoji like '%@%' then (
          select r.url from reactions r where r.status_id = n.status_id and r.account_id = n.from_id and r.name = n.emoji) end`;

/**
 * Selects everything that the view of notifications needs. `from` joins {@link NOTIFICATION} and ends with conditions;
 * `more` are further columns of it, by the names of their properties.
 */
export function notificationRows(
  from: Fragment,
  key = GROUP_KEY,
  more: Readonly<Record<string, string>> = {},
): Fragment {
  const further = Object.entries(more).map(([name, column]) => `${column} as ${snakeCase(name)}, `);
  return selectPage(
    '$1',
    fragment`select n.id as notification_id, n.type, ${key} as group_key, n.from_id, n.report_id, n.target_id, n.chat_message_id, n.emoji,
        ${EMOJI_URL} as emoji_url, n.seen, n.created_at,
        n.from_id in (select id from ${muted}) or not ${isThreadNotMuted('post', '$1')} as muted, ${further.join('')}
        post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS}
      from ${from}`,
    'page.notification_id desc',
    [...COLUMNS, ...Object.keys(more)],
  );
}

/** `where` and `order` refer to `n`. `$2` is with_muted. */
function rows(name: string, where: string, order = ''): Statement<NotificationRow> {
  return sql<NotificationRow>(
    `notifications.${name}`,
    notificationRows(fragment`${NOTIFICATION} where n.receiver_id = $1 and ${isShownNow('$2')} and ${where} ${order}`),
  );
}

// $3 below, $4 above, $5 types, $6 account or null, $7 excluded visibilities, $8 limit, $9 offset, $10 filtered too.
// Index: notifications_page. A filter reads at most all stored notifications of the receiver.
const page = (direction: Keyset['direction']) =>
  rows(
    `page.${direction}`,
    `n.id < $3 and n.id > $4 and n.type = any($5::text[]) and ($6::text is null or n.from_id = $6) and (not n.filtered or $10::boolean)
      and (n.status_id is null or ${matchesVisibility('post', '$7')})`,
    `order by n.id ${direction === 'older' ? 'desc' : 'asc'} limit $8 offset $9`,
  );

/** Rows come newest first in both directions of the scan. */
export const notificationPage = { older: page('older'), newer: page('newer') };

/** Index: the primary key. */
export const notificationsByIds = rows('by_ids', 'n.id = any($3::bigint[])');

// $2 types, $3 account or null, $4 maximum: what the list would show as unread. Index: notifications_unseen.
const unread = fragment`(select count(*)::int from (
     select from ${newestNotifications('not n.seen')}
     where not n.filtered and n.type = any($2::text[]) and ($3::text is null or n.from_id = $3)
       and ${isShownNow('false')}
     limit $4) u)`;

export const unreadCount = sql<{ unread: number }>('notifications.unread', fragment`select ${unread} as unread`);

/** Counts unread notifications and chats with unread messages in one statement. */
export const unreadCounts = sql<{ notifications: number; chats: number }>(
  'notifications.unread_with_chats',
  fragment`select ${unread} as notifications, ${unreadChats} as chats`,
);
