import { Injectable } from '@nestjs/common';
import { Database, type Fragment, fragment, type Keyset, sql } from '../../platform/index.js';
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
import { blocks, viewersBlockingServers, viewersHiding } from '../../accounts/index.js';

/** A quoted post, and the author of a post that quotes it. */
export interface Quote {
  readonly quotedId: string;
  readonly quoterId: string;
}

/** A quoted post for the author of a post that quotes it. */
export interface QuotedRow extends PageRow {
  readonly quoterId: string;
}

/** The same for one of several viewers. */
export interface QuotedForViewerRow extends StatusForViewerRow {
  readonly quoterId: string;
}

/** The viewer may see the quote `post`, and its author is not hidden from the viewer. */
const isWanted = (viewer: string, hidden: Fragment) =>
  fragment`${maySee('post', viewer)} and ${isNotHidden('post.author_id', hidden)} and ${isOutsideBlockedDomains(['post.author_id'], viewer)}`;

/** Nobody is shown a post in a quote by an account that its author blocks (threat F28). */
const mayQuote = (author: string, quoter: string) => `not ${blocks(author, quoter)}`;

const quoted = sql<QuotedRow>(
  'statuses.quoted',
  selectPage(
    '$1',
    fragment`select post.id as feed_id, post.author_id as entry_author_id, quote.quoter_id, ${PAGE_KEYS}
     from unnest($2::text[], $3::text[]) as quote(id, quoter_id) join statuses post on post.id = quote.id
     where ${mayQuote('post.author_id', 'quote.quoter_id')} and ${isWanted('$1', hiddenAccounts('$1', '$4'))}`,
    undefined,
    ['quoterId'],
  ),
);

// The same rule as `isWanted`, from the side of the quoted authors, whom few of the viewers hide.
const quotedForViewers = sql<QuotedForViewerRow>(
  'statuses.quoted_for_viewers',
  `with author as materialized (select distinct author_id as id from statuses where id = any($1::text[])),
   hidden as materialized (${viewersHiding('author')} union all ${viewersBlockingServers('author')})
   select post.id as "feedId", s.viewer_id as "viewerId", s.quoter_id as "quoterId",
     case when post.in_reply_to_id is not null then (
     select parent.id from statuses parent where parent.id = post.in_reply_to_id and ${maySee('parent', 's.viewer_id')}) end
     as "inReplyToId"
   from unnest($1::text[], $2::text[], $3::text[]) as s(id, viewer_id, quoter_id) join statuses post on post.id = s.id
   where ${mayQuote('post.author_id', 's.quoter_id')} and ${maySee('post', 's.viewer_id')}
     and (post.author_id, s.viewer_id) not in (select id, viewer_id from hidden)`,
);

// Index: statuses_quotes.
const quotesOf = (direction: 'asc' | 'desc') =>
  selectPage(
    '$1',
    fragment`select post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS}
     from statuses post where post.quote_of_id = $2 and post.id < $3 and post.id > $4 and ${isWanted('$1', hiddenAccounts('$1', 'false'))}
       and ${mayQuote('(select author_id from statuses where id = $2)', 'post.author_id')}
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
  quoted(quotes: readonly Quote[], viewerId: string, withMuted: boolean): Promise<QuotedRow[]> {
    return this.db.rows(quoted, [viewerId, ...columnsOf(quotes), withMuted]);
  }

  /** The quoted posts that are visible to their viewer and not hidden, unordered. */
  shown(quotes: readonly (Quote & Pick<StatusForViewer, 'viewerId'>)[]): Promise<QuotedForViewerRow[]> {
    const [ids, quoters] = columnsOf(quotes);
    return this.db.rows(quotedForViewers, [ids, quotes.map(({ viewerId }) => viewerId), quoters]);
  }

  /** A page of the quotes of a post, in the direction of the keyset. */
  quotes(statusId: string, viewerId: string, keyset: Keyset, offset: number): Promise<PageRow[]> {
    const { direction, below, above, limit } = keyset;
    return this.db.rows(quotes[direction], [viewerId, statusId, below, above, limit, offset]);
  }
}

function columnsOf(quotes: readonly Quote[]): [ids: string[], quoters: string[]] {
  return [quotes.map(({ quotedId }) => quotedId), quotes.map(({ quoterId }) => quoterId)];
}
