import { ForwardOnly } from '../forward-only.js';

/** A file belongs to a post or to a chat message. It outlives the message, so that the sweep knows which files to remove. */
export class ChatAttachments1764000031001 extends ForwardOnly {
  readonly name = 'ChatAttachments1764000031001';
  protected readonly statements = `
    alter table attachments add column chat_message_id text collate "C" references chat_messages (id) on delete set null;
    create index attachments_chat_message on attachments (chat_message_id) where chat_message_id is not null;
  `;
}
