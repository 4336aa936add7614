import { Injectable } from '@nestjs/common';
import { Database, type Fragment, fragment, type Keyset, sql, withCtes } from '../../platform/index.js';
import {
  hiddenAccounts,
  isOutsideBlockedDomains,
  isNotHidden,
  PAGE_KEYS,
  type PageRow,
  selectPage,
} from '../model/page.sql.js';
import type { StatusForViewer, StatusForViewerRow } from './status-batch.repository.js';
import { maySee } from '../model/visibility.js';

/** The viewer may see the quote `post`, and its author is not hidden from the viewer. */
const isWanted = (viewer: string, hidden: Fragment) =>
  fragment`${maySee('post', viewer)} and ${isNotHidden('post.author_id', hidden)} and ${isOutsideBlockedDomains(['post.author_id'], viewer)}`;

const quoted = sql<PageRow>(
  'statuses.quoted',
  selectPage(
    '$1',
    fragment`select post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS}
     from statuses post where post.id = any($2::text[]) and ${isWanted('$1', hiddenAccounts('$1', '$3'))}`,
  ),
);

const quotedForViewers = sql<StatusForViewerRow>(
  'statuses.quoted_for_viewers',
  `select post.id as feed_id, s.viewer_id, case when post.in_reply_to_id is not null then (
     select parent.id from statuses parent where parent.id = post.in_reply_to_id and ${maySee('parent', 's.viewer_id')}) end
     as in_reply_to_id
   from unnest($1::text[], $2::text[]) as s(id, viewer_id) join statuses post on post.id = s.id
   where coalesce((
     ${withCtes(fragment`select ${isWanted('s.viewer_id', hiddenAccounts('s.viewer_id', 'false'))}`)}), false)`,
);

// Index: statuses_quotes.
const quotesOf = (direction: 'asc' | 'desc') =>
  selectPage(
    '$1',
    fragment`select post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS}
     from statuses post where post.quote_of_id = $2 and post.id < $3 and post.id > $4 and ${isWanted('$1', hiddenAccounts('$1', 'false'))}
     order by post.id ${direction} limit $5 offset $6`,
    `page.feed_id ${direction}`,
  );

const quotes = {
  older: sql<PageRow>('statuses.quotes_of.older', quotesOf('desc')),
  newer: sql<PageRow>('statuses.quotes_of.newer', quotesOf('asc')),
} as const;

/** Reads quoted posts and the posts that quote one. `viewerId` is `''` for anonymous callers. */
@Injectable()
export class QuoteRepository {
  constructor(private readonly db: Database) {}

  /** The quoted posts that are visible to the viewer and not hidden, unordered. */
  quoted(ids: readonly string[], viewerId: string, withMuted: boolean): Promise<PageRow[]> {
    return this.db.rows(quoted, [viewerId, ids, withMuted]);
  }

  /** The quoted posts that are visible to their viewer and not hidden, unordered. */
  shown(entries: readonly StatusForViewer[]): Promise<StatusForViewerRow[]> {
    return this.db.rows(quotedForViewers, [entries.map(({ id }) => id), entries.map(({ viewerId }) => viewerId)]);
  }

  /** A page of the quotes of a post, in the direction of the keyset. */
  quotes(statusId: string, viewerId: string, keyset: Keyset, offset: number): Promise<PageRow[]> {
    const { direction, below, above, limit } = keyset;
    return this.db.rows(quotes[direction], [viewerId, statusId, below, above, limit, offset]);
  }
}
