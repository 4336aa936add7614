import { Inject, Injectable } from '@nestjs/common';
import { feedOf, ListsService, statusesOf, PUBLIC_POSTS, relationsOf } from '../../accounts/index.js';
import { localDomains, normalizeDomain, NotFound, Unauthorized } from '../../common/index.js';
import { AnonymousAccess, Settings } from '../../config/index.js';
import {
  ENV,
  type Env,
  flakeKeyset,
  type Keyset,
  type OffsetQuery,
  type ReadCache,
  ReadCaches,
  skipped,
} from '../../platform/index.js';
import { linkedPage, type PageRow } from '../../statuses/index.js';
import { FeedsService } from '../feeds/feeds.service.js';
import { type PageFilter, type TimelineFilter, UNFILTERED } from './status-filters.sql.js';
import { type AccountFilter, type FeedPage, type TagChoice, TimelinesRepository } from './timelines.repository.js';

const CACHE_BYTES = 3 * 1024 * 1024;
/** A page row in memory, roughly. */
const ROW_BYTES = 600;

/** Finds the rows of a timeline page, newest first. Caches the pages that apps request often (docs/adr/0025). */
@Injectable()
export class TimelinesService {
  private readonly ownDomains: readonly string[];
  private readonly cache: ReadCache<FeedPage>;

  constructor(
    @Inject(ENV) env: Env,
    private readonly settings: Settings,
    private readonly timelines: TimelinesRepository,
    private readonly feeds: FeedsService,
    private readonly lists: ListsService,
    private readonly anonymous: AnonymousAccess,
    caches: ReadCaches,
  ) {
    this.cache = caches.create('timeline_pages', CACHE_BYTES, ({ rows }) => ROW_BYTES * rows.length);
    this.ownDomains = localDomains(env);
  }

  /**
   * A page of the home timeline (docs/adr/0005): from the stored feed down to its floor, below it from the posts of the
   * followees. A page is short only when there are no more posts, or hardly any that match the filter.
   */
  async home(readerId: string, query: OffsetQuery, choice: TimelineFilter): Promise<PageRow[]> {
    const filter = this.pageFilter(choice);
    return page(query, async (keyset) => {
      const feed = await this.cached([feedOf(readerId), readerId], readerId, ['home', keyset, filter], () =>
        this.timelines.feed(readerId, keyset, filter),
      );
      const isOlder = keyset.direction === 'older';
      if (feed.deepens) await this.feeds.enqueueDeepening(readerId, isOlder ? keyset.below : keyset.above);
      if (feed.floor !== undefined && feed.floor <= keyset.above) return [...feed.rows];
      return isOlder
        ? this.continueBelow(readerId, keyset, filter, feed)
        : this.startBelow(readerId, keyset, filter, feed);
    });
  }

  /**
   * A page of the posts and boosts of a list's members.
   * @throws NotFound unless the reader owns the list
   */
  async list(readerId: string, listId: string, query: OffsetQuery, choice: TimelineFilter): Promise<PageRow[]> {
    const list = await this.lists.find(readerId, listId);
    if (!list) throw new NotFound();
    return page(query, (keyset) => this.timelines.list(readerId, keyset, this.pageFilter(choice), list.id));
  }

  /**
   * A page of the public posts with tags.
   * @throws Unauthorized when the public timeline is for members only
   */
  async tagged(
    viewerId: string | undefined,
    query: OffsetQuery,
    filter: TimelineFilter,
    choice: TagChoice,
  ): Promise<PageRow[]> {
    this.requireOpen(viewerId, filter.local === true);
    return page(query, (keyset) => this.timelines.tagged(viewerId, keyset, this.pageFilter(filter), choice));
  }

  /**
   * A page of the public posts whose preview card is of `url`.
   * @throws Unauthorized when the public timeline is for members only
   * @throws NotFound for what no public post shows, as for an unknown one (reference, threat V20)
   */
  async linking(
    viewerId: string | undefined,
    query: OffsetQuery,
    filter: TimelineFilter,
    url: string,
  ): Promise<PageRow[]> {
    this.requireOpen(viewerId, filter.local === true);
    const target = linkedPage(url);
    if (target === undefined) throw new NotFound();
    const rows = await page(query, (keyset) =>
      this.timelines.linking(viewerId, keyset, this.pageFilter(filter), target),
    );
    if (rows.length > 0) return rows;
    const first = flakeKeyset({ limit: 1 });
    const open = await this.timelines.linking(undefined, first, this.pageFilter(UNFILTERED), target);
    if (open.length === 0) throw new NotFound();
    return [];
  }

  /**
   * A page of the public timeline. `host` limits it to the posts of one server, which may be this one.
   * @throws Unauthorized when the timeline is for members only
   */
  async public(
    viewerId: string | undefined,
    query: OffsetQuery,
    choice: TimelineFilter,
    host: string | undefined,
  ): Promise<PageRow[]> {
    const filter = this.pageFilter(choice);
    const domain = host ? this.domainOf(host) : null;
    this.requireOpen(viewerId, filter.local === true || domain === '');
    const ofAll = (filter: PageFilter) =>
      page(query, (keyset) =>
        this.page([PUBLIC_POSTS], viewerId, ['public', keyset, filter], () =>
          this.timelines.public(viewerId, keyset, filter),
        ),
      );
    if (domain === null) return ofAll(filter);
    if ((filter.local ?? domain === '') !== (domain === '')) return [];
    if (domain !== '') return page(query, (keyset) => this.timelines.publicOf(viewerId, keyset, filter, domain));
    const excludeVisibilities = filter.local
      ? filter.excludeVisibilities
      : [...filter.excludeVisibilities, 'local' as const];
    return ofAll({ ...filter, local: true, excludeVisibilities });
  }

  /** A page of the direct posts by and to the reader. */
  direct(readerId: string, query: OffsetQuery, filter: TimelineFilter): Promise<PageRow[]> {
    return page(query, (keyset) => this.timelines.direct(readerId, keyset, this.pageFilter(filter)));
  }

  /** A page of the posts and boosts of one account. */
  ofAccount(
    accountId: string,
    viewerId: string | undefined,
    query: OffsetQuery,
    filter: AccountFilter,
  ): Promise<PageRow[]> {
    const [keyset, offset] = [flakeKeyset(query), query.offset ?? 0];
    return this.page([statusesOf(accountId)], viewerId, [accountId, keyset, offset, filter], () =>
      this.timelines.ofAccount(accountId, viewerId, keyset, offset, filter),
    );
  }

  /** The rows of a page without a floor, cached or read. */
  private async page(
    subjects: readonly string[],
    viewerId: string | undefined,
    key: readonly unknown[],
    read: () => Promise<PageRow[]>,
  ): Promise<PageRow[]> {
    const { rows } = await this.cached(subjects, viewerId, key, async () => ({ rows: await read() }));
    return [...rows];
  }

  /**
   * A page, cached or read.
   * @param subjects what it depends on besides its rows and the viewer's relations
   * @param key all that tells it from other pages of the viewer
   */
  private cached(
    subjects: readonly string[],
    viewerId: string | undefined,
    key: readonly unknown[],
    read: () => Promise<FeedPage>,
  ): Promise<FeedPage> {
    return this.cache.find(JSON.stringify([viewerId, ...key]), async () => {
      const value = await read();
      const shown = value.rows.flatMap(({ id, feedId: entryId }) => (id === entryId ? [id] : [id, entryId]));
      const viewer = viewerId === undefined ? [] : [viewerId, relationsOf(viewerId)];
      return { value, subjects: [...subjects, ...viewer, ...shown] };
    });
  }

  private pageFilter(filter: TimelineFilter): PageFilter {
    return { ...filter, contained: !this.settings.get('instance.skip_thread_containment') };
  }

  private requireOpen(viewerId: string | undefined, isLocal: boolean): void {
    if (viewerId !== undefined || !this.anonymous.refusesTimeline(isLocal)) return;
    throw new Unauthorized('authorization required for timeline view');
  }

  /** The domain as accounts store it; `''` for this server. An invalid host matches no account. */
  private domainOf(host: string): string {
    const domain = normalizeDomain(host) ?? host;
    return this.ownDomains.includes(domain) ? '' : domain;
  }

  /** Completes a page that the feed did not fill with rows from below the floor of the feed as it was read. */
  private async continueBelow(
    readerId: string,
    keyset: Keyset,
    filter: PageFilter,
    { rows, floor }: FeedPage,
  ): Promise<PageRow[]> {
    const missing = keyset.limit - rows.length;
    if (missing === 0) return [...rows];
    return [...rows, ...(await this.timelines.home(readerId, { ...under(keyset, floor), limit: missing }, filter))];
  }

  /** If `min_id` is below the floor, starts the page below the floor and continues it in the feed. */
  private async startBelow(
    readerId: string,
    keyset: Keyset,
    filter: PageFilter,
    { rows, floor }: FeedPage,
  ): Promise<PageRow[]> {
    const pulled = await this.timelines.home(readerId, under(keyset, floor), filter);
    return [...rows, ...pulled].slice(-keyset.limit);
  }
}

/** The part of a page below a floor. The floor may have changed since the page of the feed was read. */
function under(keyset: Keyset, floor = keyset.below): Keyset {
  return { ...keyset, below: floor < keyset.below ? floor : keyset.below };
}

function page<T>(query: OffsetQuery, read: (keyset: Keyset) => Promise<T[]>): Promise<T[]> {
  return skipped(query, flakeKeyset(query), read);
}
