import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { ChatMessageShape } from '../../chats/index.js';
import { DateTime, DecimalId, FlakeId, Nullable } from '../../common/index.js';
import { PostShape } from '../../statuses/index.js';
import { NOTIFICATION_TYPES } from '../model/notification.types.js';

const closed = { additionalProperties: false } as const;

/** Something that somebody is told of (spec §2.4, reference Notification). A status stands where it is about one. */
export const NotificationShape = Type.Object(
  {
    id: DecimalId,
    type: Type.Enum([...NOTIFICATION_TYPES]),
    created_at: DateTime,
    group_key: Type.String({ pattern: String.raw`^ungrouped-\d+$` }),
    account: AccountShape,
    status: Type.Optional(PostShape),
    /** The account that somebody moved to. */
    target: Type.Optional(AccountShape),
    chat_message: Type.Optional(ChatMessageShape),
    /** Of a reaction: an emoji, or a custom one as `:name:`, which has an address as long as it is to be had. */
    emoji: Type.Optional(Type.String({ minLength: 1 })),
    emoji_url: Type.Optional(Nullable(Type.String({ pattern: String.raw`^https?://\S+$` }))),
    /** As the module that owns reports shows it to staff. */
    report: Type.Optional(Type.Object({ id: FlakeId })),
    svc: Type.Object({ is_seen: Type.Boolean(), is_muted: Type.Boolean() }, closed),
  },
  { ...closed, title: 'Notification' },
);

/** What was read: one notification, or all up to one (spec §4.2). */
export const ReadShape = Type.Union([NotificationShape, Type.Array(NotificationShape)]);

/** How many notifications are unread (reference). */
export const UnreadCountShape = Type.Object({ count: Type.Integer({ minimum: 0 }) }, closed);

export type UnreadCountJson = Static<typeof UnreadCountShape>;
export type NotificationJson = Static<typeof NotificationShape>;
