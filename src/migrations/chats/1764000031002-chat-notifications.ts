import { ForwardOnly } from '../forward-only.js';

/** Somebody is told once of a chat message, and no more when it is gone. */
export class ChatNotifications1764000031002 extends ForwardOnly {
  readonly name = 'ChatNotifications1764000031002';
  protected readonly statements = `
    alter table notifications add column chat_message_id text collate "C" references chat_messages (id) on delete cascade;
    create unique index notifications_of_chat_message on notifications (chat_message_id) where chat_message_id is not null;
  `;
}
