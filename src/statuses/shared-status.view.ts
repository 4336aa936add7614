import { Injectable } from '@nestjs/common';
import { AccountView } from '../accounts/index.js';
import { groupBy, type Json, keyBy, unique } from '../common/index.js';
import type { FilterPlace } from './filter.shape.js';
import type { PageRow } from './page.sql.js';
import { type MarkRow, type Showing, ShowingRepository } from './showing.repository.js';
import { StatusFlag } from './status.flags.js';
import { StatusPrefetch } from './status.prefetch.js';
import { NO_FACTS, StatusRenderer, verdictOf } from './status.render.js';
import { Deed } from './status-view.repository.js';

type Accounts = ReadonlyMap<string, Json>;

/** An entry as its viewer sees it. */
export interface SharedEntry {
  readonly json: Json;
  /** Where the viewer's filters hide it. */
  readonly hiddenIn: ReadonlySet<FilterPlace>;
}

/** An entry for a viewer who may see it. */
interface Shown {
  readonly viewerId: string;
  readonly row: PageRow;
}

/**
 * Renders entries for many viewers at once, for pushing them out. Costs as many statements for a thousand viewers as for
 * one: the entries and who may see them, then accounts and marks; what the caches lack comes in the trip of the latter.
 */
@Injectable()
export class SharedStatusView {
  constructor(
    private readonly accounts: AccountView,
    private readonly renderer: StatusRenderer,
    private readonly prefetch: StatusPrefetch,
    private readonly repository: ShowingRepository,
  ) {}

  /**
   * Each entry as its viewer sees it, in the order given; undefined where the viewer may not see it. All viewers to whom
   * an entry looks the same get the same JSON.
   */
  async many(showings: readonly Showing[]): Promise<(SharedEntry | undefined)[]> {
    if (showings.length === 0) return [];
    const { entries, shown } = await this.load(showings);
    const [bodies, accountsFor, marks] = await Promise.all([
      this.prefetch.bodies(entries, this.renderer),
      this.accountsOf(entries, shown),
      this.marksOf(shown),
    ]);
    const facts = await this.prefetch.factsFor(marks);
    const looks = new Map<string, Json>();
    const views = new Map<string, SharedEntry>();
    for (const { viewerId, row } of shown) {
      const accounts = accountsFor(viewerId);
      const author = accounts.get(row.author_id);
      const booster = isBoost(row) ? accounts.get(row.w_author_id) : undefined;
      const body = bodies.get(row.id);
      if (!body || !author || (isBoost(row) && !booster)) continue; // vanished since the rows were read
      const viewer = facts.get(viewerId) ?? NO_FACTS;
      const verdict = verdictOf(viewer, row, body, viewerId);
      const look = JSON.stringify([
        row.feed_id,
        row.in_reply_to_id,
        standing(row, viewerId),
        signature(marks.get(viewerId)),
        verdict.results,
      ]);
      const json = looks.get(look) ?? this.renderer.entry({ row, body, author, booster, viewer, verdict, text: null });
      looks.set(look, json);
      views.set(keyOf(row.feed_id, viewerId), { json, hiddenIn: verdict.hiddenIn });
    }
    return showings.map(({ id, viewerId }) => views.get(keyOf(id, viewerId)));
  }

  private async load(showings: readonly Showing[]): Promise<{ entries: PageRow[]; shown: Shown[] }> {
    const [entries, rows] = await Promise.all([
      this.repository.entries(unique(showings.map(({ id }) => id))),
      this.repository.shown(showings),
    ]);
    const byId = keyBy(entries, (row) => row.feed_id);
    const shown = rows.flatMap(({ feed_id: id, viewer_id: viewerId, in_reply_to_id: parentId }) => {
      const row = byId.get(id);
      return row
        ? [{ viewerId, row: row.in_reply_to_id === parentId ? row : { ...row, in_reply_to_id: parentId } }]
        : [];
    });
    return { entries, shown };
  }

  /** Authors and boosters by viewer: their own accounts show them more than others. */
  private async accountsOf(
    entries: readonly PageRow[],
    shown: readonly Shown[],
  ): Promise<(viewerId: string) => Accounts> {
    const counts = await this.accounts.begin(unique(entries.flatMap((row) => [row.author_id, row.w_author_id])));
    const forOthers = await this.accounts.render(counts, {});
    const parties = shown.filter(({ viewerId, row }) => isParty(row, viewerId));
    const own = new Map<string, Accounts>();
    for (const viewerId of unique(parties.map((party) => party.viewerId))) {
      own.set(viewerId, await this.accounts.render(counts, { viewerId }));
    }
    return (viewerId) => own.get(viewerId) ?? forOthers;
  }

  private async marksOf(shown: readonly Shown[]): Promise<Map<string, MarkRow[]>> {
    const asked = shown.filter(({ viewerId, row }) => viewerId !== '' || hasPoll(row) || row.reactions > 0);
    const posts = asked.map(({ viewerId, row }) => ({ viewerId, post: row }));
    if (posts.length === 0) return new Map();
    return groupBy(await this.repository.marks(posts), (mark) => mark.viewer_id);
  }
}

function hasPoll({ flags }: PageRow): boolean {
  return (flags & StatusFlag.poll) !== 0;
}

function isBoost(row: PageRow): boolean {
  return row.feed_id !== row.id;
}

/** Whether the viewer is who wrote or boosted it. */
function isParty({ author_id: authorId, w_author_id: boosterId }: PageRow, viewerId: string): boolean {
  return viewerId === authorId || viewerId === boosterId;
}

/** What of a viewer shows besides marks: who the parties are, and at polls whether somebody is signed in. */
function standing(row: PageRow, viewerId: string): string {
  if (isParty(row, viewerId)) return viewerId;
  return hasPoll(row) && viewerId !== '' ? '+' : '';
}

/** The same for all whose marks are the same. */
function signature(marks: readonly MarkRow[] = []): string {
  return marks
    .filter(({ kind }) => kind !== Deed.filters) // counts by what the filters match
    .map(({ kind, id, at, detail }) => JSON.stringify([kind, id, at, detail]))
    .sort()
    .join();
}

function keyOf(id: string, viewerId: string): string {
  return `${id} ${viewerId}`;
}
