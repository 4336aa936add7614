import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DateTime, DecimalId, FlakeId } from '../../common/index.js';
import { PlainStatusShape } from '../../statuses/index.js';
import { GroupKey, NotificationShape } from '../reading/notification.shape.js';

const closed = { additionalProperties: false } as const;

const { type, report, target, chat_message, emoji, emoji_url } = NotificationShape.properties;

/** Notifications that are shown as one (reference NotificationGroup). */
const NotificationGroupShape = Type.Object(
  {
    group_key: GroupKey,
    notifications_count: Type.Integer({ minimum: 1 }),
    type,
    /** A number, as the reference has it. */
    most_recent_notification_id: Type.Integer({ minimum: 1 }),
    /** These three only in pages. */
    page_min_id: Type.Optional(DecimalId),
    page_max_id: Type.Optional(DecimalId),
    latest_page_notification_at: Type.Optional(DateTime),
    /** The accounts of the newest ones, newest first. */
    sample_account_ids: Type.Array(FlakeId, { minItems: 1, maxItems: 8 }),
    status_id: Type.Optional(FlakeId),
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
    accounts: Type.Array(AccountShape),
    partial_accounts: Type.Optional(Type.Array(PartialAccountShape)),
    statuses: Type.Array(PlainStatusShape),
    notification_groups: Type.Array(NotificationGroupShape),
  },
  { ...closed, title: 'GroupedNotifications' },
);

export type GroupedNotificationsJson = Static<typeof GroupedNotificationsShape>;
