import { Injectable } from '@nestjs/common';
import { Database, FIRST_ID, sql } from '../../platform/index.js';
import type { StatusUpdate } from './status.counters.js';
import { isCountedReblog } from '../model/status.flags.js';
import { isNotRemoved } from '../model/popular.sql.js';
import { ADDRESSED_ONLY, isCountedIn } from '../model/visibility.js';

const BATCH = 2_000;

/** Statuses that count in the number of an account's posts, as an SQL condition. */
const COUNTED = (status: string) => `not (${ADDRESSED_ONLY.sql(status)})`;

// By ranges of ids, as `account_stats.follow_drift`. Index: statuses_author. One snapshot sees a post and its counters
// together, or neither.
const countDrift = sql<{ accountId: string; statuses: number }>(
  'account_stats.post_drift',
  `select id as "accountId", sum(statuses)::int as statuses from (
     select account_id as id, -statuses_count as statuses, true as counts from account_stats
     where account_id between $1 and $2 and counts_fetched_at is null
     union all select entry.author_id, 1, false from statuses entry
     where entry.author_id between $1 and $2 and ${COUNTED('entry')}) parts
   group by id having bool_or(counts) and sum(statuses) <> 0`,
);

const page = sql<{ statusId: string }>(
  'status_stats.page',
  `select status_id as "statusId" from status_stats where status_id > $1 order by status_id limit ${BATCH}`,
);

// Index: status_stats_pkey.
const before = sql<{ statusId: string }>(
  'status_stats.before',
  `select status_id as "statusId" from status_stats order by status_id desc offset $1 limit 1`,
);

const lock = sql(
  'status_stats.lock',
  `select from status_stats where status_id = any($1::text[]) order by status_id for no key update`,
);

// Index: statuses_replies, statuses_reblogs, favourites_status, reactions_one, statuses_quotes.
const statusDrift = sql<StatusUpdate>(
  'status_stats.drift',
  `select t.status_id as "statusId", counted.replies - t.replies as replies, counted.reblogs - t.reblogs as reblogs,
     counted.favourites - t.favourites as favourites, counted.reactions - t.reactions as reactions,
     counted.quotes - t.quotes as quotes,
     json_build_object('favourites', t.remote_favourites, 'reblogs', t.remote_reblogs) as remote
   from status_stats t join statuses post on post.id = t.status_id and ${isNotRemoved('post')} cross join lateral (
     select (select count(*) from statuses r where r.in_reply_to_id = post.id and ${isCountedIn('r', 'post')})::int as replies,
       (select count(*) from statuses r where r.reblog_of_id = t.status_id and ${isCountedReblog('r')})::int as reblogs,
       (select count(*) from favourites f where f.status_id = t.status_id and f.counted)::int as favourites,
       (select count(*) from reactions r where r.status_id = t.status_id)::int as reactions,
       (select count(*) from statuses q where q.quote_of_id = post.id and ${isCountedIn('q', 'post')})::int as quotes
     offset 0) counted
   where t.status_id = any($1::text[])
     and (counted.replies, counted.reblogs, counted.favourites, counted.reactions, counted.quotes)
       <> (t.replies, t.reblogs, t.favourites, t.reactions, t.quotes)`,
);

/** Finds wrong counters of posts. `offset 0` keeps PostgreSQL from counting rows twice. */
@Injectable()
export class StatusCounterRepairRepository {
  constructor(private readonly db: Database) {}

  /** By how many posts the counters of the accounts from one id to another are wrong; only for wrong counters. */
  countDrift(first: string, last: string): Promise<{ accountId: string; statuses: number }[]> {
    return this.db.rows(countDrift, [first, last]);
  }

  /** The next statuses after an id. */
  async page(after: string): Promise<string[]> {
    return (await this.db.rows(page, [after])).map((row) => row.statusId);
  }

  /** The id before those of so many newest statuses; below all ids when there are not more. */
  async before(newest: number): Promise<string> {
    return (await this.db.first(before, [newest]))?.statusId ?? FIRST_ID;
  }

  /** Locks the counters until the unit ends. */
  async lock(statusIds: readonly string[]): Promise<void> {
    await this.db.run(lock, [statusIds]);
  }

  /** The corrections to add to the counters of statuses; only for wrong counters. */
  statusDrift(statusIds: readonly string[]): Promise<StatusUpdate[]> {
    return this.db.rows(statusDrift, [statusIds]);
  }
}
