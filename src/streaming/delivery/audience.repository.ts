import { Injectable } from '@nestjs/common';
import { DIRECT, maySee, statusesAbove, PUBLIC, StatusFlag, type StatusForViewer } from '../../statuses/index.js';
import {
  eitherBlocks,
  exclusiveMembers,
  isAccepted,
  isUnexpired,
  serverNames,
  matchesFollowLanguages,
  mutes,
  viewersBlockingServers,
  viewersHiding,
} from '../../accounts/index.js';
import { Database, sql } from '../../platform/index.js';
import { matchesRepliesPolicy, REMEMBERED } from '../../timelines/index.js';

/**
 * Maximum number of followers that one statement lists for an account. Beyond it, only connected followers are looked
 * up.
 */
export const NAMED_FOLLOWERS = 1_000;

export interface FollowerRow {
  readonly followeeId: string;
  readonly followerId: string;
  /** Whether the follower wants boosts. */
  readonly reblogs: boolean;
  /** Whether the follower wants posts in some languages only. */
  readonly isLimited: boolean;
}

// Index: follows_followers. The limit is a parameter, so that PostgreSQL reads the newest followers in the order of the index;
// with a number it reads and sorts all.
const followersOf = sql<FollowerRow>(
  'streaming.followers_of',
  `select f.followee_id as "followeeId", f.follower_id as "followerId", f.reblogs, f.languages is not null as "isLimited"
   from unnest($1::text[]) as a(id) cross join lateral (
     select followee_id, follower_id, reblogs, languages from follows
     where followee_id = a.id and ${isAccepted('follows')} order by id desc limit $2::int) f`,
);

// Index: follows_pair. `$1` are accounts, `$2` possible followers.
const followersAmong = sql<FollowerRow>(
  'streaming.followers_among',
  `select f.followee_id as "followeeId", f.follower_id as "followerId", f.reblogs, f.languages is not null as "isLimited"
   from unnest($1::text[]) as a(id) cross join unnest($2::text[]) as reader(id)
     join follows f on f.follower_id = reader.id and f.followee_id = a.id and ${isAccepted('f')}`,
);

/** The facts that decide where a post appears, besides its author's followers. */
export interface StatusFacts {
  readonly id: string;
  readonly visibility: number;
  readonly local: boolean;
  readonly servers: readonly string[];
  readonly hasMedia: boolean;
  readonly tags: readonly string[];
  /** The accounts that a direct post addresses, without the author. */
  readonly addressed: readonly string[];
}

const statusFacts = sql<StatusFacts>(
  'streaming.post_facts',
  `select s.id, s.visibility, s.local, array_remove(${serverNames('a')}, null) as servers,
     s.flags & ${StatusFlag.media} <> 0 as "hasMedia",
     case when s.flags & ${StatusFlag.tags} = 0 then '{}' else array(
       select h.name from status_hashtags t join hashtags h on h.id = t.hashtag_id where t.status_id = s.id) end as tags,
     case when not (${DIRECT.sql('s')}) then '{}' else array(
       select m.account_id from mentions m where m.status_id = s.id) end as addressed
   from statuses s join accounts a on a.id = s.author_id where s.id = any($1::text[])`,
);

/** A viewer and an entry. */
export interface EntryViewer {
  readonly entryId: string;
  readonly viewerId: string;
}

// `$1` and `$2` are pairs of a post and a viewer.
const visibleTo = sql<EntryViewer>(
  'streaming.visible_to',
  `select s.id as "entryId", pair.viewer_id as "viewerId"
   from unnest($1::text[], $2::text[]) as pair(id, viewer_id) join statuses s on s.id = pair.id
   where ${maySee('s', 'pair.viewer_id')}`,
);

/**
 * The viewers that do not want an entry. `$1` are entries, `$2` viewers. The statement applies the rules of the timelines
 * (`home.sql.ts`, `status-filters.sql.ts` there) from the side of the post: it reads its blocks and mutes once for all
 * viewers, and returns those that are in the way, which are few. The authors of an entry and the accounts it mentions or
 * answers are its parties; a viewer who blocks or mutes a party does not want the entry. Authors want their own posts, even
 * if they mention an account they block (`except_id`). With `$3` it also returns viewers who may see the thread only in part.
 * It does not check who may see the entry. Index: thread_mutes_conversation.
 */
const unwanted = sql<EntryViewer>(
  'streaming.unwanted',
  `with recursive entry as materialized (
     select entry.id, entry.author_id as by_id, post.id as post_id, post.author_id, post.conversation_id, entry.reblog_of_id,
       post.flags, post.in_reply_to_id, post.in_reply_to_account_id
     from statuses entry join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id) where entry.id = any($1::text[])
   ),
   viewer as materialized (select unnest($2::text[]) as id),
   party(entry_id, account_id, except_id) as materialized (
     select id, by_id, '' from entry union select id, author_id, '' from entry
     union select e.id, m.account_id, e.author_id from entry e join mentions m on m.status_id = e.post_id
     where e.flags & ${StatusFlag.mentions} <> 0 and not m.silent
     union select id, in_reply_to_account_id, author_id from entry where in_reply_to_account_id is not null
   ),
   above as (${statusesAbove('(select id as entry_id, in_reply_to_id from entry where $3::boolean) below', (row) => `${row}.entry_id, `)}),
   doubtful as materialized (select * from above where not ${maySee('above', "''")}),
   hiding as materialized (${viewersHiding('(select distinct account_id as id from party)')}),
   blocking as materialized (${viewersBlockingServers('(select by_id as id from entry union select author_id from entry)')})
   select entry_id as "entryId", viewer_id as "viewerId" from (
     select p.entry_id, h.viewer_id from party p join hiding h on h.id = p.account_id and h.viewer_id <> p.except_id
     union all select e.id, t.account_id from entry e join thread_mutes t on t.conversation_id = e.conversation_id
     where ${isUnexpired('t')}
     union all select id, author_id from entry where reblog_of_id is not null
     union all select e.id, b.viewer_id from entry e join blocking b on b.id in (e.by_id, e.author_id)
     union all select d.entry_id, v.id from doubtful d join entry e on e.id = d.entry_id cross join viewer v
     where e.author_id <> v.id and case when not ${maySee('d', 'v.id')}
       then not coalesce((select skip_thread_containment from accounts a where a.id = v.id), false) end
   ) unwanted where (viewer_id in (select id from viewer)) is true`,
);

/**
 * The viewers whose home timeline leaves an entry out: an exclusive list shows the author, or the viewer follows the author
 * for posts in other languages, and none of its tags. `$1` are entries, `$2` viewers, of whom few have exclusive lists; `$3`
 * and `$4` are pairs of an entry and a follower of its author who wants some languages only. Index: lists_exclusive,
 * list_members_pair, follows_pair.
 */
const offHome = sql<EntryViewer>(
  'streaming.off_home',
  `with entry as materialized (
     select entry.id, entry.author_id as by_id, post.author_id, post.language, entry.reblog_of_id is null and ${PUBLIC.sql('post')} as is_public
     from statuses entry join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id) where entry.id = any($1::text[])
   )
   select e.id as "entryId", v.id as "viewerId"
   from (select distinct l.account_id as id from lists l where l.exclusive and l.account_id = any($2::text[])) v cross join entry e
   where coalesce((
     select true from (${exclusiveMembers('v.id')}) member where member.id in (e.by_id, e.author_id) limit 1), false)
   union all
   select e.id, v.viewer_id from unnest($3::text[], $4::text[]) as v(entry_id, viewer_id) join entry e on e.id = v.entry_id
   where not ${matchesFollowLanguages('e.by_id', 'e', 'v.viewer_id')} and not coalesce((
     select true from status_hashtags t join followed_tags g on g.hashtag_id = t.hashtag_id and g.account_id = v.viewer_id
     where t.status_id = e.id and e.is_public limit 1), false)`,
);

/**
 * The viewers whose home timeline leaves a boost out, since the entries before it show the post or a boost of it
 * (`home.sql.ts` there). `$1` and `$2` are pairs of a boost and a viewer. `offset 0` has the entries before a boost counted
 * only where one of them shows the post. Index: home_feed_pkey, home_feed_reblogs, follows_pair.
 */
const repeated = sql<EntryViewer>(
  'streaming.repeated',
  `select boost.id as "entryId", v.id as "viewerId"
   from unnest($1::text[], $2::text[]) as v(entry_id, id) join statuses boost on boost.id = v.entry_id
     join statuses post on post.id = boost.reblog_of_id
   where coalesce((
     select true from (
       (select status_id, author_id, false as is_boost from home_feed d where d.account_id = v.id and d.status_id = post.id)
       union all
       (select status_id, author_id, true from home_feed d
        where d.account_id = v.id and d.reblog_of_id = post.id and d.status_id < boost.id order by d.status_id desc limit ${REMEMBERED})
       offset 0) shown
     where shown.status_id >= coalesce((
         select e.status_id from home_feed e where e.account_id = v.id and e.status_id < boost.id
         order by e.status_id desc offset ${REMEMBERED - 1} limit 1), '')
       and ${matchesFollowLanguages('shown.author_id', 'post', 'v.id')}
       and (not shown.is_boost or not ${mutes('v.id', 'shown.author_id')}
         and (shown.author_id = v.id or coalesce((select f.reblogs and ${isAccepted('f')} from follows f
           where f.follower_id = v.id and f.followee_id = shown.author_id), false))
         and not coalesce((select true from (${exclusiveMembers('v.id')}) member where member.id = shown.author_id limit 1), false))
     limit 1), false)`,
);

/** An account that follows a tag of an entry. */
export interface TagFollowerRow {
  /** The place of the entry. */
  readonly at: number;
  readonly followerId: string;
}

// `$1` and `$2` are pairs of a place and a tag, `$3` possible followers. Index: hashtags_name_key, followed_tags_pair.
const tagFollowers = sql<TagFollowerRow>(
  'streaming.tag_followers',
  `select distinct t.place as at, f.account_id as "followerId"
   from unnest($1::int[], $2::text[]) as t(place, name) join hashtags h on h.name = t.name
     join followed_tags f on f.hashtag_id = h.id
   where f.account_id = any($3::text[])`,
);

// Index: followed_tags_pair. `$1` are tags.
const followersOfTags = sql<{ tagId: string; followerId: string }>(
  'streaming.followers_of_tags',
  `select hashtag_id as "tagId", account_id as "followerId" from followed_tags
   where hashtag_id = any($1::bigint[]) and account_id = any($2::text[])`,
);

/** A list that shows an entry. */
interface ListingRow {
  readonly entryId: string;
  readonly listId: string;
}

const policy = matchesRepliesPolicy('post', { id: 'l.id', owner: 'l.account_id', policy: 'l.replies_policy' });

/** Boosts of a post, newest first, among which the first one of a list is looked for. */
const OLDER_BOOSTS = 1_000;

// Applies the rules of list timelines (`list.sql.ts` and `pull.sql.ts` there). A list shows a post once: not the boost of what it
// has shown, as a post or a boost of a member. Index: list_members_account, list_members_pair, statuses_reblogs_newest.
const listings = sql<ListingRow>(
  'streaming.listings',
  `with boost as materialized (
     select entry.id, post.id as post_id, post.author_id from statuses entry join statuses post on post.id = entry.reblog_of_id
     where entry.id = any($1::text[])),
   earlier(entry_id, account_id, is_boost) as materialized (
     select id, author_id, false from boost
     union all select boost.id, d.author_id, true from boost cross join lateral (
       select author_id from statuses d where d.reblog_of_id = boost.post_id and d.id < boost.id
       order by d.id desc limit ${OLDER_BOOSTS}) d),
   shown as materialized (
     select e.entry_id, l.id as list_id
     from earlier e join list_members m on m.account_id = e.account_id join lists l on l.id = m.list_id left join follows f on f.id = m.follow_id
     where m.list_id = any($2::bigint[]) and (f.id is null or ${isAccepted('f')}) and (not e.is_boost or coalesce(f.reblogs, true)
       and not ${eitherBlocks('l.account_id', 'e.account_id')} and not ${mutes('l.account_id', 'e.account_id')}))
   select entry.id as "entryId", l.id as "listId"
   from statuses entry join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id)
     join list_members m on m.account_id = entry.author_id join lists l on l.id = m.list_id left join follows f on f.id = m.follow_id
   where entry.id = any($1::text[]) and m.list_id = any($2::bigint[]) and (f.id is null or ${isAccepted('f')})
     and (case when entry.reblog_of_id is null then ${policy} else coalesce(f.reblogs, true) end)
     and (entry.id, l.id) not in (select entry_id, list_id from shown)`,
);

// Index: list_members_account. `$2` are lists.
const listsWith = sql<{ accountId: string; listId: string }>(
  'streaming.lists_with',
  `select account_id as "accountId", list_id as "listId" from list_members
   where account_id = any($1::text[]) and list_id = any($2::bigint[])`,
);

/** The statements that find the audience of an event. */
@Injectable()
export class AudienceRepository {
  constructor(private readonly db: Database) {}

  /** The newest accepted followers of each account, up to `NAMED_FOLLOWERS`. */
  followersOf(accountIds: readonly string[]): Promise<FollowerRow[]> {
    return this.db.rows(followersOf, [accountIds, NAMED_FOLLOWERS]);
  }

  /** Accepted follows of the accounts by the readers. */
  followersAmong(accountIds: readonly string[], readerIds: readonly string[]): Promise<FollowerRow[]> {
    return this.db.rows(followersAmong, [accountIds, readerIds]);
  }

  statusFacts(statusIds: readonly string[]): Promise<StatusFacts[]> {
    return this.db.rows(statusFacts, [statusIds]);
  }

  /** The boosts of what their viewers' home timelines have just shown. */
  repeated(reblogs: readonly StatusForViewer[]): Promise<EntryViewer[]> {
    return this.db.rows(repeated, [reblogs.map(({ id }) => id), reblogs.map(({ viewerId }) => viewerId)]);
  }

  /** The posts that their viewers may see. */
  visibleTo(posts: readonly StatusForViewer[]): Promise<EntryViewer[]> {
    return this.db.rows(visibleTo, [posts.map(({ id }) => id), posts.map(({ viewerId }) => viewerId)]);
  }

  /** The viewers that do not want an entry. `contained`: also those who may see its thread only in part. */
  unwanted(entryIds: readonly string[], viewerIds: readonly string[], contained: boolean): Promise<EntryViewer[]> {
    return this.db.rows(unwanted, [entryIds, viewerIds, contained]);
  }

  /**
   * The viewers whose home timeline leaves an entry out. `limited` are the followers of the author who want some languages
   * only.
   */
  offHome(
    entryIds: readonly string[],
    viewerIds: readonly string[],
    limited: readonly StatusForViewer[],
  ): Promise<EntryViewer[]> {
    const pairs = [limited.map(({ id }) => id), limited.map(({ viewerId }) => viewerId)];
    return this.db.rows(offHome, [entryIds, viewerIds, ...pairs]);
  }

  /** The readers who follow a tag, by the places of the tags. */
  tagFollowers(tags: readonly { at: number; name: string }[], readerIds: readonly string[]): Promise<TagFollowerRow[]> {
    return this.db.rows(tagFollowers, [tags.map(({ at }) => at), tags.map(({ name }) => name), readerIds]);
  }

  /** The readers who follow one of the tags. */
  followersOfTags(
    tagIds: readonly string[],
    readerIds: readonly string[],
  ): Promise<{ tagId: string; followerId: string }[]> {
    return this.db.rows(followersOfTags, [tagIds, readerIds]);
  }

  /** The lists that show an entry, among the given ones. */
  listings(entryIds: readonly string[], listIds: readonly string[]): Promise<ListingRow[]> {
    return this.db.rows(listings, [entryIds, listIds]);
  }

  /** The lists that an account is on, among the given ones. */
  listsWith(
    accountIds: readonly string[],
    listIds: readonly string[],
  ): Promise<{ accountId: string; listId: string }[]> {
    return this.db.rows(listsWith, [accountIds, listIds]);
  }
}
