import { ConcurrentIndex } from '../concurrent-index.js';
import { ForwardOnly } from '../forward-only.js';

/** Posts of other servers arrive in any order: a reply may come before its parent, a quote before what it quotes. */
export class RemotePosts1763900040000 extends ForwardOnly {
  readonly name = 'RemotePosts1763900040000';
  protected readonly statements = `
    alter table statuses add column in_reply_to_uri text;
  `;
}

export class WaitingReplies1763900040001 extends ConcurrentIndex {
  readonly name = 'WaitingReplies1763900040001';
  protected readonly index = 'statuses_waiting_replies';
  protected readonly definition =
    'on statuses (in_reply_to_uri) where in_reply_to_id is null and in_reply_to_uri is not null';
}

export class WaitingQuotes1763900040002 extends ConcurrentIndex {
  readonly name = 'WaitingQuotes1763900040002';
  protected readonly index = 'statuses_waiting_quotes';
  protected readonly definition = 'on statuses (quote_uri) where quote_of_id is null and quote_uri is not null';
}
