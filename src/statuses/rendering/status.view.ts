import { Injectable } from '@nestjs/common';
import { AccountView, relationsOf, type ViewContext } from '../../accounts/index.js';
import { boundedPage, inOrder, Json, keyBy, NotFound, type Page, type PageQuery, unique } from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import { inSlices, type ReadCache, ReadCaches, type Reading, valuesOf } from '../../platform/index.js';
import type { BodyRow } from './body-row.js';
import type { FilterPlace } from './filter.shape.js';
import { type PageRow, subjectsOfRow } from '../model/page.sql.js';
import { quoteKey, StatusPrefetch } from './status.prefetch.js';
import { type Entry, NO_FACTS, StatusRenderer, type TypedText, verdictOf, type ViewerFacts } from './status.render.js';
import type { ContextJson, StatusJson } from './status.shape.js';
import { StatusViewRepository } from './status-view.repository.js';

/** The viewer of statuses, the rendering options and the place. */
export interface StatusContext extends ViewContext {
  /** Leaves out statuses that the viewer's filters hide in this place. Undefined where filters do not hide anything. */
  readonly place?: FilterPlace | undefined;
  /** The viewer's state of the statuses, where it is known. */
  readonly facts?: ViewerFacts;
  /** Shows what the viewer may see without the viewer's own state: no marks, filters, votes or settings. */
  readonly isUnmarked?: boolean;
}

/** A post that the viewer has just written. */
export interface NewEntry {
  readonly row: PageRow;
  /** Its body, if it is all that there is to show; undefined where more must be read. */
  readonly body: BodyRow | undefined;
}

/** The thread of a post: its ancestors, root first, and its descendants, depth first. */
export interface Thread {
  readonly ancestors: readonly PageRow[];
  readonly descendants: readonly PageRow[];
}

/** A remote poll that was open when its counts were fetched. */
export interface RecountablePoll {
  readonly id: string;
  /** When the counts may be fetched again. */
  readonly outdatedAt: Date;
}

/** An entry as a viewer sees it. */
interface ShownEntry {
  readonly json: Json;
  /** The places where the viewer's filters hide it. */
  readonly hiddenIn: ReadonlySet<FilterPlace>;
  /** Its poll, if that is remote and its counts may be fetched again. */
  readonly recountable: RecountablePoll | null;
}

const ENTRIES_BYTES = 10 * 1024 * 1024;
const ROWS_BYTES = 2 * 1024 * 1024;
/** A page row in memory, roughly. */
const ROW_BYTES = 600;

/**
 * Renders statuses for a viewer. Besides its own statement a page costs two more (accounts, viewer state), sent
 * together. Statements for what the caches lack are sent in the same round trip. Cached entries cost none
 * (docs/adr/0025).
 */
@Injectable()
export class StatusView {
  private readonly entries: ReadCache<ShownEntry>;
  /** The rows of single statuses, which are asked for by id, for viewers who may see them. */
  private readonly rows: ReadCache<PageRow>;

  constructor(
    private readonly accounts: AccountView,
    private readonly renderer: StatusRenderer,
    private readonly repository: StatusViewRepository,
    private readonly prefetch: StatusPrefetch,
    private readonly anonymous: AnonymousAccess,
    caches: ReadCaches,
  ) {
    this.entries = caches.create('status_entries', ENTRIES_BYTES, ({ json }) => json.size);
    this.rows = caches.create('status_rows', ROWS_BYTES, () => ROW_BYTES);
  }

  /**
   * Renders the entries of a page, in its order. Leaves out entries that were deleted meanwhile or that filters hide.
   */
  async many(rows: readonly PageRow[], context: StatusContext): Promise<Json[]> {
    return inPlace(rows, await this.rendered(rows, context));
  }

  /** Renders a page like {@link many}, bounded in bytes. Its cursors are the ids of the entries, if `cursorOf` is not given. */
  async page<Row extends PageRow>(
    rows: readonly Row[],
    query: Pick<PageQuery, 'min_id'>,
    context: StatusContext,
    cursorOf: (row: Row) => string = (row) => row.feedId,
  ): Promise<Page<Json>> {
    const entries = await this.rendered(rows, context);
    return boundedPage(rows, query, { cursorOf, itemOf: (row) => entries.get(row.feedId) });
  }

  /** Like {@link many}, by the ids of the entries. For lists that show statuses besides other entities. */
  async byId(rows: readonly PageRow[], context: StatusContext): Promise<Map<string, Json>> {
    return valuesOf(await this.readById(rows, context));
  }

  /** Like {@link byId}, with what each of them depends on. */
  async readById(rows: readonly PageRow[], context: StatusContext): Promise<Map<string, Reading<Json>>> {
    return withoutHidden(context, await this.entriesOf(rows, context, null));
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
    return (await this.findVisible(id, context)).json;
  }

  /**
   * Like {@link one}, with its poll if that is remote and was open when its counts were fetched.
   * @throws NotFound when the viewer may not see it
   */
  async findVisible(id: string, context: ViewContext): Promise<Pick<ShownEntry, 'json' | 'recountable'>> {
    const [row] = await this.pageByIds([id], context);
    const entry = row && (await this.entriesOf([row], context, null)).get(row.feedId);
    if (!entry) throw new NotFound();
    return entry.value;
  }

  /**
   * Renders a status with its source text, so that the author can write it again.
   * @throws NotFound when the viewer may not see it
   */
  async withSource(id: string, source: TypedText | null, context: ViewContext): Promise<Json> {
    const [row] = await this.pageByIds([id], context);
    if (!row) throw new NotFound();
    return this.ofRow(row, context, source);
  }

  /**
   * Renders the entry of a row.
   * @throws NotFound when it was deleted meanwhile
   */
  async ofRow(row: PageRow, context: StatusContext, source: TypedText | null = null): Promise<Json> {
    const entry = (await this.rendered([row], context, source)).get(row.feedId);
    if (!entry) throw new NotFound();
    return entry;
  }

  /** Renders a new post for its author, without reading what was just written. */
  async ofNew({ row, body }: NewEntry, context: ViewContext): Promise<Json> {
    if (!body) return this.ofRow(row, context);
    this.prefetch.cacheBody(body, this.renderer);
    const facts = { ...NO_FACTS, viewerId: context.viewerId };
    return this.ofRow(row, { ...context, facts });
  }

  /** Renders the thread of a status (reference Context). */
  async thread({ ancestors, descendants }: Thread, context: ViewContext): Promise<Json> {
    const entries = await this.rendered([...ancestors, ...descendants], { ...context, place: 'thread' });
    return Json.object({ ancestors: inPlace(ancestors, entries), descendants: inPlace(descendants, entries) });
  }

  /** {@link many} as objects, for pages, mails and views that show parts of statuses. */
  async objects(rows: readonly PageRow[], context: StatusContext): Promise<StatusJson[]> {
    return (await this.many(rows, context)).map(objectOf);
  }

  /** Renders a status as another shows it that quotes it; null when the viewer may not see it. */
  async quoted(id: string, context: ViewContext): Promise<Json | null> {
    const entries = await this.read(await this.pageByIds([id], context), context, null, true);
    return entries.get(id)?.value.json ?? null;
  }

  /** {@link objectsByIds} for other readers than the viewer: without the viewer's own state. */
  async unmarkedByIds(ids: readonly string[], { viewerId }: ViewContext): Promise<StatusJson[]> {
    const context = { viewerId, isUnmarked: true };
    const entries = await this.read(await this.pageByIds(ids, context), context, null);
    return inOrder(unique(ids), valuesOf(entries)).map(({ json }) => objectOf(json));
  }

  /** {@link byIds} as objects. */
  async objectsByIds(ids: readonly string[], context: ViewContext): Promise<StatusJson[]> {
    return (await this.byIds(ids, context)).map(objectOf);
  }

  /**
   * {@link one} as an object.
   * @throws NotFound when the viewer may not see it
   */
  async object(id: string, context: ViewContext): Promise<StatusJson> {
    return objectOf(await this.one(id, context));
  }

  /** {@link thread} as an object. */
  async threadObject(thread: Thread, context: ViewContext): Promise<ContextJson> {
    return (await this.thread(thread, context)).parse() as ContextJson;
  }

  /** The rows of the statuses that the viewer may see. */
  private async pageByIds(ids: readonly string[], { viewerId = '' }: ViewContext): Promise<PageRow[]> {
    const keyOf = (id: string) => `${viewerId} ${id}`;
    const found = await this.rows.findMany(ids, keyOf, async (missing) => {
      const rows = await this.repository.pageByIds(missing, viewerId);
      return new Map(rows.map((row) => [row.feedId, { value: row, subjects: subjectsOf(row, viewerId) }]));
    });
    return [...valuesOf(found).values()];
  }

  /** Renders entries by id, without those that the viewer's filters hide in the place. */
  private async rendered(
    rows: readonly PageRow[],
    context: StatusContext,
    source: TypedText | null = null,
  ): Promise<Map<string, Json>> {
    return valuesOf(withoutHidden(context, await this.entriesOf(rows, context, source)));
  }

  /** The entries by id, cached ones and others. With a source text nothing is cached. */
  private async entriesOf(
    rows: readonly PageRow[],
    context: StatusContext,
    source: TypedText | null,
  ): Promise<Map<string, Reading<ShownEntry>>> {
    if (source) return this.read(rows, context, source);
    // An operator's token reads as '', and sees what visitors may not.
    const prefix = `${context.viewerId ?? 'visitor'} ${context.withMuted ? 'm' : ''}${context.withRelationships ? 'r' : ''} `;
    const byId = keyBy(rows, ({ feedId }) => feedId);
    const keyOf = (id: string) => prefix + id;
    return this.entries.findMany([...byId.keys()], keyOf, async (missing) => {
      const packed = new Map<string, Reading<ShownEntry>>();
      const read = await this.read(inOrder(missing, byId), context, null);
      await inSlices(read, ([id, { value, ...dependence }]) => {
        packed.set(id, { value: { ...value, json: value.json.packed() }, ...dependence });
      });
      return packed;
    });
  }

  private async factsOf(rows: readonly PageRow[], context: StatusContext): Promise<ViewerFacts> {
    return context.facts ?? this.prefetch.viewerFacts(rows, context.isUnmarked ? { viewerId: '' } : context);
  }

  /** Reads entries by id. If any of them quotes a post, one more statement runs before the others. */
  private async read(
    rows: readonly PageRow[],
    context: StatusContext,
    source: TypedText | null,
    isQuoted = false,
  ): Promise<Map<string, Reading<ShownEntry>>> {
    if (rows.length === 0) return new Map();
    const quoted = isQuoted ? new Map<string, PageRow>() : await this.prefetch.quoted(rows, context);
    const all = [...rows, ...quoted.values()];
    const [accounts, bodies, viewer] = await Promise.all([
      this.accounts.read(unique(all.flatMap((row) => [row.authorId, row.entryAuthorId])), context),
      this.prefetch.bodies(all, this.renderer),
      this.factsOf(all, context),
    ]);
    const entryOf = (row: PageRow, parts: Pick<Entry, 'quote' | 'source' | 'isQuoted'>): ShownEntry | null => {
      const body = bodies.get(row.id);
      const author = accounts.get(row.authorId)?.value;
      const reblogger = row.feedId === row.id ? undefined : accounts.get(row.entryAuthorId)?.value;
      if (!body || !author || (row.feedId !== row.id && !reblogger)) return null;
      if (context.viewerId === undefined && this.anonymous.refusesStatus(body.isLocal)) return null;
      const verdict = verdictOf(viewer, row, body, context.viewerId);
      const shown = this.prefetch.bodyFor(viewer, row, body, parts.quote !== null);
      const json = this.renderer.entry({ row, body: shown, author, reblogger, viewer, verdict, ...parts });
      return { json, hiddenIn: verdict.hiddenIn, recountable: recountableOf(viewer, row) };
    };
    const isHidden = ({ hiddenIn }: ShownEntry) => context.place !== undefined && hiddenIn.has(context.place);
    const subjectsOfPart = (row: PageRow) => [
      ...subjectsOf(row, context.viewerId ?? ''),
      ...[row.authorId, row.entryAuthorId].flatMap((id) => accounts.get(id)?.subjects ?? []),
    ];
    const entries = new Map<string, Reading<ShownEntry>>();
    await inSlices(rows, (row) => {
      const quotedRow = quoted.get(quoteKey(row.quoteOfId, row.authorId));
      const quote = quotedRow ? entryOf(quotedRow, { quote: null, source: null, isQuoted: true }) : null;
      const value = entryOf(row, { quote: quote && !isHidden(quote) ? quote.json : null, source, isQuoted });
      if (!value) return;
      const parts = quotedRow ? [row, quotedRow] : [row];
      // An entry whose quote is hidden in some places only is not cached.
      const endsAt = (quote?.hiddenIn.size ?? 0) > 0 ? 0 : endOf(viewer, parts);
      entries.set(row.feedId, { value, subjects: unique(parts.flatMap(subjectsOfPart)), endsAt });
    });
    return entries;
  }
}

/** What the row of an entry, and who may see it, depends on. */
function subjectsOf(row: PageRow, viewerId: string): string[] {
  const blocks = row.quoteOfId === null ? [] : [relationsOf(row.authorId)]; // of the quoted author
  return unique([...subjectsOfRow(row), ...blocks, ...(viewerId === '' ? [] : [relationsOf(viewerId)])]);
}

function recountableOf({ polls }: ViewerFacts, { id }: PageRow): RecountablePoll | null {
  const poll = polls.get(id);
  const isRemote = poll?.emojis != null; // null for a local post
  return isRemote && poll.outdatedAt !== null ? { id: poll.id, outdatedAt: new Date(poll.outdatedAt) } : null;
}

/** When a poll of one of the posts, or one of the viewer's filters or mutes, ends. */
function endOf({ polls, filters, mutesEndAt }: ViewerFacts, rows: readonly PageRow[]): number {
  const ends = rows.map(({ id }) => Date.parse(polls.get(id)?.expiresAt ?? '')).filter((end) => end > Date.now());
  return Math.min(filters?.endsAt ?? Infinity, mutesEndAt, ...ends);
}

/** The entries without those that the viewer's filters hide in the place. */
function withoutHidden(
  { place }: StatusContext,
  entries: ReadonlyMap<string, Reading<ShownEntry>>,
): Map<string, Reading<Json>> {
  const shown = new Map<string, Reading<Json>>();
  for (const [id, reading] of entries)
    if (!place || !reading.value.hiddenIn.has(place)) shown.set(id, { ...reading, value: reading.value.json });
  return shown;
}

function inPlace(rows: readonly PageRow[], entries: ReadonlyMap<string, Json>): Json[] {
  return inOrder(
    rows.map((row) => row.feedId),
    entries,
  );
}

/** Rendered statuses are cached as bytes only: to parse them costs less than to read their rows again (ADR 25). */
function objectOf(json: Json): StatusJson {
  return json.parse() as StatusJson;
}
