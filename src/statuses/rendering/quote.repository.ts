import { Injectable } from '@nestjs/common';
import { Database, type Keyset, sql } from '../../platform/index.js';
import {
  gates,
  hiddenAccounts,
  isOutsideBlockedDomains,
  isNotHidden,
  PAGE_KEYS,
  type PageRow,
  selectPage,
} from '../model/page.sql.js';
import type { StatusForViewer, StatusForViewerRow } from './status-batch.repository.js';
import { maySee } from '../model/visibility.js';

/** What the viewer is shown of quotes: what may be seen, of nobody hidden from the viewer; needs `h` and `g`. */
const isWanted = (viewer: string) =>
  `${maySee('o', viewer)} and ${isNotHidden('o.author_id')} and ${isOutsideBlockedDomains(['o.author_id'], viewer)}`;

const quoted = sql<PageRow>(
  'statuses.quoted',
  `with ${hiddenAccounts('$1', '$3')}, ${gates('$1')},
   p as materialized (
     select o.id as feed_id, o.author_id as w_author_id, ${PAGE_KEYS}
     from statuses o where o.id = any($2::text[]) and ${isWanted('$1')})
   ${selectPage('$1')}`,
);

const quotedShowings = sql<StatusForViewerRow>(
  'statuses.quoted_showings',
  `select o.id as feed_id, s.viewer_id, case when o.in_reply_to_id is not null then (
     select parent.id from statuses parent where parent.id = o.in_reply_to_id and ${maySee('parent', 's.viewer_id')}) end
     as in_reply_to_id
   from unnest($1::text[], $2::text[]) as s(id, viewer_id) join statuses o on o.id = s.id
   where coalesce((
     with ${hiddenAccounts('s.viewer_id', 'false')}, ${gates('s.viewer_id')} select ${isWanted('s.viewer_id')}), false)`,
);

// Index: statuses_quotes.
const quotesOf = (direction: 'asc' | 'desc') => `with ${hiddenAccounts('$1', 'false')}, ${gates('$1')},
   p as materialized (
     select o.id as feed_id, o.author_id as w_author_id, ${PAGE_KEYS}
     from statuses o where o.quote_of_id = $2 and o.id < $3 and o.id > $4 and ${isWanted('$1')}
     order by o.id ${direction} limit $5 offset $6)
   ${selectPage('$1')} order by p.feed_id ${direction}`;

const quotes = {
  older: sql<PageRow>('statuses.quotes_of.older', quotesOf('desc')),
  newer: sql<PageRow>('statuses.quotes_of.newer', quotesOf('asc')),
} as const;

/** Reads quoted posts and the posts that quote one. `viewerId` is `''` for anonymous callers. */
@Injectable()
export class QuoteRepository {
  constructor(private readonly db: Database) {}

  /** Those of the quoted posts that the viewer may see and wants to, in no order. */
  quoted(ids: readonly string[], viewerId: string, withMuted: boolean): Promise<PageRow[]> {
    return this.db.rows(quoted, [viewerId, ids, withMuted]);
  }

  /** Those showings of quoted posts whose viewers may see the post and want to, in no order. */
  shown(showings: readonly StatusForViewer[]): Promise<StatusForViewerRow[]> {
    return this.db.rows(quotedShowings, [showings.map(({ id }) => id), showings.map(({ viewerId }) => viewerId)]);
  }

  /** A page of what quotes a post, in the direction of the keyset. */
  quotes(statusId: string, viewerId: string, keyset: Keyset, offset: number): Promise<PageRow[]> {
    const { direction, below, above, limit } = keyset;
    return this.db.rows(quotes[direction], [viewerId, statusId, below, above, limit, offset]);
  }
}
