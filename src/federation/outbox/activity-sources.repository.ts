import { Inject, Injectable } from '@nestjs/common';
import { isAcceptedRemote, isPending, isUnexpired } from '../../accounts/index.js';
import { Database, ENV, type Env, sql } from '../../platform/index.js';
import {
  endedQuoteUri,
  FOR_FOLLOWERS,
  isNotRemoved,
  PUBLIC,
  PUBLIC_OR_UNLISTED,
  type VisibilityName,
  wasPublic,
} from '../../statuses/index.js';
import { noteColumns, SENT_NOTE_TABLES } from '../documents/note.sql.js';
import { PASSES_ON } from './outbox.repository.js';
import type { ListenedTrack } from '../render/activities.js';
import type { NoteSource } from '../render/note.js';

/** A local post to send to other servers. */
export interface SentStatus extends NoteSource {
  readonly authorId: string;
  readonly version: number;
  /** The accounts it names or is for. */
  readonly addressedIds: readonly string[];
  readonly inReplyToAccountId: string | null;
  readonly quotedAuthorId: string | null;
  readonly groupId: string | null;
  /** The address of what it quotes, where the quote was refused or the quoted post deleted. */
  readonly endedQuoteUri: string | null;
  /** Whether it was public before the staff changed its visibility. */
  readonly wasPublic: boolean;
  /** Whether relays follow this server. */
  readonly hasRelayFollowers: boolean;
}

/** Whose servers have a copy of a post, whether it was sent there or not. */
export interface StatusHolders {
  /** Accounts that boosted it: what they boost is shown to their followers. */
  readonly boosterIds: readonly string[];
  /** Accounts of other servers that answered or quoted it. */
  readonly referrerIds: readonly string[];
}

/** A local boost to send to other servers. */
export interface SentReblog {
  readonly uri: string;
  readonly visibility: number;
  readonly createdAt: string;
  readonly actor: string;
  readonly actorId: string;
  readonly statusId: string;
  readonly statusUri: string;
  readonly statusVisibility: number;
  readonly author: string;
  readonly authorId: string;
}

/** An action of an account on a status. */
export interface StatusActionRow {
  readonly actor: string;
  readonly statusUri: string;
  readonly author: string;
}

export interface ReactionRow extends StatusActionRow {
  /** The picture of another server's emoji. */
  readonly url: string | null;
}

/** A chosen option of a poll. */
export interface VoteRow extends StatusActionRow {
  readonly pollId: string;
  readonly position: number;
  readonly title: string;
  /** When the account voted, in microseconds. */
  readonly votedAt: string;
}

/** The members of a list post on one host. */
export interface HostRecipients {
  readonly host: string;
  readonly ids: readonly string[];
  readonly uris: readonly string[];
}

/** Two accounts by their protocol ids. */
export interface PairRow {
  readonly actor: string;
  readonly target: string;
}

export interface FollowRow extends PairRow {
  /** The id of the Follow. */
  readonly uri: string | null;
  readonly pending: boolean;
}

/** What a local account listens to. */
export interface SentScrobble extends ListenedTrack {
  readonly visibility: VisibilityName;
}

export interface LocalAccountRow {
  readonly apId: string;
  readonly nickname: string;
  readonly version: number;
  readonly deactivated: boolean;
  /** Whether the user is confirmed and approved: before that nobody can read the actor. */
  readonly admitted: boolean;
}

const post = sql<SentStatus>(
  'outbox.post',
  `select ${noteColumns('$2')}, s.author_id as "authorId", s.version, s.in_reply_to_account_id as "inReplyToAccountId",
     s.group_id as "groupId", ${endedQuoteUri('s')} as "endedQuoteUri", ${wasPublic('s')} as "wasPublic",
     quoted.author_id as "quotedAuthorId",
     exists (select from relay_followers) as "hasRelayFollowers",
     array(select m.account_id from mentions m where m.status_id = s.id) as "addressedIds"
   from ${SENT_NOTE_TABLES}
   where s.id = $1 and s.local and s.reblog_of_id is null and (a.deactivated_at is null or $3::boolean and a.deleted_at is null)`,
);

/** Accounts of each kind. */
const MOST_HOLDERS = 1_000;

// Index: statuses_pkey, statuses_reblogs, statuses_replies, statuses_quotes.
const holders = sql<StatusHolders>(
  'outbox.holders',
  `select array(select b.author_id from statuses b where b.reblog_of_id = s.id limit ${MOST_HOLDERS}) as "boosterIds",
     array((select r.author_id from statuses r where r.in_reply_to_id = s.id and not r.local limit ${MOST_HOLDERS}) union
       (select q.author_id from statuses q where q.quote_of_id = s.id and not q.local limit ${MOST_HOLDERS})) as "referrerIds"
   from statuses s where s.id = $1 and ${PUBLIC_OR_UNLISTED.sql('s')}`,
);

const reblog = sql<SentReblog>(
  'outbox.reblog',
  `select s.uri, s.visibility, s.created_at as "createdAt", a.ap_id as actor, s.author_id as "actorId", post.id as "statusId",
     post.uri as "statusUri",
     post.visibility as "statusVisibility", author.ap_id as author, post.author_id as "authorId"
   from statuses s join accounts a on a.id = s.author_id
     join statuses post on post.id = s.reblog_of_id join accounts author on author.id = post.author_id
   where s.id = $1 and s.local`,
);

const isRemote = `a.domain is not null and a.inbox_url is not null`;

/**
 * SQL: whether a server has a post that everybody may read: it fetched the post, or shows what somebody did with it. It looks at
 * as many of a kind as {@link MOST_HOLDERS}.
 */
const isHeld = `
  exists (select from document_readers d where d.uri = s.uri)
  or exists (select from (select b.local, b.author_id from statuses b where b.reblog_of_id = s.id limit ${MOST_HOLDERS}) b
    where not b.local or exists (select from follows f where f.followee_id = b.author_id and ${isAcceptedRemote('f')}))
  or exists (select from (select r.local from statuses r where r.in_reply_to_id = s.id limit ${MOST_HOLDERS}) r where not r.local)
  or exists (select from (select q.local from statuses q where q.quote_of_id = s.id limit ${MOST_HOLDERS}) q where not q.local)`;

// The accounts of every audience in `StatusActivitiesService`. Index: statuses_pkey, follows_remote_followers, mentions_pkey,
// accounts_pkey, document_readers_pkey, statuses_reblogs, statuses_replies, statuses_quotes.
const hasReceivers = sql(
  'outbox.has_receivers',
  `select from statuses s where s.id = $1 and (
     ${FOR_FOLLOWERS.sql('s')} and exists (
       select from follows f join accounts a on a.id = f.follower_id
       where f.followee_id = s.author_id and ${isAcceptedRemote('f')} and ${isRemote})
     or exists (
       select from accounts a where ${isRemote} and a.id in (
         select m.account_id from mentions m where m.status_id = s.id
         union all select s.in_reply_to_account_id
         union all select s.group_id
         union all select post.author_id from statuses post where post.id in (s.reblog_of_id, s.quote_of_id)))
     or ${FOR_FOLLOWERS.sql('s')} and ${endedQuoteUri('s')} is not null
     or ${PUBLIC_OR_UNLISTED.sql('s')} and s.reblog_of_id is null and (${isHeld})
     or (${PUBLIC.sql('s')} or ${PUBLIC_OR_UNLISTED.sql('s')} and ${wasPublic('s')}) and s.reblog_of_id is null
       and (exists (select from relays r where ${PASSES_ON}) or exists (select from relay_followers)))`,
);

const recipients = sql<HostRecipients>(
  'outbox.recipients',
  `select substring(a.inbox_url from '^https?://([^/?#]+)') as host, array_agg(a.id order by a.id) as ids,
     array_agg(a.ap_id order by a.id) as uris
   from mentions m join accounts a on a.id = m.account_id
   where m.status_id = $1 and ${isRemote} group by 1`,
);

const STATUS_ACTION_COLUMNS = `me.ap_id as actor, s.uri as "statusUri", a.ap_id as author`;
const statusActionTables = (account: string, status: string) =>
  `accounts me, statuses s join accounts a on a.id = s.author_id where me.id = ${account} and s.id = ${status} and ${isNotRemoved('s')}`;

const favourite = sql<StatusActionRow>(
  'outbox.favourite',
  `select ${STATUS_ACTION_COLUMNS} from ${statusActionTables('$1', '$2')}
     and exists (select from favourites f where f.account_id = $1 and f.status_id = $2)`,
);

const reaction = sql<ReactionRow>(
  'outbox.reaction',
  `select d.*, r.url from (select ${STATUS_ACTION_COLUMNS} from ${statusActionTables('$1', '$2')}) d
     join reactions r on r.account_id = $1 and r.status_id = $2 and r.name = $3`,
);

const vote = sql<VoteRow>(
  'outbox.vote',
  `select d.*, p.id as "pollId", o.position, o.title, (extract(epoch from v.created_at) * 1000000)::bigint as "votedAt"
   from (select ${STATUS_ACTION_COLUMNS} from ${statusActionTables('$1', '$2')}) d
     join polls p on p.status_id = $2 join poll_options o on o.poll_id = p.id
     join poll_votes v on v.poll_id = p.id and v.account_id = $1 and o.position = any(v.choices)
   order by o.position`,
);

const pair = sql<PairRow>(
  'outbox.pair',
  `select me.ap_id as actor, a.ap_id as target from accounts me, accounts a where me.id = $1 and a.id = $2`,
);

const follow = sql<FollowRow>(
  'outbox.follow',
  `select me.ap_id as actor, a.ap_id as target, f.uri, ${isPending('f')} as pending
   from follows f join accounts me on me.id = f.follower_id join accounts a on a.id = f.followee_id
   where f.follower_id = $1 and f.followee_id = $2`,
);

// Index: follows_pair.
const pendingFollows = sql<{ followeeId: string }>(
  'outbox.pending_follows',
  `select f.followee_id as "followeeId" from follows f
   where f.follower_id = $1 and f.followee_id > $2 and ${isPending('f')} and f.uri is not null
   order by f.followee_id limit $3`,
);

const block = sql<PairRow>(
  'outbox.block',
  `select me.ap_id as actor, a.ap_id as target
   from blocks b join accounts me on me.id = b.account_id join accounts a on a.id = b.target_id
   where b.account_id = $1 and b.target_id = $2 and ${isUnexpired('b')}`,
);

const account = sql<LocalAccountRow>(
  'outbox.account',
  `select ap_id as "apId", nickname, version, deactivated_at is not null as deactivated,
     exists (select from users u where u.account_id = accounts.id and u.is_confirmed and u.is_approved) as admitted from accounts
   where id = $1 and domain is null`,
);

const pin = sql<{ actor: string; uri: string; pinned: boolean }>(
  'outbox.pin',
  `select a.ap_id as actor, s.uri, exists (select from pins p where p.account_id = $1 and p.status_id = $2) as pinned
   from accounts a, statuses s where a.id = $1 and s.id = $2 and ${isNotRemoved('s')}`,
);

const scrobble = sql<SentScrobble>(
  'outbox.scrobble',
  `select a.ap_id as actor, s.title, s.artist, s.album, s.length, s.external_link as link, s.visibility,
     s.created_at as published
   from scrobbles s join accounts a on a.id = s.account_id where s.id = $1`,
);

const accountUri = sql<{ apId: string }>(
  'federation.account_uri',
  `select ap_id as "apId" from accounts where id = $1`,
);

const statusUris = sql<{ uri: string }>(
  'federation.status_uris',
  `select uri from statuses where id = any($1::text[]) and ${isNotRemoved('statuses')}`,
);

const authorOf = sql<{ authorId: string }>(
  'federation.author_of',
  `select author_id as "authorId" from statuses where id = $1`,
);

/** Reads what is to be sent, as it is now. Indexes: the primary keys, and the unique pairs of each table. */
@Injectable()
export class ActivitySourcesRepository {
  constructor(
    private readonly db: Database,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Undefined for one of a deactivated account, unless `evenIfDeactivated`. */
  post(statusId: string, evenIfDeactivated = false): Promise<SentStatus | undefined> {
    return this.db.first(post, [statusId, this.env.handleDomain, evenIfDeactivated]);
  }

  /** Nobody for a post that not everybody may read. */
  async holders(statusId: string): Promise<StatusHolders> {
    return (await this.db.first(holders, [statusId])) ?? { boosterIds: [], referrerIds: [] };
  }

  reblog(statusId: string): Promise<SentReblog | undefined> {
    return this.db.first(reblog, [statusId]);
  }

  /** Whether a remote account gets a post or a boost. Most posts have no such account, so callers ask before all else. */
  async hasReceivers(statusId: string): Promise<boolean> {
    return (await this.db.run(hasReceivers, [statusId])) === 1;
  }

  /** The remote accounts that a post addresses, by the host of their inboxes. */
  recipients(statusId: string): Promise<HostRecipients[]> {
    return this.db.rows(recipients, [statusId]);
  }

  /** Undefined when the account does not favour the status (any more). */
  favourite(accountId: string, statusId: string): Promise<StatusActionRow | undefined> {
    return this.db.first(favourite, [accountId, statusId]);
  }

  reaction(accountId: string, statusId: string, name: string): Promise<ReactionRow | undefined> {
    return this.db.first(reaction, [accountId, statusId, name]);
  }

  /** The options that the account chose. */
  votes(accountId: string, statusId: string): Promise<VoteRow[]> {
    return this.db.rows(vote, [accountId, statusId]);
  }

  pair(accountId: string, targetId: string): Promise<PairRow | undefined> {
    return this.db.first(pair, [accountId, targetId]);
  }

  follow(followerId: string, followeeId: string): Promise<FollowRow | undefined> {
    return this.db.first(follow, [followerId, followeeId]);
  }

  /** The remote accounts after an id that a local one waits to follow. */
  async pendingFollows(followerId: string, after: string, limit: number): Promise<string[]> {
    const rows = await this.db.rows(pendingFollows, [followerId, after, limit]);
    return rows.map(({ followeeId }) => followeeId);
  }

  block(accountId: string, targetId: string): Promise<PairRow | undefined> {
    return this.db.first(block, [accountId, targetId]);
  }

  /** A local account. */
  account(accountId: string): Promise<LocalAccountRow | undefined> {
    return this.db.first(account, [accountId]);
  }

  pin(accountId: string, statusId: string): Promise<{ actor: string; uri: string; pinned: boolean } | undefined> {
    return this.db.first(pin, [accountId, statusId]);
  }

  scrobble(id: string): Promise<SentScrobble | undefined> {
    return this.db.first(scrobble, [id]);
  }

  /** The protocol id of any account. */
  async accountUri(accountId: string): Promise<string | undefined> {
    const rows = await this.db.rows(accountUri, [accountId]);
    return rows[0]?.apId;
  }

  /** The protocol ids of statuses. */
  async statusUris(ids: readonly string[]): Promise<string[]> {
    const rows = await this.db.rows(statusUris, [ids]);
    return rows.map(({ uri }) => uri);
  }

  /** The author of a status. */
  async authorOf(statusId: string): Promise<string | undefined> {
    const rows = await this.db.rows(authorOf, [statusId]);
    return rows[0]?.authorId;
  }
}
