import { Injectable } from '@nestjs/common';
import { cte, Database, fragment, sql } from '../../platform/index.js';
import {
  blockedAccounts,
  isOutsideBlockedDomains,
  isNotHidden,
  PAGE_KEYS,
  type PageRow,
  selectPage,
} from '../model/page.sql.js';
import { maySee, PUBLIC_OR_UNLISTED } from '../model/visibility.js';

/**
 * A post of a thread. `place` is negative for ancestors (lowest for the root), 0 for the post itself, 1 for
 * descendants.
 */
export interface ThreadRow extends PageRow {
  readonly place: number;
  /** Steps from the post. */
  readonly distance: number;
  /** The length of its content, as HTML and as text. */
  readonly bytes: number;
  /** With the post itself: all posts of the thread that were examined, also those that are not shown. */
  readonly examined: readonly string[] | null;
  /** With the post itself: whether everybody may see all of these, as far as their visibilities say. */
  readonly isOpen: boolean | null;
}

/** How many ancestors and descendants a thread shows. */
export interface ThreadBounds {
  readonly ancestors: number;
  readonly descendants: number;
}

/** Replies read for each reply that a thread may show: some are invisible. The limit protects the database. */
const EXAMINED = 10;

const blocked = blockedAccounts('$1');

/** The author is not hidden from the viewer of a thread. Muted accounts are shown. */
const isShownAuthor = (account: string) =>
  fragment`${isNotHidden(account, blocked)} and ${isOutsideBlockedDomains([account], '$1')}`;

/** The viewer may see the post, and its author is not hidden from the viewer. */
const isWanted = (status: string) => fragment`${maySee(status)} and ${isShownAuthor(`${status}.author_id`)}`;

const repliesOf = (id: string) => `(select id, visibility from statuses where in_reply_to_id = ${id} offset 0)`;

// The limits stop the recursions: PostgreSQL computes only the rows that are fetched. It overestimates their number:
// without `offset 0` it would read all replies, or all posts, for each step. The paths end the walk where posts of other
// servers answer each other. Index: statuses_replies.
const ancestors = cte(
  'ancestors(id, parent_id, depth, path, visibility)',
  `select post.id, post.in_reply_to_id, 0, array[post.id], post.visibility from statuses entry join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id)
     where entry.id = $2 and ${maySee('entry')} and ${maySee('post')}
     union all
     select s.id, s.in_reply_to_id, ancestors.depth + 1, ancestors.path || s.id, s.visibility from ancestors cross join lateral (
       select id, in_reply_to_id, visibility from statuses where id = ancestors.parent_id offset 0) s
     where ancestors.depth < $3::int and s.id <> all (ancestors.path)`,
  'recursive',
);
const descendants = cte(
  'descendants(id, path, visibility)',
  fragment`select s.id, array[ancestors.id, s.id], s.visibility from ${ancestors} cross join lateral ${repliesOf('ancestors.id')} s where ancestors.depth = 0 and s.id <> ancestors.id
     union all
     select s.id, descendants.path || s.id, s.visibility from descendants cross join lateral ${repliesOf('descendants.id')} s
     where s.id <> all (descendants.path)`,
  'recursive',
);
// Read as far as they are asked for, nearest first.
const candidates = cte(
  'candidates(id, path, visibility, number)',
  fragment`select id, path, visibility, row_number() over () from (select * from ${descendants} limit ${EXAMINED} * $4::int) d`,
);
const nodes = cte(
  'nodes(id, place, path, number)',
  fragment`select id, -depth, null, null from ${ancestors}
     union all select * from (
       select d.id, 1, d.path, d.number from ${candidates} d
       where d.id <> all (select id from ${ancestors}) and coalesce((select ${isWanted('post')} from statuses post where post.id = d.id), false) limit $4::int) nearest`,
  'plain',
);
// The candidates up to the last one that is shown; all of them where fewer are shown than may be.
const examined = cte(
  'examined(ids, is_open)',
  fragment`select array_agg(id), bool_and(${PUBLIC_OR_UNLISTED.sql('seen')}) from (
     select id, visibility from ${ancestors}
     union all (select id, visibility from ${candidates} limit (
       select case when count(*) < $4::int then ${EXAMINED} * $4::int else max(number) end from ${nodes} where place = 1))) seen`,
);
const thread = sql<ThreadRow>(
  'statuses.thread',
  selectPage(
    '$1',
    fragment`select post.id as feed_id, post.author_id as entry_author_id, n.place, n.path,
       coalesce(cardinality(n.path) - 1, -n.place) as distance, octet_length(post.content_html) + octet_length(post.content_text) as bytes,
       case when n.place = 0 then (select ids from ${examined}) end as examined, case when n.place = 0 then (select is_open from ${examined}) end as is_open, ${PAGE_KEYS}
     from ${nodes} n cross join lateral (select * from statuses where id = n.id offset 0) post
     where n.place >= 0 or ${isWanted('post')}`,
    'page.place, page.path',
    ['place', 'distance', 'bytes', 'examined', 'isOpen'],
  ),
);

const hiddenAuthors = sql<{ id: string }>(
  'statuses.hidden_authors',
  fragment`select author.id from unnest($2::text[]) author(id) where not (${isShownAuthor('author.id')})`,
);

/** Reads threads. `viewerId` is `''` for anonymous callers. */
@Injectable()
export class ThreadRepository {
  constructor(private readonly db: Database) {}

  /** The post with its thread, in reading order. Leaves out posts that are not visible to the viewer or hidden. */
  thread(id: string, viewerId: string, { ancestors, descendants }: ThreadBounds): Promise<ThreadRow[]> {
    return this.db.rows(thread, [viewerId, id, ancestors, descendants]);
  }

  /** Those of the accounts whose posts a thread hides from the viewer. */
  async hiddenAuthors(viewerId: string, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db.rows(hiddenAuthors, [viewerId, accountIds]);
    return new Set(rows.map(({ id }) => id));
  }
}
