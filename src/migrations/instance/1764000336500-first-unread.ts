import { ForwardOnly } from '../forward-only.js';

/** The first unread post of a conversation: when a deletion leaves an earlier one as the last, the conversation is read. */
export class FirstUnread1764000336500 extends ForwardOnly {
  readonly name = 'FirstUnread1764000336500';
  protected readonly statements = 'alter table conversation_participants add column unread_from text collate "C"';
}
