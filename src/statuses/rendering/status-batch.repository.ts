import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import type { FilterPlace } from './filter.shape.js';
import { PAGE_KEYS, type PageRow, selectPage } from '../model/page.sql.js';
import {
  hasState,
  stateKindsOf,
  viewerStateBranchesOfPairs,
  ViewerStateKind,
  WANTS_SOMETHING,
} from './viewer-state.sql.js';
import { emojiColumns, type ViewerRow } from './status-view.repository.js';
import { REACTION_SAMPLE } from '../model/reaction.entity.js';
import { LAST_PICTURE, reactionScale } from '../model/reaction.sql.js';
import { isDeactivated, maySee } from '../model/visibility.js';
import { blockPairs, mutePairs } from '../../accounts/index.js';

/** An entry and its viewer; `viewerId` is `''` for anonymous viewers. */
export interface StatusForViewer {
  readonly id: string;
  readonly viewerId: string;
  /** Leaves out what it quotes if the viewer's filters hide that in this place. Undefined where filters do not hide anything. */
  readonly place?: FilterPlace;
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

/** The state of one of several viewers; null for the reactions that are shown to all who have no row about them. */
export interface ViewerStateOfRow extends ViewerRow {
  readonly viewerId: string | null;
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

/** Reactions with an emoji of which the first is looked for that a viewer does not hide: emoji are in the order of first use. */
const FIRST = 5;
const REACTION = 'r.id, r.status_id, r.account_id, r.name, r.url';

/** Only pairs of the two lists: a viewer may hide very many, and very many may hide an account. */
const amongGiven = (table: string, viewer: string, hidden: string) =>
  `select ${hidden} as id, ${viewer} as viewer_id from ${table}
     where ${viewer} = any($7::text[]) and ${hidden} = any((select array_agg(account_id) from reactor)::text[])`;

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
// Reactions are counted once for each post; viewers who reacted themselves, or hide somebody who did, get the difference.
// Index: reactions_one, blocks_target, mutes_account, mutes_target.
const viewerState = sql<ViewerStateOfRow>(
  'statuses.viewer_states',
  `with viewer as materialized (
     select t.account_id as viewer_id from users t where t.account_id = any($7::text[]) and ${WANTS_SOMETHING}),
   pair as materialized (
     select viewer_id, ($3::text[])[place] as id, ($4::bigint[])[place] as conversation_id, ($5::text[])[place] as author_id,
       ($6::int[])[place] as kinds, ${reactionScale('($8::int[])[place]')} as scale
     from unnest($1::text[], $2::int[]) as pair(viewer_id, place)),
   reacted as materialized (select distinct viewer_id, id, scale from pair where ${hasState(ViewerStateKind.reactions)}),
   reactor as materialized (
     select r.* from (select distinct id from reacted) post cross join lateral (
       select ${REACTION} from reactions r where r.status_id = post.id order by r.account_id limit ${REACTION_SAMPLE}) r
     where not ${isDeactivated('r.account_id')}
     union select r.* from reacted cross join lateral (
       select ${REACTION} from reactions r where r.status_id = reacted.id and r.account_id = reacted.viewer_id offset 0) r),
   against as materialized (${blockPairs(amongGiven)} union all ${mutePairs(amongGiven)}),
   counted as materialized (
     select r.status_id as id, r.name, round(count(*) * post.scale)::int as count, ${LAST_PICTURE} as url, min(r.id) as first
     from reactor r join (select distinct id, scale from reacted) post on post.id = r.status_id
     group by r.status_id, r.name, post.scale),
   differing as materialized (
     select v.viewer_id, v.id, r.name, bool_or(r.me) as me, count(r.hidden_id) as hidden, bool_or(r.hidden_id = c.first) as hides_first
     from reacted v join (
       select account_id as viewer_id, status_id, name, true as me, null as hidden_id from reactor
       union all select a.viewer_id, r.status_id, r.name, false, r.id from against a join reactor r on r.account_id = a.id) r
       on r.viewer_id = v.viewer_id and r.status_id = v.id join counted c on c.id = v.id and c.name = r.name
     group by v.viewer_id, v.id, r.name),
   later as materialized (
     select d.viewer_id, d.id, d.name, min(r.id) as first
     from differing d join (select *, row_number() over (partition by status_id, name order by id) as place from reactor) r
       on r.status_id = d.id and r.name = d.name and r.place <= ${FIRST}
     where d.hides_first and (d.viewer_id, r.account_id) not in (select viewer_id, id from against)
     group by d.viewer_id, d.id, d.name)
   ${viewerStateBranchesOfPairs()}
   union all select null, ${ViewerStateKind.reactions}, c.id, null, ${emojiColumns('c')}
   from (select *, false as me from counted) c group by c.id
   union all select e.viewer_id, ${ViewerStateKind.reactions}, e.id, null, ${emojiColumns('e')} from (
     select viewer_id, id, name, sum(count) as count, bool_or(me) as me, max(url) as url, coalesce(max(later), max(first)) as first
     from (
       select d.viewer_id, d.id, c.name, c.count, false as me, c.url, c.first, null::bigint as later
       from (select distinct viewer_id, id from differing) d join counted c on c.id = d.id
       union all select viewer_id, id, name, -hidden, me, null, null, null from differing
       union all select viewer_id, id, name, 0, false, null, null, first from later) parts
     group by viewer_id, id, name) e
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
      posts.map(({ reactions }) => reactions),
    ]);
  }
}
