import { ForwardOnly } from '../forward-only.js';

/** Favourites and boosts count only while their account is not deactivated, as lists show them. */
export class CountedActions1764000226210 extends ForwardOnly {
  readonly name = 'CountedActions1764000226210';
  protected readonly statements = `
    alter table favourites add column counted boolean not null default true;
    with uncounted as (
      update favourites f set counted = false from accounts a
      where a.id = f.account_id and a.deactivated_at is not null returning f.status_id
    ), change as (select status_id, count(*) as count from uncounted group by status_id)
    update status_stats s set favourites = greatest(s.favourites - change.count, 0)
    from change where s.status_id = change.status_id;
    with uncounted as (
      update statuses b set flags = b.flags | 64 from accounts a
      where a.id = b.author_id and a.deactivated_at is not null and b.reblog_of_id is not null and b.flags & 32 = 0
      returning b.reblog_of_id as status_id
    ), change as (select status_id, count(*) as count from uncounted group by status_id)
    update status_stats s set reblogs = greatest(s.reblogs - change.count, 0)
    from change where s.status_id = change.status_id;`;
}
