import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { PUBLIC } from '../../statuses/index.js';
import { ACTIVE_DAYS, deleteLines, FAN_OUT_RANGE, FEED_ROWS, type Gathered } from './feed.repository.js';
import { isBeingDeepened, isFollowed } from '../../accounts/index.js';

// Selects readers like the fan-out to an author's followers. A reader who follows several of the tags gets one row.
const fanOut = sql<{ last: string | null; readers: number }>(
  'feed.fan_out_tags',
  `with followers as (
     select f.id, f.account_id from status_hashtags t join followed_tags f on f.hashtag_id = t.hashtag_id
     where t.status_id = $1 and f.id > $3 order by f.id limit ${FAN_OUT_RANGE}
   ), written as (
     insert into home_feed (account_id, status_id, author_id)
     select distinct f.account_id, $1, $2 from followers f join users u on u.account_id = f.account_id
     where u.last_active_at > now() - interval '${ACTIVE_DAYS} days' and (u.feed_floor <= $1 or ${isBeingDeepened('u')})
     order by f.account_id
     on conflict do nothing
   )
   select max(id) as last, count(*)::int as readers from followers`,
);

// Index: status_hashtags_tag.
const merge = sql<Gathered>(
  'feed.merge_tag',
  `with newest as (
     select s.id, s.author_id from followed_tags f join status_hashtags t on t.hashtag_id = f.hashtag_id
       join statuses s on s.id = t.status_id
     where f.account_id = $1 and f.hashtag_id = $2::bigint and t.status_id >= $3 and ${PUBLIC.sql('s')}
     order by t.status_id desc limit ${FEED_ROWS}
   ), written as (
     insert into home_feed (account_id, status_id, author_id)
     select $1, id, author_id from newest order by id on conflict do nothing
   )
   select coalesce(min(id), '') as oldest, count(*)::int as taken from newest`,
);

// Jobs may run out of order: nothing happens if the reader follows the tag again. Posts that belong in the feed for
// another reason stay: posts of followees, the reader's own posts, posts with another followed tag.
const remove = sql(
  'feed.remove_tag',
  deleteLines(`h.account_id = $1 and h.author_id <> $1 and h.reblog_of_id is null
     and coalesce((select true from status_hashtags t where t.status_id = h.status_id and t.hashtag_id = $2::bigint), false)
     and not ${isFollowed('h.author_id')}
     and not coalesce((
       select true from status_hashtags t join followed_tags f on f.hashtag_id = t.hashtag_id and f.account_id = $1
       where t.status_id = h.status_id limit 1), false)`),
);

/** The fields of a post that the fan-out to followers of its tags needs. */
export interface TaggedStatus {
  readonly statusId: string;
  readonly authorId: string;
}

/** The SQL that writes rows of `home_feed` because of followed tags. */
@Injectable()
export class TagFeedRepository {
  constructor(private readonly db: Database) {}

  /** Writes a public post into the feeds of one range of followers of its tags; returns the start of the next range. */
  async fanOut({ statusId, authorId }: TaggedStatus, after: string): Promise<string | undefined> {
    const range = await this.db.first(fanOut, [statusId, authorId, after]);
    return range?.readers === FAN_OUT_RANGE ? (range.last ?? undefined) : undefined;
  }

  /** Adds the newest posts with a tag at or above the floor; adds none if the reader unfollowed the tag. */
  async merge(readerId: string, tagId: string, floor: string): Promise<Gathered> {
    return (await this.db.first(merge, [readerId, tagId, floor])) ?? { oldest: '', taken: 0 };
  }

  /** Removes the posts that only a tag brought into the feed. */
  async remove(readerId: string, tagId: string): Promise<void> {
    await this.db.run(remove, [readerId, tagId]);
  }
}
