import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { ChatMessageShape } from '../../chats/index.js';
import { DateTime, DecimalId, Described, FlakeId, Nullable } from '../../common/index.js';
import { PlainStatusShape } from '../../statuses/index.js';
import { NOTIFICATION_TYPES } from '../model/notification.types.js';

const closed = { additionalProperties: false } as const;

/** The same for the notifications of a group; `ungrouped-` and the id for one that is alone. */
export const GroupKey = Type.String({ pattern: String.raw`^((favourite|reblog)-\w+-\d+|follow-\d+|ungrouped-\d+)$` });

/** A notification (spec §2.4, reference Notification). */
export const NotificationShape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the notification.'),
    type: Described(Type.Enum([...NOTIFICATION_TYPES]), 'What happened.'),
    created_at: Described(DateTime, 'When it happened.'),
    group_key: Described(GroupKey, 'The key of the group it belongs to.'),
    account: Described(AccountShape, 'The account that caused it.'),
    status: Described(Type.Optional(PlainStatusShape), 'The post it is about.'),
    /** For a move: the account moved to. */
    target: Described(Type.Optional(AccountShape), 'The account that another one moved to.'),
    chat_message: Described(Type.Optional(ChatMessageShape), 'The chat message.'),
    /**
     * For a reaction: an emoji, or a custom emoji as `:name:`. `emoji_url` is null when its picture is not available.
     */
    emoji: Described(Type.Optional(Type.String({ minLength: 1 })), 'The emoji of a reaction.'),
    emoji_url: Described(
      Type.Optional(Nullable(Type.String({ pattern: String.raw`^https?://\S+$` }))),
      'The address of the picture of a custom emoji; null if there is no picture.',
    ),
    /** As rendered by the module that owns reports. */
    report: Described(
      Type.Optional(Type.Object({ id: Described(FlakeId, 'The id of the report.') })),
      'The report, for the staff.',
    ),
    svc: Described(
      Type.Object(
        {
          is_seen: Described(Type.Boolean(), 'Whether the caller has read it.'),
          is_muted: Described(Type.Boolean(), 'Whether the caller mutes its account or its thread.'),
        },
        closed,
      ),
      "Fields of this service's own.",
    ),
  },
  { ...closed, title: 'Notification' },
);

/** The notifications that were marked as read: one, or all up to one (spec §4.2). */
export const ReadShape = Type.Union([NotificationShape, Type.Array(NotificationShape)]);

/** The number of unread notifications (reference). */
export const UnreadCountShape = Type.Object(
  { count: Described(Type.Integer({ minimum: 0 }), 'The number of unread notifications or groups.') },
  closed,
);

export type UnreadCountJson = Static<typeof UnreadCountShape>;
export type NotificationJson = Static<typeof NotificationShape>;
