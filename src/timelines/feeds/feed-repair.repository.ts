import { Injectable } from '@nestjs/common';
import { Database, someRow, sql } from '../../platform/index.js';
import { PUBLIC, ADDRESSED_ONLY } from '../../statuses/index.js';
import { ACTIVE_DAYS } from './feed.repository.js';
import { isAccepted } from '../../accounts/index.js';

const BATCH = 100;
/** Follows and posts younger than this are skipped: their jobs may still be waiting. */
const SETTLED = `interval '1 hour'`;

const page = sql<{ accountId: string }>(
  'feed.readers',
  `select account_id as "accountId" from users where account_id > $1 and last_active_at > now() - interval '${ACTIVE_DAYS} days'
   order by account_id limit ${BATCH}`,
);

/** Not written as `exists`, which PostgreSQL turns into a comparison of each post with each row of the feed. */
const isInFeed = (status: string) =>
  someRow(`home_feed h where h.account_id = u.account_id and h.status_id = ${status}.id`);

const wantsReblogs = someRow(
  'follows z where z.follower_id = u.account_id and z.followee_id = s.author_id and z.reblogs',
);

// Leaves out direct and list posts, which only belong in the feeds of their addressees. The posts of all followees are read
// in one pass of their index. Index: follows_following, follows_pair, statuses_author, followed_tags_pair, status_hashtags_tag, home_feed_pkey.
const incomplete = sql<{ accountId: string }>(
  'feed.incomplete',
  `select u.account_id as "accountId" from users u
   where u.account_id = any($1::text[]) and coalesce((
     select true from statuses s
     where s.author_id = any(array(
         select f.followee_id from follows f
         where f.follower_id = u.account_id and ${isAccepted('f')} and f.created_at < now() - ${SETTLED}))
       and s.id >= u.feed_floor and s.created_at < now() - ${SETTLED}
       and not (${ADDRESSED_ONLY.sql('s')}) and not ${isInFeed('s')} and (s.reblog_of_id is null or ${wantsReblogs})
     limit 1), (
     select true from followed_tags f join status_hashtags t on t.hashtag_id = f.hashtag_id join statuses s on s.id = t.status_id
     where f.account_id = u.account_id and f.created_at < now() - ${SETTLED}
       and t.status_id >= u.feed_floor and s.created_at < now() - ${SETTLED} and ${PUBLIC.sql('s')} and not ${isInFeed('s')}
     limit 1), false)`,
);

/** Finds stored feeds with missing posts. */
@Injectable()
export class FeedRepairRepository {
  constructor(private readonly db: Database) {}

  /** Lists the next active readers after an id. */
  async page(after: string): Promise<string[]> {
    return (await this.db.rows(page, [after])).map((row) => row.accountId);
  }

  /** Returns the readers whose feed lacks a followee's post at or above the feed's floor. */
  async incomplete(readerIds: readonly string[]): Promise<string[]> {
    return (await this.db.rows(incomplete, [readerIds])).map((row) => row.accountId);
  }
}
