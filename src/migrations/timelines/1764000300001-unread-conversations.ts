import { ForwardOnly } from '../forward-only.js';

/** The unread conversations of an account in the order of the list: they are read a part at a time, the latest first. */
export class UnreadConversations1764000300001 extends ForwardOnly {
  readonly name = 'UnreadConversations1764000300001';
  protected readonly statements = `
    drop index conversation_participants_unread;
    create index conversation_participants_unread on conversation_participants (account_id, last_status_id desc) where unread;
  `;
}
