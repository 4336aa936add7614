import { type Static, Type } from 'typebox';
import { AccountShape } from '../accounts/index.js';
import { DateTime, FlakeId, Nullable } from '../common/index.js';
import { EmojiShape } from '../emoji/index.js';
import { AttachmentShape } from '../media/index.js';

const closed = { additionalProperties: false } as const;

/** A chat message as one of its two parties sees it (spec §2.5). */
export const ChatMessageShape = Type.Object(
  {
    id: FlakeId,
    chat_id: FlakeId,
    account_id: FlakeId,
    content: Nullable(Type.String()),
    created_at: DateTime,
    emojis: Type.Array(EmojiShape),
    attachment: Nullable(AttachmentShape),
    card: Type.Null(),
    unread: Type.Boolean(),
    idempotency_key: Type.Optional(Type.String()),
  },
  { ...closed, title: 'ChatMessage' },
);

const times = { unread: Type.Integer({ minimum: 0 }), updated_at: DateTime };

const chat = { id: FlakeId, account: AccountShape, ...times };

/** A chat as its owner sees it (spec §2.5). */
export const ChatShape = Type.Object(
  { ...chat, last_message: Nullable(ChatMessageShape) },
  { ...closed, title: 'Chat' },
);

/** A chat as staff sees it (spec §2.5). */
export const StaffChatShape = Type.Object(
  { id: FlakeId, sender: AccountShape, receiver: AccountShape, ...times, last_message: Nullable(ChatMessageShape) },
  { ...closed, title: 'StaffChat' },
);

/** A chat that was marked as read: it does not name its last message. */
export const ReadChatShape = Type.Object(chat, { ...closed, title: 'ReadChat' });

export type ChatMessageJson = Static<typeof ChatMessageShape>;
export type ChatJson = Static<typeof ChatShape>;
