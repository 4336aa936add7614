import { blocks, hidesServerOf, mutes } from '../accounts/index.js';
import { MAX_COUNTED, MAX_UNPAGED } from '../common/index.js';
import type { StoredEmoji } from '../emoji/index.js';
import { type AttachmentRow, chatAttachmentsOf } from '../media/index.js';
import { columns, fragment, type Keyset, SLICE, someRow, sql } from '../platform/index.js';
import { isDeactivated, isOutsideBlockedDomains } from '../statuses/index.js';
import { ChatMessage, Chat } from './chat.entities.js';

/** A message as the owner of a chat has it. */
export interface MessageRow {
  readonly messageId: string;
  readonly chatId: string;
  readonly senderId: string;
  readonly content: string;
  /** Null for local messages. */
  readonly emojis: readonly StoredEmoji[] | null;
  readonly createdAt: string;
  readonly attachments: readonly AttachmentRow[] | null;
  readonly unread: boolean;
  /** Only for the sender, and only for some minutes. */
  readonly idempotencyKey: string | null;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** A chat as its owner has it, with one of its messages, mostly the newest, or with nulls. */
export type ChatRow = {
  readonly id: string;
  readonly partnerId: string;
  readonly position: string;
  readonly updatedAt: string;
  readonly unreadCount: number;
} & Nullable<MessageRow>;

/** A chat with its owner. */
export type OwnedChatRow = ChatRow & { readonly ownerId: string };

const KEY_SHOWN_FOR = `interval '10 minutes'`;

const MESSAGE = `said.id as "messageId", e.chat_id as "chatId",
  ${columns(ChatMessage, 'said', ['senderId', 'content', 'emojis', 'createdAt'])},
  ${chatAttachmentsOf('said.id')} as attachments, e.unread,
  case when said.sender_id = c.owner_id and said.created_at > now() - ${KEY_SHOWN_FOR} then said.idempotency_key end as "idempotencyKey"`;

const CHAT = `${columns(Chat, 'c', ['id', 'partnerId', 'position', 'updatedAt'])},
  (select count(*)::int from (select from chat_entries u where u.chat_id = c.id and u.unread limit ${MAX_COUNTED}) u) as "unreadCount"`;

// Index: chat_entries_pkey.
const NEWEST = `left join lateral (
    select ${MESSAGE} from chat_entries e join chat_messages said on said.id = e.message_id
    where e.chat_id = c.id order by e.message_id desc limit 1) newest on true`;

const IS_PARTNER_ACTIVE = `not ${isDeactivated('c.partner_id')}`;
const IS_SHOWN = `c.owner_id = $1 and ${IS_PARTNER_ACTIVE}`;
const domains = isOutsideBlockedDomains(['c.partner_id'], '$1');

/** Whether the owner `owner` wants to see the partner; muted people only where `withMuted` holds. */
const isPartnerWanted = (owner: string, withMuted: string) => `not ${blocks(owner, 'c.partner_id')}
  and (${withMuted} or not ${mutes(owner, 'c.partner_id')})`;

/** Whether the owner `$1` has the chat in the list; chats with muted people only where `withMuted` holds. */
const isListed = (withMuted: string) => fragment`${IS_SHOWN} and ${isPartnerWanted('$1', withMuted)} and ${domains}`;

/** The place of a chat in the list, for a bound that names a chat; other bounds are places already. */
const place = (bound: string) =>
  `coalesce((select b.position from chats b where b.id = ${bound} and b.owner_id = $1), ${bound})`;

// $2 with_muted, $3 below, $4 above, $5 limit, $6 offset. Index: chats_page.
const page = (direction: Keyset['direction']) =>
  sql<ChatRow>(
    `chats.page.${direction}`,
    fragment`select ${CHAT}, newest.* from chats c ${NEWEST}
     where ${isListed('$2')}
       and c.position < ${place('$3')} and c.position > ${place('$4')}
     order by c.position ${direction === 'older' ? 'desc' : 'asc'} limit $5 offset $6`,
  );

/** The chats of the owner `$1` that nothing hides, the one with the newest message first when `older`. */
export const chatPage = { older: page('older'), newer: page('newer') };

const COUNTED = 100;

/**
 * The number of chats of the owner `$1` with unread messages, among the 100 with the newest messages; hidden ones are
 * left out.
 * Index: chats_page, chat_entries_unread.
 */
export const unreadChats = fragment`(select count(*)::int
   from (select * from chats where owner_id = $1 order by position desc limit ${COUNTED}) c
   where ${isListed('false')}
     and exists (select from chat_entries u where u.chat_id = c.id and u.unread))`;

/** Index: the primary key. */
export const chatById = sql<ChatRow>(
  'chats.by_id',
  `select ${CHAT}, newest.* from chats c ${NEWEST} where ${IS_SHOWN} and c.id = $2`,
);

const OWNED_CHAT = `select ${CHAT}, c.owner_id as "ownerId", newest.* from chats c ${NEWEST}`;

/** The chats of the owner `$1`, the newest message first. Index: chats_page. */
export const chatsForStaff = sql<OwnedChatRow>(
  'chats.for_staff',
  `${OWNED_CHAT} where c.owner_id = $1 order by c.position desc limit ${MAX_UNPAGED}`,
);

/** Index: chats_pkey. */
export const chatForStaff = sql<OwnedChatRow>('chats.one_for_staff', `${OWNED_CHAT} where c.id = $1`);

// $2 chat, $3 below, $4 above, $5 limit. Index: chat_entries_pkey.
const messages = (direction: Keyset['direction']) =>
  sql<MessageRow>(
    `chats.messages.${direction}`,
    `select ${MESSAGE} from chats c join chat_entries e on e.chat_id = c.id join chat_messages said on said.id = e.message_id
     where c.owner_id = $1 and c.id = $2 and e.message_id < $3 and e.message_id > $4
     order by e.message_id ${direction === 'older' ? 'desc' : 'asc'} limit $5`,
  );

/** A page of the messages of a chat. */
export const messagePage = { older: messages('older'), newer: messages('newer') };

/** The chat `$2` of the owner `$1`, unless its partner is deactivated. Index: the primary key. */
export const ownChat = sql<{ partnerId: string }>(
  'chats.own',
  `select c.partner_id as "partnerId" from chats c where ${IS_SHOWN} and c.id = $2`,
);

/** One message; of a deactivated partner only where `$4` holds. Index: chat_entries_pkey. */
export const messageById = sql<MessageRow>(
  'chats.message',
  `select ${MESSAGE} from chats c join chat_entries e on e.chat_id = c.id join chat_messages said on said.id = e.message_id
   where c.owner_id = $1 and c.id = $2 and e.message_id = $3 and ($4::boolean or ${IS_PARTNER_ACTIVE})`,
);

/** Messages of the owner `$1` among `$2`. Index: chat_entries_message. */
export const messagesByIds = sql<MessageRow>(
  'chats.messages_by_ids',
  `select ${MESSAGE} from chat_entries e join chat_messages said on said.id = e.message_id join chats c on c.id = e.chat_id
   where e.message_id = any($2::text[]) and c.owner_id = $1`,
);

/**
 * The chats that the messages `$1` are in, with the message: the sender's, and the recipient's where the recipient's list has
 * it. Index: chat_entries_message.
 */
export const chatsWithMessages = sql<OwnedChatRow & MessageRow>(
  'chats.with_messages',
  `select ${CHAT}, c.owner_id as "ownerId", ${MESSAGE}
   from chat_entries e join chats c on c.id = e.chat_id join chat_messages said on said.id = e.message_id
     join accounts partner on partner.id = c.partner_id
   where e.message_id = any($1::text[]) and ${IS_PARTNER_ACTIVE} and (said.sender_id = c.owner_id
     or ${isPartnerWanted('c.owner_id', 'false')} and not ${hidesServerOf('c.owner_id', 'partner')})`,
);

/** Whether an account still has a message. Index: chat_entries_message. */
export function hasMessage(account: string, message: string): string {
  return someRow(
    `chat_entries e join chats c on c.id = e.chat_id where e.message_id = ${message} and c.owner_id = ${account}`,
  );
}

export const openChat = sql(
  'chats.open',
  `insert into chats (id, owner_id, partner_id, position) values ($1, $2, $3, $1) on conflict (owner_id, partner_id) do nothing`,
);

/**
 * Stores a message with the chats of its local parties. Chats are written in the order of their owners, so that messages in both
 * directions do not wait for each other. Nothing happens when the message is known. `$8` are ids for chats that are missing, `$9`
 * the owners, `$10` their partners.
 */
export const storeMessage = sql(
  'chats.store_message',
  `with message as (
     insert into chat_messages (id, uri, sender_id, recipient_id, content, emojis, idempotency_key)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7) on conflict (uri) do nothing returning id),
   side as (
     insert into chats as c (id, owner_id, partner_id, position)
     select new.id, new.owner_id, new.partner_id, message.id
     from message, unnest($8::text[], $9::text[], $10::text[]) as new(id, owner_id, partner_id) order by new.owner_id
     on conflict (owner_id, partner_id) do update
       set position = greatest(c.position, excluded.position), updated_at = greatest(c.updated_at, excluded.updated_at)
     returning c.id, c.owner_id)
   insert into chat_entries (chat_id, message_id, unread)
   select side.id, message.id, side.owner_id <> $3 from side, message`,
);

/**
 * Marks the newest unread messages of a chat up to one as read. Locks the rows in their order, so that two requests cannot
 * deadlock. Index: chat_entries_unread.
 */
export const readChat = sql<{ messageId: string }>(
  'chats.read',
  `with slice as materialized (
     select message_id from chat_entries where chat_id = $1 and unread and message_id <= $2
     order by message_id desc limit ${SLICE} for no key update),
   changed as (
     update chat_entries e set unread = false from slice where e.chat_id = $1 and e.message_id = slice.message_id
     returning e.message_id)
   select message_id as "messageId" from changed order by message_id desc`,
);

/** Whether one of two accounts blocks the other. */
export const blockBetween = sql<{ isBlocked: boolean }>(
  'chats.block_between',
  `select ${blocks('$1', '$2')} or ${blocks('$2', '$1')} as "isBlocked"`,
);
