import { ForwardOnly } from '../forward-only.js';

/** The numbers that another server states about its posts and accounts are called after what they are. */
export class RemoteCounts1764000192000 extends ForwardOnly {
  readonly name = 'RemoteCounts1764000192000';
  protected readonly statements = `
    alter table status_stats rename column told_favourites to remote_favourites;
    alter table status_stats rename column told_reblogs to remote_reblogs;
    alter table account_stats rename column told_at to counts_fetched_at;`;
}
