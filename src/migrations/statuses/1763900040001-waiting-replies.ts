import { ForwardOnly } from '../forward-only.js';

export class WaitingReplies1763900040001 extends ForwardOnly {
  readonly name = 'WaitingReplies1763900040001';
  protected readonly statements = `
    create index statuses_waiting_replies on statuses (in_reply_to_uri) where in_reply_to_id is null and in_reply_to_uri is not null;
  `;
}
