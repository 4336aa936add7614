import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { ChatMessageShape } from '../../chats/index.js';
import { DateTime, DecimalId, FlakeId, Nullable } from '../../common/index.js';
import { PlainStatusShape } from '../../statuses/index.js';
import { NOTIFICATION_TYPES } from '../model/notification.types.js';

const closed = { additionalProperties: false } as const;

/** The same for the notifications of a group; `ungrouped-` and the id for one that is alone. */
export const GroupKey = Type.String({ pattern: String.raw`^((favourite|reblog)-\w+-\d+|follow-\d+|ungrouped-\d+)$` });

/** A notification (spec §2.4, reference Notification). */
export const NotificationShape = Type.Object(
  {
    id: DecimalId,
    type: Type.Enum([...NOTIFICATION_TYPES]),
    created_at: DateTime,
    group_key: GroupKey,
    account: AccountShape,
    status: Type.Optional(PlainStatusShape),
    /** For a move: the account moved to. */
    target: Type.Optional(AccountShape),
    chat_message: Type.Optional(ChatMessageShape),
    /**
     * For a reaction: an emoji, or a custom emoji as `:name:`. `emoji_url` is null when its picture is not available.
     */
    emoji: Type.Optional(Type.String({ minLength: 1 })),
    emoji_url: Type.Optional(Nullable(Type.String({ pattern: String.raw`^https?://\S+$` }))),
    /** As rendered by the module that owns reports. */
    report: Type.Optional(Type.Object({ id: FlakeId })),
    svc: Type.Object({ is_seen: Type.Boolean(), is_muted: Type.Boolean() }, closed),
  },
  { ...closed, title: 'Notification' },
);

/** The notifications that were marked as read: one, or all up to one (spec §4.2). */
export const ReadShape = Type.Union([NotificationShape, Type.Array(NotificationShape)]);

/** The number of unread notifications (reference). */
export const UnreadCountShape = Type.Object({ count: Type.Integer({ minimum: 0 }) }, closed);

export type UnreadCountJson = Static<typeof UnreadCountShape>;
export type NotificationJson = Static<typeof NotificationShape>;
