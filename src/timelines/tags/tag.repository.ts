import { Injectable } from '@nestjs/common';
import { Any } from 'typeorm';
import { Database, type Keyset, purge, sql, type Statement, UnitOfWork } from '../../platform/index.js';
import { isDeactivated, maySee, PUBLIC } from '../../statuses/index.js';
import { FollowedTag } from './tag.entities.js';

/** Number of days that the history of a tag covers. */
export const HISTORY_DAYS = 7;

/** Number of newest posts with a tag that are searched for one that the viewer may see. */
const ASKED = 200;

export interface TagRow {
  readonly id: string;
  /** Normalised. */
  readonly name: string;
}

export interface FollowedTagRow extends TagRow {
  /** The cursor for pages of followed tags. */
  readonly cursor: string;
}

export interface TagDayRow {
  readonly hashtagId: string;
  /** `2024-05-01`. */
  readonly day: string;
  readonly uses: number;
  readonly accounts: number;
}

// $1 viewer, $2 name. Index: hashtags_name_key, followed_tags_pair, status_hashtags_tag.
const shown = sql<TagRow>(
  'tags.shown',
  `select h.id, h.name from hashtags h where h.name = $2 and (
     coalesce((select true from followed_tags f where f.account_id = $1 and f.hashtag_id = h.id), false)
     or coalesce((
       select true from (
         select t.status_id from status_hashtags t where t.hashtag_id = h.id order by t.status_id desc limit ${ASKED}) t
       cross join lateral (select * from statuses where id = t.status_id offset 0) s where ${maySee('s')} limit 1), false))`,
);

// Locks the tag, so that it is not removed before it is followed.
const ensure = sql<TagRow>(
  'tags.ensure',
  `with made as (insert into hashtags (name) values ($1) on conflict do nothing returning id, name),
   known as materialized (select id, name from hashtags where name = $1 for key share)
   select id, name from made union all select id, name from known limit 1`,
);

const days = sql<TagDayRow>(
  'tags.days',
  `select hashtag_id as "hashtagId", day, uses, accounts from hashtag_days
   where hashtag_id = any($1::bigint[]) and day > current_date - ${HISTORY_DAYS}`,
);

const follow = sql<{ inserted: boolean; full: boolean }>(
  'tags.follow',
  `with room as (select count(*) < $3::int as free from followed_tags where account_id = $1),
   inserted as (
     insert into followed_tags (account_id, hashtag_id) select $1, $2::bigint from room where free
     on conflict do nothing returning 1)
   select exists (select from inserted) as inserted, not free and not exists (
     select from followed_tags where account_id = $1 and hashtag_id = $2::bigint) as full from room`,
);

/** Index: followed_tags_page. */
function page(direction: Keyset['direction']): Statement<FollowedTagRow> {
  return sql(
    `tags.followed_by.${direction}`,
    `select f.id as cursor, h.id, h.name from followed_tags f join hashtags h on h.id = f.hashtag_id
     where f.account_id = $1 and f.id < $2::bigint and f.id > $3::bigint
     order by f.id ${direction === 'older' ? 'desc' : 'asc'} limit $4 offset $5`,
  );
}
const pages = { older: page('older'), newer: page('newer') };

// Deletes the days on which a tag is no longer used, for example because its posts were deleted. Index:
// status_hashtags_pkey, and statuses_pkey for each (`offset` keeps the planner from reading all posts: it cannot
// estimate the day).
const recount = sql(
  'tags.recount',
  `with counted as materialized (
     select t.hashtag_id, s.created_at::date as day, count(*)::int as uses, count(distinct s.author_id)::int as accounts
     from status_hashtags t cross join lateral (
       select author_id, created_at from statuses where id = t.status_id and ${PUBLIC.sql('statuses')}
         and not ${isDeactivated('author_id')} offset 0) s
     where t.status_id >= $1 and s.created_at >= $2::date
     group by t.hashtag_id, s.created_at::date
   ), unused as (
     delete from hashtag_days d where d.day >= $2::date
       and not exists (select from counted c where c.hashtag_id = d.hashtag_id and c.day = d.day)
   )
   insert into hashtag_days as d (hashtag_id, day, uses, accounts)
   select hashtag_id, day, uses, accounts from counted
   on conflict (hashtag_id, day) do update set uses = excluded.uses, accounts = excluded.accounts
     where (d.uses, d.accounts) <> (excluded.uses, excluded.accounts)`,
);

/** All SQL on `followed_tags` and `hashtag_days`. */
@Injectable()
export class TagRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Returns a tag by its normalised name; creates a missing one. Locked against removal until the unit of work ends.
   */
  async ensure(name: string): Promise<TagRow> {
    // If another transaction creates the tag at the same time, only the next statement sees its row. The second try
    // also creates the tag again if it was removed meanwhile.
    const tag = (await this.db.first(ensure, [name])) ?? (await this.db.first(ensure, [name]));
    if (!tag) throw new Error('A hashtag was removed while it was made');
    return tag;
  }

  /** A tag that the viewer follows or may see on a post; `viewerId` is `''` for anonymous callers. */
  shown(name: string, viewerId: string): Promise<TagRow | undefined> {
    return this.db.first(shown, [viewerId, name]);
  }

  /** Returns the tags, among the given ones, that an account follows. */
  async followed(accountId: string, tagIds: readonly string[]): Promise<Set<string>> {
    const where = { accountId, hashtagId: Any(tagIds) };
    const found = await this.uow.manager.find(FollowedTag, { select: { hashtagId: true }, where });
    return new Set(found.map(({ hashtagId }) => hashtagId));
  }

  /** The days of the last week on which the tags were used, unordered. */
  days(tagIds: readonly string[]): Promise<TagDayRow[]> {
    return this.db.rows(days, [tagIds]);
  }

  /** Returns `full` when the account follows `max` tags. Needs a unit of work that holds the lock of the follower. */
  async follow(accountId: string, tagId: string, max: number): Promise<'followed' | 'known' | 'full'> {
    const row = await this.db.first(follow, [accountId, tagId, max]);
    if (row?.inserted) return 'followed';
    return row?.full ? 'full' : 'known';
  }

  /** Returns false when the account did not follow the tag. */
  async unfollow(accountId: string, tagId: string): Promise<boolean> {
    return (await this.uow.manager.delete(FollowedTag, { accountId, hashtagId: tagId })).affected === 1;
  }

  page(accountId: string, { direction, below, above, limit }: Keyset, offset: number): Promise<FollowedTagRow[]> {
    return this.db.rows(pages[direction], [accountId, below, above, limit, offset]);
  }

  /** Recounts the use of tags since a day (`2024-05-01`). `firstId` is the lowest possible id of a post of that day. */
  async recount(firstId: string, day: string): Promise<void> {
    await this.db.run(recount, [firstId, day]);
  }

  /** Deletes days that are no longer shown. Index: hashtag_days_top. */
  async forget(): Promise<void> {
    await purge(this.db, { table: 'hashtag_days', where: `day <= current_date - ${HISTORY_DAYS}`, by: 'day' });
  }
}
