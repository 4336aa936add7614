import { ForwardOnly } from './forward-only.js';

/**
 * Most accounts follow, block and favour few others, and next to nobody favours or boosts most posts: told so, PostgreSQL holds
 * a list of all that one of them has for as good a way to one pair as the index of pairs, and reads 5,000 rows where an account
 * has these. So it is told that there are always some. Counts with the next `analyze`; no rows are written, nothing waits.
 */
export class CommonValues1763600045000 extends ForwardOnly {
  readonly name = 'CommonValues1763600045000';
  protected readonly statements = `
    alter table follows alter column follower_id set (n_distinct = -0.02), alter column followee_id set (n_distinct = -0.02);
    alter table blocks alter column account_id set (n_distinct = -0.02), alter column target_id set (n_distinct = -0.02);
    alter table mutes alter column account_id set (n_distinct = -0.02), alter column target_id set (n_distinct = -0.02);
    alter table domain_blocks alter column account_id set (n_distinct = -0.02);
    alter table favourites alter column account_id set (n_distinct = -0.02), alter column status_id set (n_distinct = -0.02);
    alter table bookmarks alter column account_id set (n_distinct = -0.02);
    alter table statuses alter column reblog_of_id set (n_distinct = -0.01);
    alter table poll_votes alter column account_id set (n_distinct = -0.02);
    alter table conversation_participants alter column account_id set (n_distinct = -0.02);
    alter table list_members alter column list_id set (n_distinct = -0.02);
    analyze follows, blocks, mutes, domain_blocks, favourites, bookmarks, poll_votes, conversation_participants, list_members;
    analyze statuses (reblog_of_id);
  `;
}
