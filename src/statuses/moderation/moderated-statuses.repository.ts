import { Injectable } from '@nestjs/common';
import { isOfServer } from '../../accounts/index.js';
import { Database, sql } from '../../platform/index.js';
import { PAGE_KEYS, type PageRow, selectPage } from '../model/page.sql.js';
import { isNotRemoved } from '../model/popular.sql.js';
import { PUBLIC_OR_UNLISTED } from '../model/visibility.js';

/** The filter of a list of statuses for staff. */
export interface ModeratedFilter {
  /** Whether to include statuses of all visibilities. */
  readonly everyVisibility: boolean;
  readonly withReblogs: boolean;
}

/** A post that a moderator changes. */
export interface ModeratedRow {
  readonly id: string;
  readonly authorId: string;
  readonly local: boolean;
  readonly visibility: number;
  readonly inReplyToId: string | null;
  readonly quoteOfId: string | null;
  readonly sensitive: boolean;
}

const isListed = ({ everyVisibility, withReblogs }: ModeratedFilter) =>
  [
    isNotRemoved('s'),
    ...(everyVisibility ? [] : [PUBLIC_OR_UNLISTED.sql('s')]),
    ...(withReblogs ? [] : ['s.reblog_of_id is null']),
  ]
    .map((condition) => ` and ${condition}`)
    .join('');

/** The authors of a server; null is this one. Indexes: accounts_hosts, accounts_hosts_apart, users_pkey. */
const authorsOf = (server: string | null) =>
  server === null
    ? '(select account_id as id from users where $1::text is null) a'
    : `(select a.id from accounts a where ${isOfServer('a', '$1')}) a`;

// Includes all visibilities and, for a boost, the boosted post.
const rows = sql<PageRow>(
  'statuses.moderated',
  selectPage(
    '$1',
    `select entry.id as feed_id, entry.author_id as entry_author_id, ${PAGE_KEYS}
     from statuses entry join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id)
     where entry.id = any($2::text[]) and ${isNotRemoved('post')}`,
  ),
);

const lock = sql<ModeratedRow>(
  'statuses.lock_moderated',
  `select id, author_id as "authorId", local, visibility, in_reply_to_id as "inReplyToId", quote_of_id as "quoteOfId",
     sensitive from statuses where id = $1 and reblog_of_id is null and ${isNotRemoved('statuses')} for update`,
);

const change = sql<{ version: number }>(
  'statuses.moderate',
  `update statuses set sensitive = $2, visibility = $3, version = version + 1,
     edited_at = case when local then now() else edited_at end
   where id = $1 returning version`,
);

/** Reads statuses of every visibility for the staff, and changes them. */
@Injectable()
export class ModeratedStatusesRepository {
  constructor(private readonly db: Database) {}

  /** Ids, the newest first. Index: statuses_pkey. */
  page(filter: ModeratedFilter, localOnly: boolean, limit: number, offset: number): Promise<string[]> {
    return this.ids(
      `select s.id from statuses s where ${localOnly ? 's.local' : 'true'}${isListed(filter)}
       order by s.id desc limit $1 offset $2`,
      [limit, offset],
    );
  }

  /** Ids of the statuses of a server's accounts, the newest first. Index: statuses_author. */
  pageOfServer(server: string | null, filter: ModeratedFilter, limit: number, offset: number): Promise<string[]> {
    return this.ids(
      `select s.id from ${authorsOf(server)} cross join lateral (
         select s.id from statuses s where s.author_id = a.id${isListed(filter)} order by s.id desc limit $2::int + $3::int) s
       order by s.id desc limit $2 offset $3`,
      [server, limit, offset],
    );
  }

  /** The number of statuses of the accounts of a server. */
  async countOfServer(server: string | null, filter: ModeratedFilter): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(
      `select count(*)::int as count from ${authorsOf(server)} join statuses s on s.author_id = a.id${isListed(filter)}`,
      [server],
    );
    return row?.count ?? 0;
  }

  /** Ids of an account's statuses, the newest first. Index: statuses_author. */
  pageOfAuthor(accountId: string, filter: ModeratedFilter, limit: number, offset: number): Promise<string[]> {
    return this.ids(
      `select s.id from statuses s where s.author_id = $1${isListed(filter)} order by s.id desc limit $2 offset $3`,
      [accountId, limit, offset],
    );
  }

  /** The number of statuses of an account. */
  async countOfAuthor(accountId: string, filter: ModeratedFilter): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(
      `select count(*)::int as count from statuses s where s.author_id = $1${isListed(filter)}`,
      [accountId],
    );
    return row?.count ?? 0;
  }

  /** Page rows by their ids, unordered. `viewerId` is `''` for the operator. */
  rows(ids: readonly string[], viewerId: string): Promise<PageRow[]> {
    return this.db.rows(rows, [viewerId, ids]);
  }

  /** Locks a post, not a boost, until the unit of work ends. */
  lock(id: string): Promise<ModeratedRow | undefined> {
    return this.db.first(lock, [id]);
  }

  /** Returns the new version. */
  async change(id: string, sensitive: boolean, visibility: number): Promise<number> {
    const row = await this.db.first(change, [id, sensitive, visibility]);
    if (!row) throw new Error('The changed post is gone');
    return row.version;
  }

  private async ids(text: string, values: readonly unknown[]): Promise<string[]> {
    return (await this.db.query<{ id: string }>(text, values)).map(({ id }) => id);
  }
}
