import { Injectable } from '@nestjs/common';
import { keyBy } from '../../common/index.js';
import { Database, FIRST_ID, type Keyset, LAST_ID } from '../../platform/index.js';
import type { PageRow, VisibilityName } from '../../statuses/index.js';
import { Visibility } from '../../statuses/index.js';
import { accountPage, Reblogs } from './account-statuses.sql.js';
import { directPage } from './direct.sql.js';
import { filterValues, type PageFilter, type TimelineFilter } from './status-filters.sql.js';
import { linkPage } from './link.sql.js';
import { listFirstLook, listPull } from './list.sql.js';
import type { Pull } from './pull.sql.js';
import { feedPage, homePull } from './home.sql.js';
import { hostPages, localPage, publicPage } from './public.sql.js';
import { tagPage } from './tag.sql.js';

/** The options for the posts of one account (spec §4.3). */
export interface AccountFilter {
  readonly withMuted: boolean;
  readonly excludeVisibilities: readonly VisibilityName[];
  readonly onlyMedia: boolean;
  readonly reblogs: keyof typeof Reblogs;
  readonly excludeReplies: boolean;
  readonly tagged: string | null;
}

/** Conditions on the tags of posts, by normalised names, each at most once in a list. */
export interface TagChoice {
  /** A post has at least one of these, */
  readonly any: readonly string[];
  /** and each of these, */
  readonly all: readonly string[];
  /** and none of these. */
  readonly none: readonly string[];
}

/** A page of the stored feed. */
export interface FeedPage {
  readonly rows: readonly PageRow[];
  readonly floor?: string | undefined;
  /** Whether the feed is to be deepened, since the reader nears its floor. */
  readonly deepens?: boolean | undefined;
}

/** The pages of the timelines. Rows come newest first, whatever the direction of the scan. */
@Injectable()
export class TimelinesRepository {
  constructor(private readonly db: Database) {}

  /** Rows of the stored feed, at or above the reader's floor, and this floor; undefined for an account without a feed. */
  async feed(readerId: string, keyset: Keyset, filter: PageFilter): Promise<FeedPage> {
    const found = await this.db.rows(feedPage[keyset.direction], threadValues(readerId, keyset, filter));
    const rows = found.filter((row) => row.feedId !== null);
    return { rows, floor: found[0]?.floor, deepens: found[0]?.deepens };
  }

  /** Rows of home below the floor. */
  home(readerId: string, keyset: Keyset, filter: PageFilter): Promise<PageRow[]> {
    return this.pulled(homePull, keyset, threadValues(readerId, keyset, filter));
  }

  /** Rows of one of the reader's lists. */
  async list(readerId: string, keyset: Keyset, filter: PageFilter, listId: string): Promise<PageRow[]> {
    const values = [...threadValues(readerId, keyset, filter), listId];
    const found = await this.db.rows(listFirstLook[keyset.direction], values);
    const rows = found.filter((row) => row.feedId !== null);
    const isAll = found[0]?.horizon === (keyset.direction === 'older' ? FIRST_ID : LAST_ID);
    return isAll || rows.length >= keyset.limit ? rows : this.pulled(listPull, keyset, values);
  }

  /** Public posts with tags. */
  tagged(
    viewerId: string | undefined,
    keyset: Keyset,
    filter: PageFilter,
    { any, all, none }: TagChoice,
  ): Promise<PageRow[]> {
    return this.db.rows(tagPage[keyset.direction], [...threadValues(viewerId ?? '', keyset, filter), any, all, none]);
  }

  /** Public posts whose preview card is of this address. */
  linking(viewerId: string | undefined, keyset: Keyset, filter: PageFilter, url: string): Promise<PageRow[]> {
    return this.db.rows(linkPage[keyset.direction], [...threadValues(viewerId ?? '', keyset, filter), url]);
  }

  /** Public posts; only local ones when the filter asks for them. */
  public(viewerId: string | undefined, keyset: Keyset, filter: PageFilter): Promise<PageRow[]> {
    const page = filter.local ? localPage : publicPage;
    return this.db.rows(page[keyset.direction], threadValues(viewerId ?? '', keyset, filter));
  }

  /** Public posts of another server. */
  publicOf(viewerId: string | undefined, keyset: Keyset, filter: PageFilter, domain: string): Promise<PageRow[]> {
    return this.db.rows(hostPages[keyset.direction], [...threadValues(viewerId ?? '', keyset, filter), domain]);
  }

  /** Direct posts by and to the reader. */
  direct(readerId: string, keyset: Keyset, filter: TimelineFilter): Promise<PageRow[]> {
    return this.db.rows(directPage[keyset.direction], commonValues(readerId, keyset, filter));
  }

  /** The posts and boosts of one account that the viewer may see. */
  async ofAccount(
    accountId: string,
    viewerId: string | undefined,
    keyset: Keyset,
    offset: number,
    filter: AccountFilter,
  ): Promise<PageRow[]> {
    return this.db.rows(accountPage[keyset.direction], [
      viewerId ?? '',
      keyset.below,
      keyset.above,
      filter.withMuted,
      filter.excludeVisibilities.map((name) => Visibility[name]),
      accountId,
      filter.onlyMedia,
      Reblogs[filter.reblogs],
      keyset.limit,
      filter.excludeReplies,
      filter.tagged,
      offset,
    ]);
  }

  /** From a scan of the newest posts, and from those of each account when the scan finds too few. */
  private async pulled({ scan, lookups }: Pull, { direction, limit }: Keyset, values: unknown[]): Promise<PageRow[]> {
    const near = await this.db.rows(scan[direction], values);
    if (near.length >= limit) return near;
    const rows = keyBy([...near, ...(await this.db.rows(lookups[direction], values))], (row) => row.feedId);
    const newestFirst = [...rows.values()].sort((a, b) => (a.feedId < b.feedId ? 1 : -1));
    return direction === 'older' ? newestFirst.slice(0, limit) : newestFirst.slice(-limit);
  }
}

const commonValues = (viewerId: string, { below, above, limit }: Keyset, filter: TimelineFilter): unknown[] => [
  viewerId,
  below,
  above,
  ...filterValues(filter),
  limit,
];

const threadValues = (viewerId: string, keyset: Keyset, filter: PageFilter): unknown[] => [
  ...commonValues(viewerId, keyset, filter),
  filter.contained,
];
