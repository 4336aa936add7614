import { Injectable } from '@nestjs/common';
import { DIRECT, maySee, statusesAbove, PUBLIC, StatusFlag, type StatusForViewer } from '../../statuses/index.js';
import {
  exclusiveMembers,
  hiddenPairs,
  isAccepted,
  isFollowed,
  isUnexpired,
  serverNames,
  matchesFollowLanguages,
} from '../../accounts/index.js';
import { Database, sql } from '../../platform/index.js';
import { matchesRepliesPolicy } from '../../timelines/index.js';

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
}

// Index: follows_followers.
const followersOf = sql<FollowerRow>(
  'streaming.followers_of',
  `select f.followee_id as "followeeId", f.follower_id as "followerId", f.reblogs
   from unnest($1::text[]) as a(id) cross join lateral (
     select followee_id, follower_id, reblogs from follows where followee_id = a.id and ${isAccepted('follows')}
     order by id desc limit ${NAMED_FOLLOWERS}) f`,
);

// Index: follows_pair. `$1` are accounts, `$2` possible followers.
const followersAmong = sql<FollowerRow>(
  'streaming.followers_among',
  `select f.followee_id as "followeeId", f.follower_id as "followerId", f.reblogs
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

interface WantedRow {
  readonly entryId: string;
  readonly viewerId: string;
  /**
   * Whether the home timeline of the viewer leaves it out: an exclusive list shows the author,
     or the viewer follows the author for
   * posts in other languages, and none of its tags.
   */
  readonly isOffHome: boolean;
}

/**
 * The viewers that want an entry. `$1` are entries, `$2` a viewer for each. The statement applies the rules of the
 * timelines (`home.sql.ts`, `status-filters.sql.ts` there) from the side of the post, so it reads blocks and mutes once for
 * all viewers. The authors of an entry and the accounts it mentions or answers are its parties; a viewer who blocks or mutes a
 * party does not want the entry. Authors want their own posts, even if they mention an account they block
 * (`except_id`). With `$3` the statement leaves out threads that the viewer may see only in part. It does not check who
 * may see the entry. Index: blocks_target, blocks_pair, mutes_target, thread_mutes_conversation, lists_exclusive.
 */
const wanted = sql<WantedRow>(
  'streaming.wanted',
  `with recursive entry as materialized (
     select entry.id, entry.author_id as by_id, post.id as post_id, post.author_id, post.conversation_id, entry.reblog_of_id,
       post.flags,
       post.language, entry.reblog_of_id is null and ${PUBLIC.sql('post')} as is_public,
       post.in_reply_to_id, post.in_reply_to_account_id
     from statuses entry join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id) where entry.id = any($1::text[])
   ),
   party(entry_id, account_id, except_id) as materialized (
     select id, by_id, '' from entry union select id, author_id, '' from entry
     union select e.id, m.account_id, e.author_id from entry e join mentions m on m.status_id = e.post_id
     where e.flags & ${StatusFlag.mentions} <> 0
     union select id, in_reply_to_account_id, author_id from entry where in_reply_to_account_id is not null
   ),
   hidden(entry_id, viewer_id) as materialized (
     ${hiddenPairs(
       (table, viewer, hidden) =>
         `select p.entry_id, ${viewer} from party p join ${table} on ${hidden} = p.account_id where ${viewer} <> p.except_id`,
     )}
     union all select e.id, t.account_id from entry e join thread_mutes t on t.conversation_id = e.conversation_id
     where ${isUnexpired('t')}
   ),
   above as (${statusesAbove('(select id as entry_id, in_reply_to_id from entry where $3::boolean) below', (row) => `${row}.entry_id, `)}),
   doubtful as materialized (select * from above where not ${maySee('above', "''")}),
   server as materialized (
     select e.id as entry_id, a.id as account_id, ${serverNames('a')} as names
     from entry e join accounts a on a.id in (e.by_id, e.author_id)
     where a.domain is not null
   )
   select e.id as "entryId", v.viewer_id as "viewerId", coalesce((
     select true from (${exclusiveMembers('v.viewer_id')}) member where member.id in (e.by_id, e.author_id) limit 1), false)
     or not ${matchesFollowLanguages('e.by_id', 'e', 'v.viewer_id')}
     and not coalesce((
       select true from status_hashtags t join followed_tags g on g.hashtag_id = t.hashtag_id and g.account_id = v.viewer_id
       where t.status_id = e.id and e.is_public limit 1), false)
     as "isOffHome"
   from unnest($1::text[], $2::text[]) as v(entry_id, viewer_id) join entry e on e.id = v.entry_id
   where (e.id, v.viewer_id) not in (select entry_id, viewer_id from hidden)
     and (e.reblog_of_id is null or e.author_id <> v.viewer_id)
     and not coalesce((
       select true from server join domain_blocks b on b.account_id = v.viewer_id and b.domain = any(server.names)
       where server.entry_id = e.id and not ${isFollowed('server.account_id', 'v.viewer_id')} limit 1), false)
     and (e.author_id = v.viewer_id or not coalesce((
         select true from doubtful d where d.entry_id = e.id and not ${maySee('d', 'v.viewer_id')} limit 1), false)
       or coalesce((select skip_thread_containment from accounts a where a.id = v.viewer_id), false))`,
);

/** An account that follows a tag of an entry. */
export interface TagFollowerRow {
  readonly entryId: string;
  readonly followerId: string;
}

// Index: status_hashtags_pkey, followed_tags_pair. `$2` are possible followers.
const tagFollowers = sql<TagFollowerRow>(
  'streaming.tag_followers',
  `select distinct t.status_id as "entryId", f.account_id as "followerId"
   from status_hashtags t join followed_tags f on f.hashtag_id = t.hashtag_id
   where t.status_id = any($1::text[]) and f.account_id = any($2::text[])`,
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

// Applies the rule of list timelines (`list.sql.ts` there). Index: list_members_account, list_members_pair.
const listings = sql<ListingRow>(
  'streaming.listings',
  `select entry.id as "entryId", l.id as "listId"
   from statuses entry join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id)
     join list_members m on m.account_id = entry.author_id join lists l on l.id = m.list_id left join follows f on f.id = m.follow_id
   where entry.id = any($1::text[]) and m.list_id = any($2::bigint[]) and (f.id is null or ${isAccepted('f')})
     and (case when entry.reblog_of_id is null then ${policy} else coalesce(f.reblogs, true) end)`,
);

// Index: list_members_account. `$2` are lists.
const listsWith = sql<{ accountId: string; listId: string }>(
  'streaming.lists_with',
  `select account_id as "accountId", list_id as "listId" from list_members
   where account_id = any($1::text[]) and list_id = any($2::bigint[])`,
);

/**
 * An entry that the viewer wants. `isOffHome`: an exclusive list of the viewer shows the author, or the viewer wants other
 * languages from it, so that the home timeline leaves it out.
 */
export interface WantedStatus extends StatusForViewer {
  readonly isOffHome: boolean;
}

/** The statements that find the audience of an event. */
@Injectable()
export class AudienceRepository {
  constructor(private readonly db: Database) {}

  /** The newest accepted followers of each account, up to `NAMED_FOLLOWERS`. */
  followersOf(accountIds: readonly string[]): Promise<FollowerRow[]> {
    return this.db.rows(followersOf, [accountIds]);
  }

  /** Accepted follows of the accounts by the readers. */
  followersAmong(accountIds: readonly string[], readerIds: readonly string[]): Promise<FollowerRow[]> {
    return this.db.rows(followersAmong, [accountIds, readerIds]);
  }

  statusFacts(statusIds: readonly string[]): Promise<StatusFacts[]> {
    return this.db.rows(statusFacts, [statusIds]);
  }

  /**
   * Returns the pairs whose viewer wants the entry. `contained`: leaves out threads that the viewer may see only in
   * part.
   */
  async wanted(entries: readonly StatusForViewer[], contained: boolean): Promise<WantedStatus[]> {
    const [ids, viewerIds] = [entries.map(({ id }) => id), entries.map(({ viewerId }) => viewerId)];
    const rows = await this.db.rows(wanted, [ids, viewerIds, contained]);
    return rows.map((row) => ({ id: row.entryId, viewerId: row.viewerId, isOffHome: row.isOffHome }));
  }

  /** The readers who follow a tag of an entry. */
  tagFollowers(entryIds: readonly string[], readerIds: readonly string[]): Promise<TagFollowerRow[]> {
    return this.db.rows(tagFollowers, [entryIds, readerIds]);
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
