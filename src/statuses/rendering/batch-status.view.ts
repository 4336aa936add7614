import { Injectable } from '@nestjs/common';
import { AccountView } from '../../accounts/index.js';
import { groupBy, type Json, keyBy, unique } from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import type { FilterPlace } from './filter.shape.js';
import type { PageRow } from '../model/page.sql.js';
import { quoteAnswerTo } from './quote-approval.render.js';
import { QuoteRepository } from './quote.repository.js';
import {
  type SharedRow,
  type ShownStatus,
  type ViewerStateOfRow,
  type StatusForViewer,
  StatusBatchRepository,
  type StatusForViewerRow,
} from './status-batch.repository.js';
import type { Body } from './status-body.cache.js';
import { StatusFlag } from '../model/status.flags.js';
import type { ReactionCountJson } from './reaction.shape.js';
import { quoteKey, quoteOf, StatusPrefetch } from './status.prefetch.js';
import { NO_FACTS, StatusRenderer, verdictOf, type ViewerFacts } from './status.render.js';
import { ViewerStateKind } from './viewer-state.sql.js';

type Accounts = ReadonlyMap<string, Json>;

/** An entry as its viewer sees it. */
export interface SharedEntry {
  readonly json: Json;
  /** The places where the viewer's filters hide it. */
  readonly hiddenIn: ReadonlySet<FilterPlace>;
}

/** An entry for a viewer who may see it. */
interface Shown extends ShownStatus {
  /** Of a quote: the author of the post that quotes it. */
  readonly quoterId?: string | undefined;
}

interface BatchFacts {
  readonly entries: readonly SharedRow[];
  readonly shown: readonly Shown[];
}

/** An entry as all viewers with the same key see it. */
interface RenderedVariant extends SharedEntry {
  readonly key: string;
}

/** The data that entries are rendered from, and the variants rendered so far by their keys. */
interface Loaded {
  readonly bodies: ReadonlyMap<string, Body>;
  readonly accountsFor: (viewerId: string) => Accounts;
  readonly viewerState: ReadonlyMap<string, ViewerStateOfRow[]>;
  /** What viewers see of the reactions to a post who have no state about them, by status id. */
  readonly reactions: ViewerFacts['reactions'];
  readonly facts: ReadonlyMap<string, ViewerFacts>;
  readonly variants: Map<string, Json>;
  /** What viewers without any state see who are no party of the entry. */
  readonly ordinary: Map<SharedRow, RenderedVariant>;
}

/**
 * Renders entries for many viewers at once, for streams. Costs the same number of statements for a thousand viewers as
 * for one: first the entries, and who may see those that not everybody may; then accounts and viewer state. Statements for
 * what the caches lack are sent together with the latter. Most viewers have no state of a new post, so PostgreSQL is asked
 * only for that of posts of which somebody has some.
 */
@Injectable()
export class BatchStatusView {
  constructor(
    private readonly accounts: AccountView,
    private readonly renderer: StatusRenderer,
    private readonly prefetch: StatusPrefetch,
    private readonly repository: StatusBatchRepository,
    private readonly quotes: QuoteRepository,
    private readonly anonymous: AnonymousAccess,
  ) {}

  /**
   * Renders each entry as its viewer sees it; keeps their order. Undefined where the viewer may not see the entry.
   * Viewers who see the same variant of an entry share its JSON.
   */
  async many(forViewers: readonly StatusForViewer[]): Promise<(SharedEntry | undefined)[]> {
    if (forViewers.length === 0) return [];
    const { entries, shown } = await this.load(forViewers);
    const visible = shown.filter((entry) => entry !== undefined);
    const quotes = await this.quotesIn(visible);
    const all = [...entries, ...quotes.entries];
    const [bodies, accountsFor, { viewerState, reactions }] = await Promise.all([
      this.prefetch.bodies(all, this.renderer),
      this.accountsOf(all),
      this.viewerStateOf([...visible, ...quotes.shown]),
    ]);
    const facts = await this.prefetch.factsFor(viewerState);
    const rendered = { variants: new Map(), ordinary: new Map() };
    const loaded: Loaded = { bodies, accountsFor, viewerState, reactions, facts, ...rendered };
    const quoted = new Map<string, RenderedVariant>();
    for (const quote of quotes.shown) {
      const variant = this.variantOf(quote, loaded);
      if (variant) quoted.set(keyOf(quoteKey(quote.row.id, quote.quoterId ?? ''), quote.viewerId), variant);
    }
    return shown.map((entry, at) => {
      if (!entry || entry.row.quoteOfId === null) return entry && this.variantOf(entry, loaded);
      const quote = quoted.get(keyOf(quoteKey(entry.row.quoteOfId, entry.row.authorId), entry.viewerId));
      const place = forViewers[at]?.place;
      const isHidden = place !== undefined && quote?.hiddenIn.has(place);
      return this.variantOf(entry, loaded, isHidden ? undefined : quote);
    });
  }

  /** Undefined for an entry that was deleted since the rows were read, and for one that is for members only. */
  private variantOf(shown: Shown, loaded: Loaded, quote?: RenderedVariant): RenderedVariant | undefined {
    if (!isOrdinary(shown, loaded)) return this.renderedFor(shown, loaded, quote);
    const variant = loaded.ordinary.get(shown.row) ?? this.renderedFor(shown, loaded);
    if (variant) loaded.ordinary.set(shown.row, variant);
    return variant;
  }

  private renderedFor(
    { viewerId, row, quoterId }: Shown,
    loaded: Loaded,
    quote?: RenderedVariant,
  ): RenderedVariant | undefined {
    const accounts = loaded.accountsFor(viewerId);
    const author = accounts.get(row.authorId);
    const reblogger = isReblogRow(row) ? accounts.get(row.entryAuthorId) : undefined;
    const body = loaded.bodies.get(row.id);
    if (!body || !author || (isReblogRow(row) && !reblogger)) return undefined;
    if (this.isRefused(viewerId, body)) return undefined;
    const viewer = factsOf(viewerId, loaded);
    const verdict = verdictOf(viewer, row, body, viewerId);
    const isQuoted = quoterId !== undefined;
    const key = JSON.stringify([
      row.feedId,
      row.inReplyToId,
      standing(row, viewerId),
      signature(loaded.viewerState.get(viewerId)),
      verdict.results,
      quoteAnswerTo(row, viewer),
      quote?.key,
      isQuoted,
    ]);
    const known = loaded.variants.get(key);
    const made = { row, author, reblogger, viewer, verdict, quote: quote?.json ?? null, isQuoted, source: null };
    const bodyOf = () => this.prefetch.bodyFor(viewer, row, body, made.quote !== null);
    const json = known ?? this.renderer.entry({ ...made, body: bodyOf() });
    loaded.variants.set(key, json);
    return { key, json, hiddenIn: verdict.hiddenIn };
  }

  private isRefused(viewerId: string, body: Body): boolean {
    return viewerId === '' && this.anonymous.refusesStatus(body.isLocal);
  }

  /** The entries, and each of the pairs whose viewer may see the entry; undefined for the others. */
  private async load(
    forViewers: readonly StatusForViewer[],
  ): Promise<Pick<BatchFacts, 'entries'> & { shown: (Shown | undefined)[] }> {
    const entries = await this.repository.entries(unique(forViewers.map(({ id }) => id)));
    const byId = keyBy(entries, ({ feedId }) => feedId);
    const closed = forViewers.filter(({ id }) => byId.get(id)?.isOpen === false);
    const rows = closed.length === 0 ? [] : await this.repository.shown(closed);
    const seen = keyBy(joined(entries, rows), ({ row, viewerId }) => keyOf(row.feedId, viewerId));
    const shown = forViewers.map(({ id, viewerId }) => {
      const row = byId.get(id);
      return row?.isOpen ? { viewerId, row } : seen.get(keyOf(id, viewerId));
    });
    return { entries, shown };
  }

  /** The quoted posts, for viewers who may see them. Costs two statements when there are quotes. */
  private async quotesIn(shown: readonly Shown[]): Promise<BatchFacts> {
    const forViewers = shown.flatMap(({ viewerId, row }) => quoteOf(row).map((quote) => ({ ...quote, viewerId })));
    if (forViewers.length === 0) return { entries: [], shown: [] };
    const [entries, rows] = await Promise.all([
      this.repository.entries(unique(forViewers.map(({ quotedId }) => quotedId))),
      this.quotes.shown(forViewers),
    ]);
    return { entries, shown: joined(entries, rows) };
  }

  /** Authors and boosters by viewer: viewers see more of their own account. */
  private async accountsOf(entries: readonly PageRow[]): Promise<(viewerId: string) => Accounts> {
    const ids = unique(entries.flatMap((row) => [row.authorId, row.entryAuthorId]));
    return this.accounts.renderShared(await this.accounts.begin(ids));
  }

  private async viewerStateOf(shown: readonly Shown[]): Promise<Pick<Loaded, 'viewerState' | 'reactions'>> {
    const asked = keyBy(
      shown.filter(({ row }) => row.stateKinds !== 0),
      ({ row, viewerId }) => keyOf(row.id, viewerId),
    );
    const viewerIds = unique(shown.map(({ viewerId }) => viewerId)).filter((viewerId) => viewerId !== '');
    const isAsked = asked.size + viewerIds.length > 0;
    const rows = isAsked ? await this.repository.viewerState([...asked.values()], viewerIds) : [];
    const shared = rows.filter((row) => !isOfOne(row));
    return {
      viewerState: groupBy(rows.filter(isOfOne), ({ viewerId }) => viewerId),
      reactions: new Map(shared.map(({ id, detail }) => [id, detail as readonly ReactionCountJson[]])),
    };
  }
}

function isOfOne(row: ViewerStateOfRow): row is ViewerStateOfRow & { readonly viewerId: string } {
  return row.viewerId !== null;
}

/** What is known of a viewer; most viewers have no state of their own. */
function factsOf(viewerId: string, { facts, reactions }: Loaded): ViewerFacts {
  const own = facts.get(viewerId) ?? NO_FACTS;
  return { ...own, viewerId: viewerId || undefined, reactions: new Map([...reactions, ...own.reactions]) };
}

/** Whether a viewer sees what all others do who are signed in: nothing but the entry decides. */
function isOrdinary({ viewerId, row, quoterId }: Shown, { viewerState }: Loaded): boolean {
  const isAlone = quoterId === undefined && row.quoteOfId === null;
  return isAlone && viewerId !== '' && !viewerState.has(viewerId) && !isParty(row, viewerId);
}

/** Combines entries with the viewers who may see them. */
function joined(
  entries: readonly SharedRow[],
  rows: readonly (StatusForViewerRow & { readonly quoterId?: string })[],
): Shown[] {
  const byId = keyBy(entries, (row) => row.feedId);
  return rows.flatMap(({ feedId: id, viewerId, inReplyToId: parentId, quoterId }) => {
    const row = byId.get(id);
    if (!row) return [];
    return [{ viewerId, quoterId, row: row.inReplyToId === parentId ? row : { ...row, inReplyToId: parentId } }];
  });
}

function hasPoll({ flags }: PageRow): boolean {
  return (flags & StatusFlag.poll) !== 0;
}

function isReblogRow(row: PageRow): boolean {
  return row.feedId !== row.id;
}

/** Whether the viewer is the author or the booster. */
function isParty({ authorId, entryAuthorId: rebloggerId }: PageRow, viewerId: string): boolean {
  return viewerId === authorId || viewerId === rebloggerId;
}

/**
 * The part of the key besides the viewer state: the author and the booster see their own variant, polls show sign-in.
 */
function standing(row: PageRow, viewerId: string): string {
  if (isParty(row, viewerId)) return viewerId;
  return hasPoll(row) && viewerId !== '' ? '+' : '';
}

/** Equal for all viewers with the same viewer state. */
function signature(viewerState: readonly ViewerStateOfRow[] = []): string {
  return viewerState
    .filter(({ kind }) => kind !== ViewerStateKind.filters) // the key has the filter results instead
    .map(({ kind, id, at, detail }) => JSON.stringify([kind, id, at, detail]))
    .sort()
    .join();
}

function keyOf(id: string, viewerId: string): string {
  return `${id} ${viewerId}`;
}
