import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { PAGE_KEYS, type PageRow, selectPage } from '../model/page.sql.js';
import { viewerStateBranchesOfPairs, ViewerStateKind } from './viewer-state.sql.js';
import { StatusFlag } from '../model/status.flags.js';
import { emojiColumns, type ViewerRow } from './status-view.repository.js';
import { isDeactivated, maySee } from '../model/visibility.js';
import { hiddenPairs } from '../../accounts/index.js';

/** An entry and its viewer; `viewerId` is `''` for anonymous viewers. */
export interface StatusForViewer {
  readonly id: string;
  readonly viewerId: string;
}

/** The fields that depend on the viewer, for an entry that the viewer may see. */
export interface StatusForViewerRow {
  readonly feedId: string;
  readonly viewerId: string;
  /** Null when the post is not a reply, and when the viewer may not see the parent. */
  readonly inReplyToId: string | null;
}

/** A post and a viewer who may see it. */
export interface ShownStatus {
  readonly viewerId: string;
  readonly post: PageRow;
}

/** The state of one of several viewers. */
export interface ViewerStateOfRow extends ViewerRow {
  readonly viewerId: string;
}

const shown = sql<StatusForViewerRow>(
  'statuses.entries_for_viewers',
  `select entry.id as "feedId", pair.viewer_id as "viewerId", case when post.in_reply_to_id is not null then (
     select parent.id from statuses parent where parent.id = post.in_reply_to_id and ${maySee('parent', 'pair.viewer_id')}) end
     as "inReplyToId"
   from unnest($1::text[], $2::text[]) as pair(id, viewer_id)
     join statuses entry on entry.id = pair.id
     join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id)
   where ${maySee('entry', 'pair.viewer_id')} and (entry.reblog_of_id is null or ${maySee('post', 'pair.viewer_id')})`,
);

// Returns parents as anonymous viewers see them. Does not check who may see the entries: `shown` does.
const entries = sql<PageRow>(
  'statuses.entries',
  selectPage(
    "''",
    `select entry.id as feed_id, entry.author_id as entry_author_id, ${PAGE_KEYS}
     from statuses entry join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id) where entry.id = any($1::text[])`,
  ),
);

// Index: favourites_pair, bookmarks_pair, statuses_reblogs and the primary keys, once for each viewer and status.
const viewerState = sql<ViewerStateOfRow>(
  'statuses.viewer_states',
  `with pair as materialized (
     select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::boolean[], $6::boolean[])
       as pair(viewer_id, id, conversation_id, author_id, has_poll, is_reacted)),
   reactor as materialized (
     select r.* from reactions r where r.status_id in (select id from pair where is_reacted) and not ${isDeactivated('r.account_id')}),
   against(viewer_id, account_id) as materialized (
     ${hiddenPairs((table, viewer, hidden) => `select ${viewer}, ${hidden} from reactor r join ${table} on ${hidden} = r.account_id`)})
   ${viewerStateBranchesOfPairs()}
   union all select e.viewer_id as "viewerId", ${ViewerStateKind.reactions}, e.id, null, ${emojiColumns('e')} from (
     select pair.viewer_id, pair.id, r.name, count(*)::int as count, bool_or(r.account_id = pair.viewer_id) as me,
       max(r.url) as url, min(r.id) as first
     from (select distinct viewer_id, id from pair where is_reacted) pair join reactor r on r.status_id = pair.id
     where (pair.viewer_id, r.account_id) not in (select viewer_id, account_id from against)
     group by pair.viewer_id, pair.id, r.name) e
   group by e.viewer_id, e.id`,
);

/** The statements that show entries to several viewers at once. */
@Injectable()
export class StatusBatchRepository {
  constructor(private readonly db: Database) {}

  /** Returns the entries that their viewers may see, unordered. */
  shown(entries: readonly StatusForViewer[]): Promise<StatusForViewerRow[]> {
    return this.db.rows(shown, [entries.map(({ id }) => id), entries.map(({ viewerId }) => viewerId)]);
  }

  /** The fields of entries that are the same for every viewer, unordered. */
  entries(ids: readonly string[]): Promise<PageRow[]> {
    return this.db.rows(entries, [ids]);
  }

  /** The viewers' state of the posts, including polls. */
  viewerState(posts: readonly ShownStatus[]): Promise<ViewerStateOfRow[]> {
    return this.db.rows(viewerState, [
      posts.map(({ viewerId }) => viewerId),
      posts.map(({ post }) => post.id),
      posts.map(({ post }) => post.conversationId),
      posts.map(({ post }) => post.authorId),
      posts.map(({ post }) => (post.flags & StatusFlag.poll) !== 0),
      posts.map(({ post }) => post.reactions > 0),
    ]);
  }
}
