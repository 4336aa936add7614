import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

/** The changes of an account's counters in one unit of work. */
export interface CounterChange {
  readonly accountId: string;
  statuses: number;
  followers: number;
  following: number;
  lastStatusAt: string | null;
}

// Locks the rows in the order of their ids, because the update may visit them in any order.
const apply = sql(
  'account_stats.apply',
  `with locked as (
     select account_id from account_stats where account_id = any($1::text[]) order by account_id for no key update)
   update account_stats s set
     statuses_count = greatest(s.statuses_count + change.statuses, 0),
     followers_count = greatest(s.followers_count + change.followers, 0),
     following_count = greatest(s.following_count + change.following, 0),
     last_status_at = greatest(s.last_status_at, change.last_status_at)
   from unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::timestamptz[])
     as change(account_id, statuses, followers, following, last_status_at)
   join locked on locked.account_id = change.account_id
   where s.account_id = change.account_id`,
);

/** All writes on `account_stats`. */
@Injectable()
export class AccountStatsRepository {
  constructor(private readonly db: Database) {}

  /** Applies all changes by one statement; each account occurs once. */
  async apply(changes: readonly CounterChange[]): Promise<void> {
    await this.db.run(apply, [
      changes.map(({ accountId }) => accountId),
      changes.map(({ statuses }) => statuses),
      changes.map(({ followers }) => followers),
      changes.map(({ following }) => following),
      changes.map(({ lastStatusAt }) => lastStatusAt),
    ]);
  }
}
