import { ForwardOnly } from '../forward-only.js';

/** Follows count in both accounts only while neither is deactivated, as lists show them. */
export class CountedFollows1764000226100 extends ForwardOnly {
  readonly name = 'CountedFollows1764000226100';
  protected readonly statements = `
    alter table follows add column counted boolean not null default true;
    with hidden as (
      select f.id from accounts a join follows f on f.follower_id = a.id where a.deactivated_at is not null
      union
      select f.id from accounts a join follows f on f.followee_id = a.id where a.deactivated_at is not null
    ), uncounted as (
      update follows f set counted = false from hidden where f.id = hidden.id returning f.follower_id, f.followee_id, f.state
    ), change as (
      select account_id, sum(followers) as followers, sum(following) as following from (
        select followee_id as account_id, 1 as followers, 0 as following from uncounted where state = 1
        union all
        select follower_id, 0, 1 from uncounted where state = 1) each group by account_id)
    update account_stats s set followers_count = greatest(s.followers_count - change.followers, 0),
      following_count = greatest(s.following_count - change.following, 0)
    from change where s.account_id = change.account_id;`;
}
