import { Injectable } from '@nestjs/common';
import { AccountView, type ViewContext } from '../../accounts/index.js';
import { inOrder, Json, NotFound, unique } from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import type { FilterPlace } from './filter.shape.js';
import type { PageRow } from '../model/page.sql.js';
import { isLocalBody } from './status-body.cache.js';
import { StatusPrefetch } from './status.prefetch.js';
import { type Entry, StatusRenderer, type TypedText, verdictOf } from './status.render.js';
import { StatusViewRepository } from './status-view.repository.js';

/** The viewer of statuses, the rendering options and the place. */
export interface StatusContext extends ViewContext {
  /** Leaves out statuses that the viewer's filters hide in this place. Undefined where filters do not hide anything. */
  readonly place?: FilterPlace | undefined;
}

/** The thread of a post: its ancestors, root first, and its descendants, depth first. */
export interface Thread {
  readonly ancestors: readonly PageRow[];
  readonly descendants: readonly PageRow[];
}

/**
 * Renders statuses for a viewer. Besides its own statement a page costs two more (accounts, viewer state), sent
 * together. Statements for what the caches lack are sent in the same round trip.
 */
@Injectable()
export class StatusView {
  constructor(
    private readonly accounts: AccountView,
    private readonly renderer: StatusRenderer,
    private readonly repository: StatusViewRepository,
    private readonly prefetch: StatusPrefetch,
    private readonly anonymous: AnonymousAccess,
  ) {}

  /**
   * Renders the entries of a page, in its order. Leaves out entries that were deleted meanwhile or that filters hide.
   */
  async many(rows: readonly PageRow[], context: StatusContext): Promise<Json[]> {
    return inPlace(rows, await this.rendered(rows, context));
  }

  /** Like {@link many}, by the ids of the entries. For lists that show statuses besides other entities. */
  byId(rows: readonly PageRow[], context: StatusContext): Promise<Map<string, Json>> {
    return this.rendered(rows, context);
  }

  /** Renders the statuses that the viewer may see; keeps their order. */
  async byIds(ids: readonly string[], context: ViewContext): Promise<Json[]> {
    const entries = await this.rendered(await this.pageByIds(ids, context), context);
    return inOrder(unique(ids), entries);
  }

  /**
   * Renders one status.
   * @throws NotFound when the viewer may not see it
   */
  async one(id: string, context: ViewContext): Promise<Json> {
    return this.withSource(id, null, context);
  }

  /**
   * Renders a status with its source text, so that the author can write it again.
   * @throws NotFound when the viewer may not see it
   */
  async withSource(id: string, source: TypedText | null, context: ViewContext): Promise<Json> {
    const entries = await this.rendered(await this.pageByIds([id], context), context, source);
    const entry = entries.get(id);
    if (!entry) throw new NotFound();
    return entry;
  }

  /** Renders the thread of a status (reference Context). */
  async thread({ ancestors, descendants }: Thread, context: ViewContext): Promise<Json> {
    const entries = await this.rendered([...ancestors, ...descendants], { ...context, place: 'thread' });
    return Json.object({ ancestors: inPlace(ancestors, entries), descendants: inPlace(descendants, entries) });
  }

  private pageByIds(ids: readonly string[], { viewerId = '' }: ViewContext): Promise<PageRow[]> {
    return this.repository.pageByIds(ids, viewerId);
  }

  /** Renders entries by id. If any of them quotes a post, one more statement runs before the others. */
  private async rendered(
    rows: readonly PageRow[],
    context: StatusContext,
    source: TypedText | null = null,
  ): Promise<Map<string, Json>> {
    if (rows.length === 0) return new Map();
    const quoted = await this.prefetch.quoted(rows, context);
    const all = [...rows, ...quoted.values()];
    const [accounts, bodies, viewer] = await Promise.all([
      this.accounts.many(unique(all.flatMap((row) => [row.author_id, row.entry_author_id])), context),
      this.prefetch.bodies(all, this.renderer),
      this.prefetch.viewerFacts(all, context),
    ]);
    const entryOf = (row: PageRow, parts: Pick<Entry, 'quote' | 'source'>): Json | null => {
      const body = bodies.get(row.id);
      const author = accounts.get(row.author_id);
      const booster = row.feed_id === row.id ? undefined : accounts.get(row.entry_author_id);
      if (!body || !author || (row.feed_id !== row.id && !booster)) return null;
      if (context.viewerId === undefined && this.anonymous.refusesPost(() => isLocalBody(body))) return null;
      const verdict = verdictOf(viewer, row, body, context.viewerId);
      if (context.place && verdict.hiddenIn.has(context.place)) return null;
      const shown = this.prefetch.bodyFor(viewer, row, body);
      return this.renderer.entry({ row, body: shown, author, booster, viewer, verdict, ...parts });
    };
    const entries = new Map<string, Json>();
    for (const row of rows) {
      const quotedRow = quoted.get(row.quote_of_id ?? '');
      const quote = quotedRow ? entryOf(quotedRow, { quote: null, source: null }) : null;
      const entry = entryOf(row, { quote, source });
      if (entry) entries.set(row.feed_id, entry);
    }
    return entries;
  }
}

function inPlace(rows: readonly PageRow[], entries: ReadonlyMap<string, Json>): Json[] {
  return inOrder(
    rows.map((row) => row.feed_id),
    entries,
  );
}
