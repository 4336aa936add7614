import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { PAGE_KEYS, type PageRow, selectPage } from '../model/page.sql.js';
import {
  hasState,
  stateKindsOf,
  viewerStateBranchesOfPairs,
  ViewerStateKind,
  WANTS_SOMETHING,
} from './viewer-state.sql.js';
import { emojiColumns, type ViewerRow } from './status-view.repository.js';
import { isDeactivated, maySee } from '../model/visibility.js';
import { viewersHiding } from '../../accounts/index.js';

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

/** An entry as visitors may see it, with what decides whether each viewer must be asked for. */
export interface SharedRow extends PageRow {
  /** Whether visitors may see the entry and the post that it answers, so that all viewers may. */
  readonly isOpen: boolean;
  /** The kinds of state that anybody has of the post, a bit for each. */
  readonly stateKinds: number;
}

/** A post and a viewer who may see it. */
export interface ShownStatus {
  readonly viewerId: string;
  readonly row: SharedRow;
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

const VISITOR = "''";

// Returns parents as visitors see them. Does not check who may see the entries: `shown` does, for those that are not open.
const entries = sql<SharedRow>(
  'statuses.entries',
  selectPage(
    VISITOR,
    `select entry.id as feed_id, entry.author_id as entry_author_id, ${PAGE_KEYS},
       ${maySee('entry', VISITOR)} and ${maySee('post', VISITOR)} and coalesce((
         select ${maySee('parent', VISITOR)} from statuses parent where parent.id = post.in_reply_to_id), true) as is_open,
       ${stateKindsOf('post')} as state_kinds
     from statuses entry join statuses post on post.id = coalesce(entry.reblog_of_id, entry.id) where entry.id = any($1::text[])`,
    undefined,
    ['isOpen', 'stateKinds'],
  ),
);

// `$1` and `$2` are pairs of a viewer and the place of a status in the arrays behind. Index: favourites_pair, bookmarks_pair,
// statuses_reblogs and the primary keys, once for each pair of which there may be state; users_pkey, in one pass for all viewers.
const viewerState = sql<ViewerStateOfRow>(
  'statuses.viewer_states',
  `with viewer as materialized (
     select t.account_id as viewer_id from users t where t.account_id = any($7::text[]) and ${WANTS_SOMETHING}),
   pair as materialized (
     select viewer_id, ($3::text[])[place] as id, ($4::bigint[])[place] as conversation_id, ($5::text[])[place] as author_id,
       ($6::int[])[place] as kinds
     from unnest($1::text[], $2::int[]) as pair(viewer_id, place)),
   reacted as materialized (select distinct viewer_id, id from pair where ${hasState(ViewerStateKind.reactions)}),
   reactor as materialized (
     select r.* from reactions r where r.status_id in (select id from reacted) and not ${isDeactivated('r.account_id')}),
   against as materialized (${viewersHiding('(select distinct account_id as id from reactor)')})
   ${viewerStateBranchesOfPairs()}
   union all select e.viewer_id as "viewerId", ${ViewerStateKind.reactions}, e.id, null, ${emojiColumns('e')} from (
     select pair.viewer_id, pair.id, r.name, count(*)::int as count, bool_or(r.account_id = pair.viewer_id) as me,
       max(r.url) as url, min(r.id) as first
     from reacted pair join reactor r on r.status_id = pair.id
     where (pair.viewer_id, r.account_id) not in (select viewer_id, id from against)
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
  entries(ids: readonly string[]): Promise<SharedRow[]> {
    return this.db.rows(entries, [ids]);
  }

  /** The viewers' state of the posts, including polls, and what each viewer wants of all posts. */
  viewerState(shown: readonly ShownStatus[], viewerIds: readonly string[]): Promise<ViewerStateOfRow[]> {
    const posts = [...new Set(shown.map(({ row }) => row))];
    const places = new Map(posts.map((post, at) => [post, at + 1]));
    return this.db.rows(viewerState, [
      shown.map(({ viewerId }) => viewerId),
      shown.map(({ row }) => places.get(row)),
      posts.map(({ id }) => id),
      posts.map(({ conversationId }) => conversationId),
      posts.map(({ authorId }) => authorId),
      posts.map(({ stateKinds }) => stateKinds),
      viewerIds,
    ]);
  }
}
