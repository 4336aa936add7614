import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { isAccepted } from '../model/relations.sql.js';

/** By how much an account's follow counters differ from its follows. */
export interface FollowDrift {
  readonly accountId: string;
  readonly followers: number;
  readonly following: number;
}

/** Many: a large slice is read from front to back, in a tenth of the time that look-ups take. */
const BATCH = 10_000;

const page = sql<{ accountId: string }>(
  'account_stats.page',
  `select account_id as "accountId" from account_stats where account_id > $1 order by account_id limit ${BATCH}`,
);

const lock = sql(
  'account_stats.lock',
  `select from account_stats where account_id = any($1::text[]) order by account_id for no key update`,
);

// Ranges of ids: the general plan of a statement takes a list for a few ids, looks each of them up, and needs ten times as
// long. Index: follows_followers, follows_following. One snapshot sees a follow and its counters together, or neither.
const followDrift = sql<FollowDrift>(
  'account_stats.follow_drift',
  `select id as "accountId", sum(followers)::int as followers, sum(following)::int as following from (
     select account_id as id, -followers_count as followers, -following_count as following, true as counts
     from account_stats where account_id between $1 and $2 and counts_fetched_at is null
     union all select f.followee_id, 1, 0, false from follows f
     where f.followee_id between $1 and $2 and ${isAccepted('f')} and f.counted
     union all select f.follower_id, 0, 1, false from follows f
     where f.follower_id between $1 and $2 and ${isAccepted('f')} and f.counted) parts
   group by id having bool_or(counts) and (sum(followers), sum(following)) <> (0, 0)`,
);

/** Reads on `account_stats` that find wrong counters. */
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

  /** Only accounts whose counters are wrong, of those from one id to another. */
  followDrift(first: string, last: string): Promise<FollowDrift[]> {
    return this.db.rows(followDrift, [first, last]);
  }
}
