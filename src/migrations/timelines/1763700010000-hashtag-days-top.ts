import { ForwardOnly } from '../forward-only.js';

/** The hashtags that most people used on a day. Serves whole days too, as the index before it did. */
export class HashtagDaysTop1763700010000 extends ForwardOnly {
  readonly name = 'HashtagDaysTop1763700010000';
  protected readonly statements = `
    create index hashtag_days_top on hashtag_days (day, accounts desc);
    drop index hashtag_days_day;
  `;
}
