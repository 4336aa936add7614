import { Injectable } from '@nestjs/common';
import { Database, someRow, sql } from '../../platform/index.js';
import { PUBLIC, ADDRESSED_ONLY } from '../../statuses/index.js';
import { DEEPENED_DAILY, isAccepted, isAcceptedLocal, isBeingDeepened, isFollowed } from '../../accounts/index.js';

/** Readers active within this number of days have a feed. Other readers get it back when they return. */
export const ACTIVE_DAYS = 30;
/** Maximum number of rows in a feed; a follow merges up to as many posts of the followee. */
export const FEED_ROWS = 800;
/** Feeds are trimmed only when they are a quarter too long, so that most of them need no trim on most nights. */
const TRIM_ABOVE = FEED_ROWS + FEED_ROWS / 4;
/** A reader who has fewer rows left above the floor gets more: this lasts for some pages, until they are written. */
const MARGIN = 120;
/** Number of followers that one fan-out statement serves: of all its statuses together. */
export const FAN_OUT_RANGE = 5_000;
const PAGE_OF_READERS = 1_000;

/**
 * Deletes the feed rows `h` that meet a condition. All statements lock and insert rows in the order of reader and post:
 * two statements that took the same rows in different orders would deadlock (threat D2).
 */
export const deleteLines = (condition: string) => `with ${lockedLines(condition)} ${DELETE_LOCKED}`;

const lockedLines = (condition: string) => `doomed as materialized (
     select h.ctid as line from home_feed h where ${condition} order by h.account_id, h.status_id for update
   )`;

/** By array: a join may be planned while the table is small, and read it anew for each row when it has grown. */
const DELETE_LOCKED = 'delete from home_feed where ctid = any(array(select line from doomed))';

const own = sql(
  'feed.own',
  `insert into home_feed (account_id, status_id, author_id, reblog_of_id) values ($1, $2, $1, $3) on conflict do nothing`,
);

/**
 * Followers of each status in one statement, for few and many statuses. Literals: with a parameter PostgreSQL expects a tenth
 * of the rows, and searches the follows of everybody in the order of their ids.
 */
type Room = typeof FAN_OUT_RANGE | 500 | 50;

// Several statuses that still exist, each for the next range of its author's local followers. Readers: local users (they have a row in `users`)
// who were active recently and follow the author. A boost goes only to readers who want boosts, a direct or list post
// only to its addressees. The pull query shows statuses below a reader's floor, such as those that arrived late. A feed that is
// being deepened gets them too: its floor may have been lowered past them by the time that they are written.
const fanOut = (room: Room) =>
  sql<{ at: number; last: string; readers: number }>(
    `feed.fan_out.${room}`,
    `with given as (
     select * from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::bigint[])
       with ordinality as given (status_id, author_id, reblog_of_id, visibility, after, at)
     where ${someRow('statuses s where s.id = given.status_id')}
   ), followers as (
     select g.*, f.id, f.follower_id, f.reblogs from given g cross join lateral (
       select f.id, f.follower_id, f.reblogs from follows f
       where f.followee_id = g.author_id and ${isAcceptedLocal('f')} and f.id > g.after
       order by f.id limit ${room}) f
   ), written as (
     insert into home_feed (account_id, status_id, author_id, reblog_of_id)
     select f.follower_id, f.status_id, f.author_id, f.reblog_of_id
     from followers f join users u on u.account_id = f.follower_id
     where u.last_active_at > now() - interval '${ACTIVE_DAYS} days' and (u.feed_floor <= f.status_id or ${isBeingDeepened('u')})
       and (f.reblog_of_id is null or f.reblogs)
       and (not (${ADDRESSED_ONLY.sqlOf('f.visibility')})
         or ${someRow('mentions m where m.status_id = f.status_id and m.account_id = f.follower_id')})
     order by f.follower_id, f.status_id
     on conflict do nothing
   )
   select at::int as at, max(id) as last, count(*)::int as readers from followers group by at`,
  );
const fanOutOf = (room: Room) => ({ room, statement: fanOut(room), most: FAN_OUT_RANGE / room });
const WIDEST = fanOutOf(50);
const FAN_OUTS = [fanOutOf(FAN_OUT_RANGE), fanOutOf(500), WIDEST];

// The author and the followers of the tags in the first statement, and a range of the author's followers in each.
const withdraw = sql<{ last: string | null; readers: number }>(
  'feed.withdraw',
  `with followers as materialized (
     select f.id, f.follower_id from follows f where f.followee_id = $2 and ${isAcceptedLocal('f')} and f.id > $4
     order by f.id limit ${FAN_OUT_RANGE}
   ), ${lockedLines(`h.status_id = $1 and h.account_id in (
     select follower_id from followers
     union all select $2 where $4::bigint = 0
     union all select account_id from followed_tags where hashtag_id = any($3::bigint[]) and $4::bigint = 0)`)},
   removed as (${DELETE_LOCKED})
   select max(id) as last, count(*)::int as readers from followers`,
);

/** Whether a post `s` belongs in the feed of the reader `$1`: direct and list posts only if they address the reader. */
const BELONGS_IN_FEED = `(not (${ADDRESSED_ONLY.sql('s')}) or s.author_id = $1
       or ${someRow('mentions m where m.status_id = s.id and m.account_id = $1')})`;

// The newest posts of one followee at or above the reader's floor.
const merge = sql<Gathered>(
  'feed.merge',
  `with newest as (
     select s.id, s.author_id, s.reblog_of_id from follows f join statuses s on s.author_id = f.followee_id
     where f.follower_id = $1 and f.followee_id = $2 and ${isAccepted('f')} and s.id >= $3
       and (s.reblog_of_id is null or f.reblogs) and ${BELONGS_IN_FEED}
     order by s.id desc limit ${FEED_ROWS}
   ), written as (
     insert into home_feed (account_id, status_id, author_id, reblog_of_id)
     select $1, id, author_id, reblog_of_id from newest order by id on conflict do nothing
   )
   select coalesce(min(id), '') as oldest, count(*)::int as taken from newest`,
);

// Fills the feed below an id: examines the newest posts of followees, of the reader, and with followed tags, by the indexes
// alone, and inserts those that belong in the feed. None of them is older than the newest post of the last of the 800 accounts
// that wrote last: the others' older posts are not looked at. Index: statuses_author, once for each account;
// status_hashtags_tag, once for each tag.
const rebuild = sql<Gathered>(
  'feed.rebuild',
  `with authors as (
     select followee_id as id, reblogs from follows where follower_id = $1 and ${isAccepted('follows')}
     union all select $1, true
   ), writers as materialized (
     select a.id, a.reblogs, last.id as last_id from authors a cross join lateral (
       select s.id from statuses s where s.author_id = a.id and s.id < $2 order by s.id desc limit 1) last
     order by last.id desc limit ${FEED_ROWS}
   ), found as (
     select n.id, true as followed, w.reblogs from writers w cross join lateral (
       select s.id from statuses s
       where s.author_id = w.id and s.id < $2
         and s.id >= coalesce((select last_id from writers order by last_id desc offset ${FEED_ROWS - 1}), '')
       order by s.id desc limit ${FEED_ROWS}
     ) n
     union all select n.status_id, false, false from followed_tags f cross join lateral (
       select t.status_id from status_hashtags t where t.hashtag_id = f.hashtag_id and t.status_id < $2
       order by t.status_id desc limit ${FEED_ROWS}
     ) n
     where f.account_id = $1
   ), examined as materialized (
     select id, bool_or(followed) as followed, bool_or(reblogs) as reblogs, bool_or(not followed) as tagged
     from found group by id order by id desc limit ${FEED_ROWS}
   ), written as (
     insert into home_feed (account_id, status_id, author_id, reblog_of_id)
     select $1, s.id, s.author_id, s.reblog_of_id from examined e join statuses s on s.id = e.id
     where e.followed and (s.reblog_of_id is null or e.reblogs) and ${BELONGS_IN_FEED}
       or e.tagged and s.reblog_of_id is null and ${PUBLIC.sql('s')}
     order by s.id on conflict do nothing
   )
   select coalesce(min(id), '') as oldest, count(*)::int as taken from examined`,
);

// Jobs may run out of order, so the statements check that the follow was not redone since. Posts with a
// followed tag stay.
const removeAuthor = sql(
  'feed.remove_author',
  deleteLines(`h.account_id = $1 and h.author_id = $2 and not ${isFollowed('$2')}
     and (h.reblog_of_id is not null or not coalesce((
       select true from statuses s join status_hashtags t on t.status_id = s.id
         join followed_tags f on f.hashtag_id = t.hashtag_id and f.account_id = $1
       where s.id = h.status_id and ${PUBLIC.sql('s')} limit 1), false))`),
);

const dropBelow = sql('feed.drop_below', deleteLines('h.account_id = $1 and h.status_id < $2'));

/** SQL: whether few rows of the feed of `$1` are left between an id and the floor. */
export const isNearFloor = (id: string, floor: string) => `not coalesce((
     select true from home_feed e where e.account_id = $1 and e.status_id < ${id} and e.status_id >= ${floor}
     order by e.status_id desc offset ${MARGIN} limit 1), false)`;

const nearFloor = sql<{ isNear: boolean }>(
  'feed.is_near_floor',
  `select ${isNearFloor('$2', 'u.feed_floor')} as "isNear" from users u where u.account_id = $1`,
);

/** Whether a reader is inactive, so that nothing is added to the feed. */
const IS_AWAY = `u.last_active_at <= now() - interval '${ACTIVE_DAYS} days'`;

/** Whether a feed has more rows than the limit; reads no further than the limit. */
const holdsMoreThan = (rows: number | string) =>
  `coalesce((select true from home_feed h where h.account_id = u.account_id order by h.status_id desc offset ${rows} limit 1), false)`;

/**
 * A feed that is being deepened is read just now, so it may have what is written at once: 9,000 rows. It may gain 19 times 800
 * in a day, and is cut the same night if it then has more.
 */
const MOST_ROWS = `case when ${isBeingDeepened('u')} then ${TRIM_ABOVE + DEEPENED_DAILY * FEED_ROWS} else ${TRIM_ABOVE} end`;
const IS_TOO_LONG = holdsMoreThan(MOST_ROWS);

// A page of readers costs the same however many readers there are. Index: users_pkey, and home_feed_pkey once for each
// reader.
const upkeep = sql<FeedUpkeep>(
  'feed.upkeep',
  `select u.account_id as "accountId",
     case when ${IS_AWAY} then case when ${holdsMoreThan(0)} then 'drop' end
       when ${IS_TOO_LONG} then 'trim' end as needs
   from users u where u.account_id > $1 order by u.account_id limit ${PAGE_OF_READERS}`,
);

// Runs under the lock of the reader: the feed may have been deepened since `upkeep` read it.
const oldestKept = sql<{ statusId: string }>(
  'feed.oldest_kept',
  `select kept.status_id as "statusId" from users u cross join lateral (
     select status_id from home_feed where account_id = u.account_id order by status_id desc offset ${FEED_ROWS - 1} limit 1) kept
   where u.account_id = $1 and ${IS_TOO_LONG}`,
);

const dropAbandoned = sql(
  'feed.drop_abandoned',
  deleteLines(`h.account_id = $1 and exists (select from users u where u.account_id = $1 and ${IS_AWAY})`),
);

/** A reader, and the due maintenance of the feed. */
export interface FeedUpkeep {
  readonly accountId: string;
  readonly needs: 'drop' | 'trim' | null;
}

/** The result of a merge or a rebuild: the oldest id (`''` for none) and the number of posts that were found. */
export interface Gathered {
  readonly oldest: string;
  readonly taken: number;
}

/** A status as the fan-out needs it. */
export interface FannedOut {
  readonly statusId: string;
  readonly authorId: string;
  readonly reblogOfId: string | null;
  readonly visibility: number;
  readonly hasTags: boolean;
}

/** A status, and the follow after which the next range of its author's followers begins. */
export interface FollowerRange {
  readonly status: FannedOut;
  readonly after: string;
}

/** All SQL that writes `home_feed`. */
@Injectable()
export class FeedRepository {
  constructor(private readonly db: Database) {}

  /** Adds the row of the author's own feed, in the transaction that creates the status. */
  async insertOwn(authorId: string, statusId: string, reblogOfId: string | null): Promise<void> {
    await this.db.run(own, [authorId, statusId, reblogOfId]);
  }

  /**
   * Writes statuses into the feeds of one range of followers each; returns the next ranges. They share the room of one
   * statement, so that it stays short.
   */
  async fanOut(ranges: readonly FollowerRange[]): Promise<FollowerRange[]> {
    const { room, statement, most } = FAN_OUTS.find((each) => ranges.length <= each.most) ?? WIDEST;
    const now = ranges.slice(0, most);
    const statuses = now.map(({ status }) => status);
    const rows = await this.db.rows(statement, [
      statuses.map(({ statusId }) => statusId),
      statuses.map(({ authorId }) => authorId),
      statuses.map(({ reblogOfId }) => reblogOfId),
      statuses.map(({ visibility }) => visibility),
      now.map(({ after }) => after),
    ]);
    const ends = new Map(rows.filter(({ readers }) => readers === room).map(({ at, last }) => [at, last]));
    const further = statuses.flatMap((status, at) => {
      const after = ends.get(at + 1);
      return after === undefined ? [] : [{ status, after }];
    });
    return [...further, ...ranges.slice(most)];
  }

  /**
   * Removes a deleted status from the feeds of one range of its author's followers, and from all others with the first range.
   * Returns the start of the next range.
   */
  async withdraw(
    statusId: string,
    authorId: string,
    tagIds: readonly string[],
    after: string,
  ): Promise<string | undefined> {
    const range = await this.db.first(withdraw, [statusId, authorId, tagIds, after]);
    return range?.readers === FAN_OUT_RANGE ? (range.last ?? undefined) : undefined;
  }

  /** Adds a followee's newest posts at or above the floor; adds none if the follow has ended. */
  async merge(readerId: string, authorId: string, floor: string): Promise<Gathered> {
    return (await this.db.first(merge, [readerId, authorId, floor])) ?? { oldest: '', taken: 0 };
  }

  /** Adds the posts below an id, of which the newest are examined, as many as a feed holds. */
  async rebuild(readerId: string, below: string): Promise<Gathered> {
    return (await this.db.first(rebuild, [readerId, below])) ?? { oldest: '', taken: 0 };
  }

  /** Whether few rows of the feed are left between an id and the floor. */
  async isNearFloor(readerId: string, id: string): Promise<boolean> {
    return (await this.db.first(nearFloor, [readerId, id]))?.isNear === true;
  }

  /** Removes an author's posts and boosts. */
  async removeAuthor(readerId: string, authorId: string): Promise<void> {
    await this.db.run(removeAuthor, [readerId, authorId]);
  }

  async dropBelow(readerId: string, floor: string): Promise<void> {
    await this.db.run(dropBelow, [readerId, floor]);
  }

  /**
   * Lists up to 1,000 readers after an id, and whether the feed needs a trim (too long) or a drop (reader inactive).
   */
  upkeep(after: string): Promise<FeedUpkeep[]> {
    return this.db.rows(upkeep, [after]);
  }

  /** Returns the oldest row that a trim keeps; undefined when the feed is short enough now. */
  async oldestKept(readerId: string): Promise<string | undefined> {
    return (await this.db.first(oldestKept, [readerId]))?.statusId;
  }

  /** Drops a feed unless its reader has returned. */
  async dropAbandoned(readerId: string): Promise<void> {
    await this.db.run(dropAbandoned, [readerId]);
  }
}
