import { ForwardOnly } from '../forward-only.js';

/**
 * Finds what names an account without a foreign key: posts that answer a deleted post of it or are in its group, and
 * conversations with it. A post that answers a stored post names the author of that post, who is found there.
 */
export class NamedAccountsIndex1764000336000 extends ForwardOnly {
  readonly name = 'NamedAccountsIndex1764000336000';
  protected readonly statements = `
    create index statuses_answered on statuses (in_reply_to_account_id) where in_reply_to_account_id is not null and in_reply_to_id is null;
    create index statuses_group on statuses (group_id) where group_id is not null;
    create index conversation_participants_people on conversation_participants using gin ((participants || recipients));`;
}
