import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

/** Tags that are unused for this number of days are removed. */
const UNUSED_DAYS = 30;
/** Number of tags checked in one unit of work. */
const BATCH = 5_000;

const IS_UNUSED = `not exists (select from status_hashtags t where t.hashtag_id = h.id)
  and not exists (select from followed_tags f where f.hashtag_id = h.id)
  and not exists (select from hashtag_days d where d.hashtag_id = h.id)`;

// New posts do not wait for the update: its row locks do not conflict with the key-share lock of a new link.
// Indexes: hashtags_pkey, status_hashtags_tag, followed_tags_followers, hashtag_days_pkey.
const mark = sql<{ last: string | null }>(
  'tags.mark_unused',
  `with next as materialized (
     select id, unused_since, ${IS_UNUSED} as is_unused
     from (select id, unused_since from hashtags where id > $1::bigint order by id limit ${BATCH}) h),
   marked as (
     update hashtags t set unused_since = case when next.is_unused then now() end
     from next where t.id = next.id and next.is_unused = (next.unused_since is null))
   select case when count(*) = ${BATCH} then max(id) end as last from next`,
);

// Skips tags that another transaction has locked, to add them to a post or to follow them.
const lock = sql<{ id: string }>(
  'tags.lock_unused',
  `select id from hashtags where unused_since < now() - interval '${UNUSED_DAYS} days'
   order by unused_since limit ${BATCH} for update skip locked`,
);

const remove = sql('tags.remove_unused', `delete from hashtags h where h.id = any($1::bigint[]) and ${IS_UNUSED}`);

/** Finds unused hashtags and removes them. */
@Injectable()
export class TagSweepRepository {
  constructor(private readonly db: Database) {}

  /** Updates since when the next tags after an id are unused. Returns the last id; undefined at the end. */
  async mark(after: string): Promise<string | undefined> {
    return (await this.db.first(mark, [after]))?.last ?? undefined;
  }

  /** Locks tags that may be removed until the unit ends, so that none of them comes into use meanwhile. */
  async lock(): Promise<string[]> {
    return (await this.db.rows(lock, [])).map(({ id }) => id);
  }

  /** Removes the tags that are still unused, now that they are locked. Returns their number. */
  remove(ids: readonly string[]): Promise<number> {
    return this.db.run(remove, [ids]);
  }
}
