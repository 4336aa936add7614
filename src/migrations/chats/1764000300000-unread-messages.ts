import { ForwardOnly } from '../forward-only.js';

/** The unread messages of a chat in their order: they are read a part at a time, the newest first. */
export class UnreadMessages1764000300000 extends ForwardOnly {
  readonly name = 'UnreadMessages1764000300000';
  protected readonly statements = `
    drop index chat_entries_unread;
    create index chat_entries_unread on chat_entries (chat_id, message_id desc) where unread;
  `;
}
