import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

/** Tags that nobody used for so long are forgotten. */
const UNUSED_DAYS = 30;
/** Tags looked at in one unit. */
const BATCH = 5_000;

const IS_UNUSED = `not exists (select from status_hashtags t where t.hashtag_id = h.id)
  and not exists (select from followed_tags f where f.hashtag_id = h.id)
  and not exists (select from hashtag_days d where d.hashtag_id = h.id)`;

// Indexes: hashtags_pkey, status_hashtags_tag, followed_tags_followers, hashtag_days_pkey. Posts wait for none of it: the
// lock that a link takes agrees with this one.
const mark = sql<{ last: string | null }>(
  'tags.mark_unused',
  `with h as materialized (
     select id, unused_since, ${IS_UNUSED} as is_unused
     from (select id, unused_since from hashtags where id > $1::bigint order by id limit ${BATCH}) h),
   marked as (
     update hashtags t set unused_since = case when h.is_unused then now() end
     from h where t.id = h.id and h.is_unused = (h.unused_since is null))
   select case when count(*) = ${BATCH} then max(id) end as last from h`,
);

// Tags that a post is just given, or that somebody is just following, are locked and left alone.
const lock = sql<{ id: string }>(
  'tags.lock_unused',
  `select id from hashtags where unused_since < now() - interval '${UNUSED_DAYS} days'
   order by unused_since limit ${BATCH} for update skip locked`,
);

const remove = sql('tags.remove_unused', `delete from hashtags h where h.id = any($1::bigint[]) and ${IS_UNUSED}`);

/** Finds the hashtags that nothing has any more, and removes them. */
@Injectable()
export class TagSweepRepository {
  constructor(private readonly db: Database) {}

  /** Notes of the next tags after an id whether they are in use. Answers the last id; undefined when these were all. */
  async mark(after: string): Promise<string | undefined> {
    return (await this.db.first(mark, [after]))?.last ?? undefined;
  }

  /** Locks tags that may go, until the unit ends: from then on none of them gets into use. */
  async lock(): Promise<string[]> {
    return (await this.db.rows(lock, [])).map(({ id }) => id);
  }

  /** Removes those that are not in use, which is asked after they are locked. Answers how many that were. */
  remove(ids: readonly string[]): Promise<number> {
    return this.db.run(remove, [ids]);
  }
}
