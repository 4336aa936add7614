import { Injectable } from '@nestjs/common';
import type { ViewContext } from '../../accounts/index.js';
import { keyBy, unique } from '../../common/index.js';
import { inSlices, UnitOfWork } from '../../platform/index.js';
import type { PageRow } from '../model/page.sql.js';
import type { PollFacts } from './poll.render.js';
import { type Body, StatusBodyCache } from './status-body.cache.js';
import { ViewerStateKind } from './viewer-state.sql.js';
import { StatusFlag } from '../model/status.flags.js';
import { type Quote, QuoteRepository } from './quote.repository.js';
import type { BodyRow } from './body-row.js';
import { NO_FACTS, type StatusRenderer, type ViewerFacts } from './status.render.js';
import { type FilterSet, ViewerFilters } from './viewer-filters.port.js';
import { StatusViewRepository, type ViewerStateQuery, type ViewerRow } from './status-view.repository.js';

const NOTHING: ViewerStateQuery = {
  viewerId: '',
  statusIds: [],
  conversationIds: [],
  authorIds: [],
  ownIds: [],
  directIds: [],
  pollIds: [],
  reacted: [],
  withMuted: false,
};

/** Loads the data that a page of statuses needs besides its rows: at most one statement each, however long the page. */
@Injectable()
export class StatusPrefetch {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: StatusViewRepository,
    private readonly quotes: QuoteRepository,
    private readonly cache: StatusBodyCache,
    private readonly filters: ViewerFilters,
  ) {}

  /**
   * The bodies by status id. Loads and renders bodies that are not cached. A status that was deleted meanwhile has
   * none.
   */
  async bodies(rows: readonly PageRow[], renderer: StatusRenderer): Promise<Map<string, Body>> {
    const found = new Map<string, Body>();
    const missing = new Set<string>();
    for (const { id, version } of rows) {
      const body = this.cache.get(id, version);
      if (body) found.set(id, body);
      else missing.add(id);
    }
    if (missing.size === 0) return found;
    const { epoch } = this.cache;
    await inSlices(await this.load([...missing]), (row) => found.set(row.id, this.cacheBody(row, renderer, epoch)));
    return found;
  }

  /** Renders and caches the body of a committed row, which was read in an epoch of the cache. */
  cacheBody(row: BodyRow, renderer: StatusRenderer, epoch?: number): Body {
    return this.cache.put(row.id, row.version, renderer.body(row), epoch);
  }

  /** The body of a status as a viewer gets it, who sees what it quotes or does not. */
  bodyFor({ plain }: ViewerFacts, { id, version }: PageRow, body: Body, isQuoteShown: boolean): Body {
    return this.cache.variant(id, version, body, { plain, withoutQuoteLink: isQuoteShown });
  }

  /** The quoted posts that the viewer may see, by {@link quoteKey}. */
  async quoted(
    rows: readonly PageRow[],
    { viewerId = '', withMuted = false }: ViewContext,
  ): Promise<Map<string, PageRow>> {
    const quotes = keyBy(rows.flatMap(quoteOf), ({ quotedId, quoterId }) => quoteKey(quotedId, quoterId));
    if (quotes.size === 0) return new Map();
    const quoted = await this.quotes.quoted([...quotes.values()], viewerId, withMuted);
    return keyBy(quoted, ({ id, quoterId }) => quoteKey(id, quoterId));
  }

  /** The viewer's state of the statuses, their polls and reactions; for anonymous callers, only polls and reactions. */
  async viewerFacts(rows: readonly PageRow[], { viewerId, withMuted = false }: ViewContext): Promise<ViewerFacts> {
    const pollIds = unique(rows.filter(hasPoll).map((row) => row.id));
    const reacted = [
      ...keyBy(
        rows.filter(({ reactions }) => reactions > 0),
        ({ id }) => id,
      ).values(),
    ];
    if (viewerId === undefined) return this.openFacts(pollIds, reacted);
    const found = await this.repository.viewer({
      viewerId,
      statusIds: unique(rows.map((row) => row.id)),
      conversationIds: unique(rows.map((row) => row.conversationId)),
      authorIds: unique(rows.map((row) => row.authorId)),
      ownIds: rows.filter((row) => row.authorId === viewerId).map((row) => row.id),
      directIds: rows.filter((row) => mayBeDirect(row, viewerId)).map((row) => row.id),
      pollIds,
      reacted,
      withMuted,
    });
    return (await this.factsFor(new Map([[viewerId, found]]))).get(viewerId) ?? NO_FACTS;
  }

  /** Whether the viewer wants posts without formatting. For texts of a post that are not part of its body. */
  async wantsPlain(context: ViewContext): Promise<boolean> {
    return (await this.viewerFacts([], context)).plain;
  }

  /** The polls of statuses, by status id. Costs nothing when there are none. */
  async polls(statusIds: readonly string[], viewerId: string | undefined): Promise<ViewerFacts['polls']> {
    if (statusIds.length === 0) return NO_FACTS.polls;
    return pollsOf(await this.repository.viewer({ ...NOTHING, viewerId: viewerId ?? '', pollIds: statusIds }));
  }

  private async openFacts(pollIds: readonly string[], reacted: readonly PageRow[]): Promise<ViewerFacts> {
    if (pollIds.length + reacted.length === 0) return NO_FACTS;
    return factsOf('', await this.repository.viewer({ ...NOTHING, pollIds, reacted }), undefined);
  }

  /** Turns the rows of several viewers into facts, and loads the viewers' filters. */
  async factsFor(rows: ReadonlyMap<string, readonly ViewerRow[]>): Promise<Map<string, ViewerFacts>> {
    const versions = [...rows.values()].flatMap((own) => own.flatMap(filtersVersion));
    const sets = await this.filters.of(new Map(versions));
    return new Map([...rows].map(([viewerId, own]) => [viewerId, factsOf(viewerId, own, sets.get(viewerId))]));
  }

  /** Loads outside of any unit of work, since the cache must not hold uncommitted data. */
  private load(ids: readonly string[]): Promise<BodyRow[]> {
    return this.uow.outside(() => this.repository.bodies(ids));
  }
}

/** What a post quotes, if anything. */
export function quoteOf({ quoteOfId: quotedId, authorId: quoterId }: PageRow): Quote[] {
  return quotedId === null ? [] : [{ quotedId, quoterId }];
}

/** The key of a quoted post for the author of a post that quotes it. */
export function quoteKey(quotedId: string | null, quoterId: string): string {
  return `${quotedId} ${quoterId}`;
}

function hasPoll({ flags }: PageRow): boolean {
  return (flags & StatusFlag.poll) !== 0;
}

function pollsOf(rows: readonly ViewerRow[]): Map<string, PollFacts> {
  const polls = rows.filter(({ kind }) => kind === ViewerStateKind.poll);
  return new Map(polls.map(({ id, at, detail }) => [id, { ...(detail as PollFacts), expiresAt: at }]));
}

/** Whether a post may be direct: it mentions accounts, or the viewer wrote it, perhaps without addressees. */
function mayBeDirect({ flags, authorId }: PageRow, viewerId: string): boolean {
  return (flags & StatusFlag.mentions) !== 0 || authorId === viewerId;
}

function filtersVersion({ kind, id, detail }: ViewerRow): [string, number][] {
  return kind === ViewerStateKind.filters ? [[id, detail as number]] : [];
}

const MUTES: readonly number[] = [ViewerStateKind.threadMute, ViewerStateKind.authorMute];

function firstMuteEnd(rows: readonly ViewerRow[]): number {
  return Math.min(...rows.map(({ kind, at }) => (MUTES.includes(kind) && at !== null ? Date.parse(at) : Infinity)));
}

function factsOf(viewerId: string, rows: readonly ViewerRow[], filters: FilterSet | undefined): ViewerFacts {
  const details = <T>(kind: number) =>
    new Map(rows.flatMap((row): [string, T][] => (row.kind === kind ? [[row.id, row.detail as T]] : [])));
  const ids = (kind: number) => new Set(rows.filter((row) => row.kind === kind).map((row) => row.id));
  const expiries = rows.flatMap(({ kind, id, at }): [string, string][] =>
    kind === ViewerStateKind.expiry && at !== null ? [[id, at]] : [],
  );
  return {
    viewerId: viewerId || undefined,
    favourited: ids(ViewerStateKind.favourite),
    reblogged: ids(ViewerStateKind.reblog),
    mutedThreads: ids(ViewerStateKind.threadMute),
    mutedAuthors: ids(ViewerStateKind.authorMute),
    mutesEndAt: firstMuteEnd(rows),
    blockedAuthors: ids(ViewerStateKind.authorBlock),
    followedChoices: ids(ViewerStateKind.followedChoice),
    expiries: new Map(expiries),
    lists: details(ViewerStateKind.list),
    conversations: details(ViewerStateKind.conversation),
    polls: pollsOf(rows),
    bookmarks: details(ViewerStateKind.bookmark),
    pinned: ids(ViewerStateKind.pin),
    reactions: details(ViewerStateKind.reactions),
    plain: rows.some(({ kind }) => kind === ViewerStateKind.plain),
    filters,
  };
}
