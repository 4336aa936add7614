import { Injectable } from '@nestjs/common';
import { isOfServer } from '../../accounts/index.js';
import { MAX_LISTED } from '../../common/index.js';
import { countUpTo, Database, sql } from '../../platform/index.js';
import { PAGE_KEYS, type PageRow, selectPage } from '../model/page.sql.js';
import { isNotRemoved } from '../model/popular.sql.js';
import { StatusFlag } from '../model/status.flags.js';
import { PUBLIC, PUBLIC_OR_UNLISTED } from '../model/visibility.js';

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

/** The most authors of a server that are asked for their newest posts one by one. */
const FEW_AUTHORS = 1_000;
/** How many of the newest posts of all servers are tried for those of a server with more authors. */
const TRIED = 100_000;
const NEWEST = 'order by s.id desc limit $2::bigint + $3::bigint';

/** The authors of a server, `$1`, and its posts among those of all; null is this one. */
const ofServer = (server: string | null) =>
  server === null
    ? {
        authors: 'select account_id as id from users where $1::text is null',
        posts: 'statuses s where s.local',
      }
    : {
        authors: `select a.id from accounts a where ${isOfServer('a', '$1')}`,
        posts: `(select * from statuses order by id desc limit ${TRIED}) s
          where (select ${isOfServer('a', '$1')} from accounts a where a.id = s.author_id)`,
      };

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

/** A post that was changed, and those whose followers may have been shown it. */
interface ChangedRow {
  /** The new version. */
  readonly version: number;
  readonly addressedIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly boosterIds: readonly string[];
}

const markSensitive = sql(
  'statuses.mark_sensitive',
  `update statuses set flags = flags | ${StatusFlag.staffSensitive} where id = $1`,
);

// Index: mentions_pkey, status_hashtags_pkey, statuses_reblogs.
const change = sql<ChangedRow>(
  'statuses.moderate',
  `update statuses s set sensitive = $2, visibility = $3, version = version + 1,
     flags = case when $2 then flags else flags & ~${StatusFlag.staffSensitive} end | ${StatusFlag.staffChanged}
       | case when ${PUBLIC.sql('s')} then ${StatusFlag.wasPublic} else 0 end,
     edited_at = case when local then now() else edited_at end
   where id = $1 returning version,
     array(select m.account_id from mentions m where m.status_id = s.id) as "addressedIds",
     array(select t.hashtag_id::text from status_hashtags t where t.status_id = s.id) as "tagIds",
     array(select b.author_id from statuses b where b.reblog_of_id = s.id limit $4) as "boosterIds"`,
);

/** Reads statuses of every visibility for the staff, and changes them. */
@Injectable()
export class ModeratedStatusesRepository {
  constructor(private readonly db: Database) {}

  /** Ids, the newest first: of all servers or of this one. Index: statuses_pkey. */
  page(filter: ModeratedFilter, localOnly: boolean, limit: number, offset: number): Promise<string[]> {
    if (localOnly) return this.pageOfServer(null, filter, limit, offset);
    return this.ids(`select s.id from statuses s where true${isListed(filter)} order by s.id desc limit $1 offset $2`, [
      limit,
      offset,
    ]);
  }

  /**
   * Ids of the statuses of a server's accounts, the newest first; null is this server. Of another server with more than
   * {@link FEW_AUTHORS} accounts they are those among the newest {@link TRIED} of all servers, and all of so many accounts: more
   * would take longer than a request may. Indexes: statuses_author, once for each author; statuses_pkey, accounts_pkey,
   * accounts_hosts, accounts_hosts_apart.
   */
  pageOfServer(server: string | null, filter: ModeratedFilter, limit: number, offset: number): Promise<string[]> {
    const { authors, posts } = ofServer(server);
    const areMany = `(select count(*) > ${FEW_AUTHORS} from authors)`;
    return this.ids(
      `with authors as materialized (${authors} limit ${FEW_AUTHORS + 1})
       select id from (
         select s.id from authors a cross join lateral (
           select s.id from statuses s where s.author_id = a.id${isListed(filter)} ${NEWEST}) s
         where ${server === null ? `not ${areMany}` : 'true'}
         union
         (select s.id from ${posts} and ${areMany}${isListed(filter)} ${NEWEST})) s
       order by id desc limit $2 offset $3`,
      [server, limit, offset],
    );
  }

  /** Ids of an account's statuses, the newest first. Index: statuses_author. */
  pageOfAuthor(accountId: string, filter: ModeratedFilter, limit: number, offset: number): Promise<string[]> {
    return this.ids(
      `select s.id from statuses s where s.author_id = $1${isListed(filter)} order by s.id desc limit $2 offset $3`,
      [accountId, limit, offset],
    );
  }

  /** The number of statuses of an account, up to {@link MAX_LISTED}. */
  async countOfAuthor(accountId: string, filter: ModeratedFilter): Promise<number> {
    const statement = `select ${countUpTo(MAX_LISTED, `statuses s where s.author_id = $1${isListed(filter)}`)} as count`;
    const [row] = await this.db.query<{ count: number }>(statement, [accountId]);
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

  /** Edits by the author of a locked post do not change that it is sensitive. */
  async markSensitive(id: string): Promise<void> {
    await this.db.run(markSensitive, [id]);
  }

  /** Changes a locked post; `limit` is that of the accounts that boosted it. */
  async change(id: string, sensitive: boolean, visibility: number, limit: number): Promise<ChangedRow> {
    const row = await this.db.first(change, [id, sensitive, visibility, limit]);
    if (!row) throw new Error('The changed post is gone');
    return row;
  }

  private async ids(text: string, values: readonly unknown[]): Promise<string[]> {
    return (await this.db.query<{ id: string }>(text, values)).map(({ id }) => id);
  }
}
