import { ForwardOnly } from '../forward-only.js';

/**
 * Most accounts follow, block and favour few others, and next to nobody favours or boosts most posts: told so, PostgreSQL holds
 * a list of all that one of them has for as good a way to one pair as the index of pairs, and reads 5,000 rows where an account
 * has these. So it is told that there are always some. No rows are written, nothing waits. An empty table is not analysed: it
 * would be taken for one that stays small, and read as a whole by the checks of foreign keys.
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
    do $$ declare wanted text; filled boolean; begin
      foreach wanted in array array['follows', 'blocks', 'mutes', 'domain_blocks', 'favourites', 'bookmarks', 'statuses',
        'poll_votes', 'conversation_participants', 'list_members'] loop
        execute format('select exists (select from %I)', wanted) into filled;
        if filled then execute format('analyze %I', wanted); end if;
      end loop;
    end $$;
  `;
}
