import { Injectable } from '@nestjs/common';
import { columns, Database, purge, someRow, sql } from '../../platform/index.js';
import { endedQuoteUri, isAnswer } from '../model/page.sql.js';
import { isPopular } from '../model/popular.sql.js';
import { OF_REMOVED, type RemovedEntry, type RemovedStatus } from '../model/removed-status.js';
import { sourceOf } from '../model/source.js';
import { StatusFlag } from '../model/status.flags.js';
import { maySee, PUBLIC_OR_UNLISTED } from '../model/visibility.js';
import { eitherBlocks, isExpired } from '../../accounts/index.js';
import { Status, UNKNOWN_TYPE } from '../model/status.entities.js';

/** A post with the fields that actions on it need. */
export interface StatusRow {
  readonly id: string;
  readonly authorId: string;
  readonly uri: string;
  readonly visibility: number;
  readonly spoiler: string;
  readonly local: boolean;
  readonly conversationId: string | null;
  /** The author's list that the post is for. */
  readonly listId: string | null;
  /** Whether the author and the viewer are apart: one of them blocks the other. */
  readonly isBlocked: boolean;
  /** Whether it answers another post, which may be unknown here. */
  readonly isAnswer: boolean;
}

/** The source text of a post. */
export interface SourceRow {
  readonly id: string;
  /** Null for a boost. */
  readonly text: string | null;
  readonly spoiler: string;
  readonly contentType: string;
  /** Whether the author chose that a poll shows no counts until its end. */
  readonly hidesTotals: boolean;
}

const OF_DELETED = [...OF_REMOVED, 'uri', 'local', 'groupId'] as const;

/** A locked status that is about to be deleted. */
export interface DeletedRow extends RemovedStatus, Pick<Status, 'uri' | 'local' | 'groupId'> {
  /** The authors of its parent and of what it quotes, and remote authors of replies and of quotes, each up to {@link THREAD_AUTHORS}. */
  readonly threadAuthorIds: readonly string[];
  /** The address of what it quotes, where the quote was refused or the quoted post deleted. */
  readonly endedQuoteUri: string | null;
  /** Whether there is too much that belongs to it for one unit of work. */
  readonly isPopular: boolean;
}

/** The parts that were deleted with a status. */
export interface RemovedParts {
  /** Accounts that it addressed. */
  readonly addressedIds: readonly string[];
  readonly tagIds: readonly string[];
}

// For the id of a boost, the boosted post.
const visible = sql<StatusRow>(
  'statuses.visible',
  `select ${columns(Status, 'post', ['id', 'authorId', 'uri', 'visibility', 'spoiler', 'local', 'conversationId', 'listId'])},
     ${eitherBlocks('post.author_id', '$1')} as "isBlocked",
     ${isAnswer('post')} as "isAnswer"
   from statuses entry join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id)
   where entry.id = $2 and ${maySee('entry')} and (entry.reblog_of_id is null or ${maySee('post')})`,
);

const storedBy = (column: 'id' | 'uri') =>
  `select id, author_id as "authorId", uri, visibility, spoiler, local, conversation_id as "conversationId",
     list_id as "listId", false as "isBlocked", ${isAnswer('statuses')} as "isAnswer"
   from statuses where ${column} = $1 and reblog_of_id is null`;

// Index: statuses_uri_key.
const byUri = sql<StatusRow>('statuses.by_uri', storedBy('uri'));

// Index: statuses_pkey.
const byId = sql<StatusRow>('statuses.by_id', storedBy('id'));

/** Maximum number of reply authors in the event of a deletion, which keeps the event small. */
const THREAD_AUTHORS = 1_000;

const source = sql<SourceRow>(
  'statuses.source',
  `select id, ${sourceOf('statuses')} as text, spoiler, content_type as "contentType",
     coalesce((select p.hide_totals from polls p where p.status_id = statuses.id), false) as "hidesTotals"
   from statuses where id = $1 and author_id = $2`,
);

// Finds the authors of replies and quotes before the post is deleted. Index: statuses_replies, statuses_quotes.
const DELETED = `${columns(Status, 'statuses', OF_DELETED)},
  (select p.visibility from statuses p where p.id = statuses.in_reply_to_id) as "parentVisibility",
  (select q.visibility from statuses q where q.id = statuses.quote_of_id) as "quotedVisibility",
  array(select in_reply_to_account_id where in_reply_to_account_id is not null union
    select q.author_id from statuses q where q.id = statuses.quote_of_id union
    (select r.author_id from statuses r where r.in_reply_to_id = statuses.id and not r.local limit ${THREAD_AUTHORS}) union
    (select q.author_id from statuses q where q.quote_of_id = statuses.id and not q.local limit ${THREAD_AUTHORS})) as "threadAuthorIds",
  ${endedQuoteUri('statuses')} as "endedQuoteUri", ${isPopular('statuses.id')} as "isPopular"`;

const lockOwn = sql<DeletedRow>(
  'statuses.lock_own',
  `select ${DELETED} from statuses where id = $1 and author_id = $2 for update`,
);

const lockExpired = sql<DeletedRow>(
  'statuses.lock_expired',
  `select ${DELETED} from statuses where id = $1 and ${isExpired('statuses')} for update`,
);

const lockReblog = sql<DeletedRow>(
  'statuses.lock_boost',
  `select ${DELETED} from statuses where reblog_of_id = $1 and author_id = $2 for update`,
);

const reblogOf = sql<{ id: string }>(
  'statuses.boost_of',
  `select id from statuses where reblog_of_id = $1 and author_id = $2`,
);

// Index: statuses_reblogs.
const removeReblogs = sql<RemovedEntry>(
  'statuses.remove_boosts',
  `delete from statuses where reblog_of_id = $1 returning author_id as "authorId", visibility`,
);

const removeMentions = sql<{ accountId: string }>(
  'statuses.remove_mentions',
  `delete from mentions where status_id = $1 returning account_id as "accountId"`,
);

const removeTags = sql<{ hashtagId: string }>(
  'statuses.remove_tags',
  `delete from status_hashtags where status_id = $1 returning hashtag_id as "hashtagId"`,
);

const raiseVersion = sql('statuses.raise_version', `update statuses set version = version + 1 where id = $1`);

// Deletes favourites and reactions first, in the order in which unfavourite and unreact lock rows: the cascade would
// start with the counters, so that the two could deadlock. The bodies of quotes say that the post is deleted, which the
// foreign key alone would not change.
const remove = sql(
  'statuses.remove',
  `with favoured as (delete from favourites where status_id = $1), reacted as (delete from reactions where status_id = $1),
   detached as (update statuses set quote_of_id = null, version = version + 1 where quote_of_id = $1 and id <> $1)
   delete from statuses where id = $1`,
);

// Nothing of the post is left, and nothing leads to it: it is found neither by its URI nor in its thread.
const handOver = sql(
  'statuses.hand_over',
  `with unpinned as (delete from pins where status_id = $1), edits as (delete from status_edits where status_id = $1)
   update statuses set author_id = $2, visibility = $3, uri = 'removed:' || id, url = null, local = true, flags = 0,
     in_reply_to_id = null, in_reply_to_account_id = null, in_reply_to_uri = null, quote_of_id = null, quote_uri = null,
     quote_policy = null, quote_approval = null, quote_refused = false, conversation_id = null, list_id = null,
     group_id = null, content_html = '', content_text = '', source = null, spoiler = '', emojis = '[]', application = null,
     expires_at = null, version = version + 1
   where id = $1`,
);

// Index: statuses_reblogs.
const rebloggers = sql<Pick<RemovedEntry, 'authorId'>>(
  'statuses.rebloggers',
  `select author_id as "authorId" from statuses where reblog_of_id = $1 limit $2`,
);

const insertTombstone = sql(
  'statuses.insert_tombstone',
  `insert into tombstones (uri, former_type, local, by_server, by_staff) values ($1, $2, $3, $4, $5)
   on conflict (uri) do update set former_type = excluded.former_type, by_server = excluded.by_server,
     by_staff = excluded.by_staff, deleted_at = now()
   where tombstones.former_type = '${UNKNOWN_TYPE}'`,
);

const newestId = sql<{ id: string }>('statuses.newest_id', `select id from statuses order by id desc limit 1`);

/** What a tombstone says besides the deletion. */
export interface DeletionOptions {
  /** Its own server deleted a remote post. */
  readonly byServer?: boolean;
  /** The staff deleted the post. */
  readonly byStaff?: boolean;
  /** It is stored again when its server serves it. */
  readonly mayReturn?: boolean;
}

/** Reads single statuses, and removes statuses. `viewerId` is `''` for anonymous callers. */
@Injectable()
export class StatusRepository {
  constructor(private readonly db: Database) {}

  /** The highest id of all statuses. */
  async newestId(): Promise<string | undefined> {
    const rows = await this.db.rows(newestId);
    return rows[0]?.id;
  }

  /** The post, or for a boost the boosted post, if the viewer may see it. */
  visible(id: string, viewerId: string): Promise<StatusRow | undefined> {
    return this.db.first(visible, [viewerId, id]);
  }

  /** A post by its URI. Does not check visibility. */
  byUri(uri: string): Promise<StatusRow | undefined> {
    return this.db.first(byUri, [uri]);
  }

  /** A post by its id, no boost. Does not check visibility. */
  byId(id: string): Promise<StatusRow | undefined> {
    return this.db.first(byId, [id]);
  }

  source(id: string, authorId: string): Promise<SourceRow | undefined> {
    return this.db.first(source, [id, authorId]);
  }

  /** Locks a status of the author until the unit ends, so that it is not boosted, replied to or deleted meanwhile. */
  lockOwn(id: string, authorId: string): Promise<DeletedRow | undefined> {
    return this.db.first(lockOwn, [id, authorId]);
  }

  /** Locks a status if it has expired. */
  lockExpired(id: string): Promise<DeletedRow | undefined> {
    return this.db.first(lockExpired, [id]);
  }

  /** Locks the account's boost of a post. */
  lockReblog(statusId: string, accountId: string): Promise<DeletedRow | undefined> {
    return this.db.first(lockReblog, [statusId, accountId]);
  }

  async reblogOf(statusId: string, accountId: string): Promise<string | undefined> {
    return (await this.db.first(reblogOf, [statusId, accountId]))?.id;
  }

  /** Deletes a status with its parts and boosts; returns the boosts too. */
  async remove(status: RemovedStatus): Promise<RemovedParts & { readonly reblogs: readonly RemovedEntry[] }> {
    const [reblogs, parts] = await Promise.all([
      this.db.rows(removeReblogs, [status.id]),
      this.removeParts(status),
      this.db.run(remove, [status.id]),
    ]);
    return { ...parts, reblogs };
  }

  /**
   * Empties a post and makes another account its author, under another visibility. Deletes its parts, and leaves the rows of
   * others that refer to it.
   */
  async handOver(status: RemovedStatus, ownerId: string, visibility: number): Promise<RemovedParts> {
    const [parts] = await Promise.all([
      this.removeParts(status),
      this.db.run(handOver, [status.id, ownerId, visibility]),
    ]);
    return parts;
  }

  /** Accounts that boosted a status. */
  async rebloggers(id: string, limit: number): Promise<string[]> {
    return (await this.db.rows(rebloggers, [id, limit])).map(({ authorId }) => authorId);
  }

  /**
   * Stores that a deleted status existed, if other servers may know its URI, and whether its own server or the staff deleted
   * it. With `mayReturn` its quotes show that, but it is stored again when its server serves it.
   */
  async insertTombstone(status: DeletedRow, { byServer, byStaff, mayReturn }: DeletionOptions): Promise<void> {
    const type = status.reblogOfId === null ? 'Note' : 'Announce';
    const isByServer = byServer === true || mayReturn === true;
    const isByStaff = byStaff === true && !status.local;
    const values = [status.uri, mayReturn === true ? UNKNOWN_TYPE : type, status.local, isByServer, isByStaff];
    if (isKnownElsewhere(status)) await this.db.run(insertTombstone, values);
  }

  private async removeParts(status: RemovedStatus): Promise<RemovedParts> {
    const namesSomebody = (status.flags & StatusFlag.mentions) !== 0;
    const isTagged = (status.flags & StatusFlag.tags) !== 0;
    const [mentions, tags] = await Promise.all([
      namesSomebody ? this.db.rows(removeMentions, [status.id]) : [],
      isTagged ? this.db.rows(removeTags, [status.id]) : [],
    ]);
    return { addressedIds: mentions.map(({ accountId }) => accountId), tagIds: tags.map(({ hashtagId }) => hashtagId) };
  }

  /** Raises the version after a change in another table that affects the body. */
  async raiseVersion(id: string): Promise<void> {
    await this.db.run(raiseVersion, [id]);
  }

  /**
   * Deletes old tombstones, but for those of posts that others quote, and of remote posts that the staff deleted: their servers
   * have them still. Index: tombstones_outdated, statuses_waiting_quotes.
   */
  async purgeTombstones(days: number): Promise<void> {
    const isQuoted = someRow('statuses s where s.quote_uri = tombstones.uri and s.quote_of_id is null and not s.local');
    const where = `deleted_at < now() - $1 * interval '1 day' and not by_staff and not ${isQuoted}`;
    const old = { table: 'tombstones', where, by: 'deleted_at' };
    await purge(this.db, old, [days]);
  }
}

/**
 * The URI of a local post that is not public never existed for other servers (threat V5), so it leaves no tombstone.
 */
function isKnownElsewhere({ local, visibility }: DeletedRow): boolean {
  return !local || PUBLIC_OR_UNLISTED.includes(visibility);
}
