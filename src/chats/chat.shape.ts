import { type Static, Type } from 'typebox';
import { AccountShape } from '../accounts/index.js';
import { DateTime, Described, FlakeId, Nullable } from '../common/index.js';
import { EmojiShape } from '../emoji/index.js';
import { AttachmentShape } from '../media/index.js';

const closed = { additionalProperties: false } as const;

/** A chat message as one of its two parties sees it (spec §2.5). */
export const ChatMessageShape = Type.Object(
  {
    id: Described(FlakeId, 'The id of the message.'),
    chat_id: Described(FlakeId, 'The id of the chat.'),
    account_id: Described(FlakeId, 'The id of the author.'),
    content: Described(Nullable(Type.String()), 'The text as HTML; null for none.'),
    created_at: Described(DateTime, 'When the message was sent.'),
    emojis: Described(Type.Array(EmojiShape), 'The custom emoji that the texts use.'),
    attachment: Described(Nullable(AttachmentShape), 'The file; null for none.'),
    card: Described(Type.Null(), 'The preview of a linked page: always null.'),
    unread: Described(Type.Boolean(), 'Whether the caller has not read it.'),
    idempotency_key: Described(Type.Optional(Type.String()), 'The key of the request that sent it; absent for none.'),
  },
  { ...closed, title: 'ChatMessage' },
);

const times = {
  unread: Described(Type.Integer({ minimum: 0 }), 'The number of unread messages.'),
  updated_at: Described(DateTime, 'When the chat last changed.'),
};

const chat = {
  id: Described(FlakeId, 'The id of the chat.'),
  account: Described(AccountShape, 'The other account.'),
  ...times,
};

/** A chat as its owner sees it (spec §2.5). */
export const ChatShape = Type.Object(
  { ...chat, last_message: Described(Nullable(ChatMessageShape), 'The latest message; null for none.') },
  { ...closed, title: 'Chat' },
);

/** A chat as staff sees it (spec §2.5). */
export const StaffChatShape = Type.Object(
  {
    id: Described(FlakeId, 'The id of the chat.'),
    sender: Described(AccountShape, 'The owner of the chat.'),
    receiver: Described(AccountShape, 'The other account.'),
    ...times,
    last_message: Described(Nullable(ChatMessageShape), 'The latest message; null for none.'),
  },
  { ...closed, title: 'StaffChat' },
);

/** A chat that was marked as read: it does not name its last message. */
export const ReadChatShape = Type.Object(chat, { ...closed, title: 'ReadChat' });

export type ChatMessageJson = Static<typeof ChatMessageShape>;
export type ChatJson = Static<typeof ChatShape>;
