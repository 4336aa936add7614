import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { isAccepted } from '../model/relations.sql.js';

/** By how much an account's follow counters differ from its follows. */
export interface FollowDrift {
  readonly accountId: string;
  readonly followers: number;
  readonly following: number;
}

const BATCH = 500;

const page = sql<{ accountId: string }>(
  'account_stats.page',
  `select account_id as "accountId" from account_stats where account_id > $1 order by account_id limit ${BATCH}`,
);

const lock = sql(
  'account_stats.lock',
  `select from account_stats where account_id = any($1::text[]) order by account_id for no key update`,
);

// Index: follows_followers, follows_following. One snapshot sees a follow and its counters together, or neither.
const followDrift = sql<FollowDrift>(
  'account_stats.follow_drift',
  `select s.account_id as "accountId", counted.followers - s.followers_count as followers,
     counted.following - s.following_count as following
   from account_stats s cross join lateral (
     select (select count(*) from follows f where f.followee_id = s.account_id and ${isAccepted('f')} and f.counted)::int as followers,
       (select count(*) from follows f where f.follower_id = s.account_id and ${isAccepted('f')} and f.counted)::int as following
     offset 0) counted
   where s.account_id = any($1::text[]) and s.counts_fetched_at is null and (counted.followers, counted.following) <> (s.followers_count, s.following_count)`,
);

/** Reads on `account_stats` that find wrong counters; `offset 0` keeps rows from being counted twice. */
@Injectable()
export class CounterRepairRepository {
  constructor(private readonly db: Database) {}

  /** The next accounts after an id. */
  async page(after: string): Promise<string[]> {
    return (await this.db.rows(page, [after])).map((row) => row.accountId);
  }

  /** Locks the counters until the unit ends. */
  async lock(accountIds: readonly string[]): Promise<void> {
    await this.db.run(lock, [accountIds]);
  }

  /** Only accounts whose counters are wrong. */
  followDrift(accountIds: readonly string[]): Promise<FollowDrift[]> {
    return this.db.rows(followDrift, [accountIds]);
  }
}
