import { ForwardOnly } from '../forward-only.js';

export class Timelines1763600005000 extends ForwardOnly {
  readonly name = 'Timelines1763600005000';
  protected readonly statements = `
    create table home_feed (
      account_id text collate "C" not null,
      status_id text collate "C" not null,
      author_id text collate "C" not null,
      reblog_of_id text collate "C",
      primary key (account_id, status_id)
    ) with (autovacuum_vacuum_scale_factor = 0.02);
    create index home_feed_reblogs on home_feed (account_id, reblog_of_id, status_id) where reblog_of_id is not null;
  `;
}
