import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DateTime, DecimalId, Described, FlakeId } from '../../common/index.js';
import { PlainStatusShape } from '../../statuses/index.js';
import { GroupKey, NotificationShape } from '../reading/notification.shape.js';

const closed = { additionalProperties: false } as const;

const { type, report, target, chat_message, emoji, emoji_url } = NotificationShape.properties;

/** Notifications that are shown as one (reference NotificationGroup). */
const NotificationGroupShape = Type.Object(
  {
    group_key: Described(GroupKey, 'The key of the group.'),
    notifications_count: Described(Type.Integer({ minimum: 1 }), 'The number of its notifications.'),
    type,
    /** A number, as the reference has it. */
    most_recent_notification_id: Described(Type.Integer({ minimum: 1 }), 'The id of its latest notification.'),
    /** These three only in pages. */
    page_min_id: Described(Type.Optional(DecimalId), 'The id of its earliest notification on the page.'),
    page_max_id: Described(Type.Optional(DecimalId), 'The id of its latest notification on the page.'),
    latest_page_notification_at: Described(
      Type.Optional(DateTime),
      'When its latest notification on the page was made.',
    ),
    /** The accounts of the newest ones, newest first. */
    sample_account_ids: Described(
      Type.Array(FlakeId, { minItems: 1, maxItems: 8 }),
      'The ids of the latest accounts behind it.',
    ),
    status_id: Described(Type.Optional(FlakeId), 'The id of the post it is about.'),
    report,
    target,
    chat_message,
    emoji,
    emoji_url,
  },
  { ...closed, title: 'NotificationGroup' },
);

/** What an app needs of an account to show its picture (reference PartialAccountWithAvatar). */
const PartialAccountShape = Type.Pick(AccountShape, ['id', 'acct', 'locked', 'bot', 'url', 'avatar', 'avatar_static'], {
  ...closed,
  title: 'PartialAccount',
});

/** Groups, and once each the accounts and posts that they name (reference GroupedNotificationsResults). */
export const GroupedNotificationsShape = Type.Object(
  {
    accounts: Described(Type.Array(AccountShape), 'The accounts that the groups name.'),
    partial_accounts: Described(
      Type.Optional(Type.Array(PartialAccountShape)),
      'Further accounts, with their pictures only.',
    ),
    statuses: Described(Type.Array(PlainStatusShape), 'The posts that the groups name.'),
    notification_groups: Described(Type.Array(NotificationGroupShape), 'The groups.'),
  },
  { ...closed, title: 'GroupedNotifications' },
);

export type GroupedNotificationsJson = Static<typeof GroupedNotificationsShape>;
