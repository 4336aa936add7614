import { ForwardOnly } from '../forward-only.js';

/** Chats: each side has its own chat, and its own reference to each message, which is stored once. */
export class Chats1764000031000 extends ForwardOnly {
  readonly name = 'Chats1764000031000';
  protected readonly statements = `
    create table chats (
      id text collate "C" primary key,
      owner_id text collate "C" not null references accounts (id) on delete cascade,
      partner_id text collate "C" not null references accounts (id) on delete cascade,
      position text collate "C" not null,
      updated_at timestamptz not null default now()
    );
    create unique index chats_pair on chats (owner_id, partner_id);
    create index chats_page on chats (owner_id, position);
    create index chats_partner on chats (partner_id);

    create table chat_messages (
      id text collate "C" primary key,
      uri text not null,
      sender_id text collate "C" not null references accounts (id) on delete cascade,
      recipient_id text collate "C" not null references accounts (id) on delete cascade,
      content text not null,
      emojis jsonb,
      idempotency_key text,
      created_at timestamptz not null default now()
    );
    create unique index chat_messages_uri on chat_messages (uri);
    create index chat_messages_sender on chat_messages (sender_id);
    create index chat_messages_recipient on chat_messages (recipient_id);

    create table chat_entries (
      chat_id text collate "C" not null references chats (id) on delete cascade,
      message_id text collate "C" not null references chat_messages (id) on delete cascade,
      unread boolean not null,
      primary key (chat_id, message_id)
    );
    create index chat_entries_message on chat_entries (message_id);
    create index chat_entries_unread on chat_entries (chat_id) where unread;
  `;
}
