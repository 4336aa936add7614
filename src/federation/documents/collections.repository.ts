import { Injectable } from '@nestjs/common';
import { isAccepted, isListed, mostExamined } from '../../accounts/index.js';
import type { ListedProfiles } from '../../config/index.js';
import { Database, type Keyset, sql } from '../../platform/index.js';
import { maySee, PUBLIC_OR_UNLISTED } from '../../statuses/index.js';
import { NOTE_TABLES, noteColumns, openReply } from './note.sql.js';
import type { NoteSource } from '../render/note.js';

/** A local account with the public parts of its collections. */
export interface CollectionOwner {
  readonly id: string;
  readonly apId: string;
  readonly hideFollowers: boolean;
  readonly hideFollows: boolean;
  readonly hideFollowersCount: boolean;
  readonly hideFollowsCount: boolean;
  readonly statusesCount: number;
  readonly followersCount: number;
  readonly followingCount: number;
}

/** A follower or a followed account; the id is that of the follow. */
export interface RelationRow {
  readonly id: string;
  readonly apId: string;
}

/** A post or a boost of an outbox. */
export interface OutboxRow extends NoteSource {
  readonly id: string;
  /** The reblogged post and its author. */
  readonly reblogged: string | null;
  readonly rebloggedAuthor: string | null;
}

// Index: accounts_handle.
const owner = sql<CollectionOwner>(
  'federation.collection_owner',
  `select a.id, a.ap_id as "apId", a.hide_followers as "hideFollowers", a.hide_follows as "hideFollows",
     a.hide_followers_count as "hideFollowersCount", a.hide_follows_count as "hideFollowsCount",
     s.statuses_count as "statusesCount", s.followers_count as "followersCount", s.following_count as "followingCount"
   from accounts a join users u on u.account_id = a.id join account_stats s on s.account_id = a.id
   where lower(a.nickname) = lower($1) and coalesce(a.domain, '') = '' and a.deactivated_at is null
     and u.is_confirmed and u.is_approved`,
);

const related = (from: string, to: string) =>
  `select f.id, a.ap_id as "apId"
   from (
     select * from follows f where f.${from} = $1 and f.id < $2::bigint and ${isAccepted('f')}
     order by f.id desc limit ${mostExamined('$5', '$6')}) f
   join accounts a on a.id = f.${to}
   where a.deactivated_at is null and ${isListed('a', '$5', '$6')}
   order by f.id desc limit $3 offset $4`;

// Index: follows_followers.
const followers = sql<RelationRow>('federation.followers', related('followee_id', 'follower_id'));
// Index: follows_following.
const following = sql<RelationRow>('federation.following', related('follower_id', 'followee_id'));

// Index: statuses_author.
const outbox = sql<OutboxRow>(
  'federation.outbox',
  `select s.id, ${noteColumns('$2')}, reblogged.uri as reblogged, reblogged_author.ap_id as "rebloggedAuthor"
   from ${NOTE_TABLES} left join statuses reblogged on reblogged.id = s.reblog_of_id
     left join accounts reblogged_author on reblogged_author.id = reblogged.author_id
   where s.author_id = $1 and s.id < $3 and ${PUBLIC_OR_UNLISTED.sql('s')}
     and (s.reblog_of_id is null or ${maySee('reblogged', "''")})
   order by s.id desc limit $4`,
);

// The pins are an array: PostgreSQL plans so many joins in part, and would join all posts with their authors before it
// joins the pins. Index: pins_account, pins_pkey, statuses_pkey.
const featured = sql<NoteSource>(
  'federation.featured',
  `select ${noteColumns('$2')} from ${NOTE_TABLES}
   where s.id = any(array(select status_id from pins where account_id = $1)) and ${PUBLIC_OR_UNLISTED.sql('s')}
   order by (select created_at from pins where status_id = s.id) desc limit $3`,
);

// Index: conversations_uri_key, statuses_conversation.
const context = sql<{ id: string; uri: string }>(
  'federation.context',
  `select s.id, s.uri from conversations c join statuses s on s.conversation_id = c.id
   where c.uri = $1 and s.id > $2 and ${PUBLIC_OR_UNLISTED.sql('s')} and ${maySee('s', "''")} order by s.id limit $3`,
);

// Index: statuses_uri_key.
const openStatus = sql<{ id: string }>(
  'federation.open_post',
  `select s.id from statuses s where s.uri = $1 and s.local and s.reblog_of_id is null
     and ${PUBLIC_OR_UNLISTED.sql('s')} and ${maySee('s', "''")}`,
);

// Index: statuses_replies.
const replies = sql<{ id: string; uri: string }>(
  'federation.replies',
  `select s.id, s.uri from statuses s
   where s.in_reply_to_id = $1 and s.id > $2 and ${openReply('s')}
   order by s.id limit $3`,
);

/** Reads the collections that other servers fetch: only what anonymous readers may see. */
@Injectable()
export class CollectionsRepository {
  constructor(private readonly db: Database) {}

  /** A visible local account, by its case-insensitive name. */
  owner(nickname: string): Promise<CollectionOwner | undefined> {
    return this.db.first(owner, [nickname]);
  }

  /** Followers, or followed accounts, below the id of a follow, the latest first. */
  related(
    which: 'followers' | 'following',
    accountId: string,
    { below, limit }: Keyset,
    offset: number,
    { here, elsewhere }: ListedProfiles,
  ): Promise<RelationRow[]> {
    const statement = which === 'followers' ? followers : following;
    return this.db.rows(statement, [accountId, below, limit, offset, here, elsewhere]);
  }

  /** Public and unlisted posts and boosts below an id, the latest first. */
  outbox(accountId: string, handleDomain: string, below: string, limit: number): Promise<OutboxRow[]> {
    return this.db.rows(outbox, [accountId, handleDomain, below, limit]);
  }

  /** Pinned posts, the latest pin first. */
  featured(accountId: string, handleDomain: string, limit: number): Promise<NoteSource[]> {
    return this.db.rows(featured, [accountId, handleDomain, limit]);
  }

  /** The posts of a conversation above an id, the oldest first. */
  context(uri: string, above: string, limit: number): Promise<{ id: string; uri: string }[]> {
    return this.db.rows(context, [uri, above, limit]);
  }

  /** The id of a public or unlisted local post. */
  async openStatus(uri: string): Promise<string | undefined> {
    return (await this.db.first(openStatus, [uri]))?.id;
  }

  /** The public and unlisted replies to a post above an id, the oldest first. */
  replies(statusId: string, above: string, limit: number): Promise<{ id: string; uri: string }[]> {
    return this.db.rows(replies, [statusId, above, limit]);
  }
}
