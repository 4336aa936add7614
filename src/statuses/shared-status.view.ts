import { Injectable } from '@nestjs/common';
import { AccountView } from '../accounts/index.js';
import { groupBy, type Json, keyBy, unique } from '../common/index.js';
import { type MarkRow, type Showing, ShowingRepository, type ShownRow } from './showing.repository.js';
import { factsOf, StatusPrefetch } from './status.prefetch.js';
import { StatusRenderer } from './status.render.js';

type Accounts = ReadonlyMap<string, Json>;

/**
 * Renders entries for many viewers at once, for pushing them out. Costs as many statements for a thousand viewers as for
 * one: the entries, accounts and marks; what the caches lack comes in the same trip as the last two.
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
   * an entry looks the same get the same object.
   */
  async many(showings: readonly Showing[]): Promise<(Json | undefined)[]> {
    if (showings.length === 0) return [];
    const rows = await this.repository.shown(showings);
    const [bodies, accountsFor, marks] = await Promise.all([
      this.prefetch.bodies([...keyBy(rows, ({ id }) => id).values()], this.renderer),
      this.accountsOf(rows),
      this.marksOf(rows),
    ]);
    const looks = new Map<string, Json>();
    const shown = new Map<string, Json>();
    for (const row of rows) {
      const accounts = accountsFor(row.viewer_id);
      const author = accounts.get(row.author_id);
      const booster = isBoost(row) ? accounts.get(row.w_author_id) : undefined;
      const body = bodies.get(row.id);
      if (!body || !author || (isBoost(row) && !booster)) continue; // vanished since the rows were read
      const own = marks.get(row.viewer_id) ?? [];
      const look = `${row.feed_id} ${row.in_reply_to_id} ${isParty(row) ? row.viewer_id : ''} ${signature(own)}`;
      const json =
        looks.get(look) ?? this.renderer.entry({ row, body, author, booster, viewer: factsOf(own), text: null });
      looks.set(look, json);
      shown.set(keyOf(row.feed_id, row.viewer_id), json);
    }
    return showings.map(({ id, viewerId }) => shown.get(keyOf(id, viewerId)));
  }

  /** Authors and boosters by viewer: their own accounts show them more than others. */
  private async accountsOf(rows: readonly ShownRow[]): Promise<(viewerId: string) => Accounts> {
    const counts = await this.accounts.begin(unique(rows.flatMap((row) => [row.author_id, row.w_author_id])));
    const forOthers = await this.accounts.render(counts, {});
    const own = new Map<string, Accounts>();
    for (const viewerId of unique(rows.filter(isParty).map((row) => row.viewer_id))) {
      own.set(viewerId, await this.accounts.render(counts, { viewerId }));
    }
    return (viewerId) => own.get(viewerId) ?? forOthers;
  }

  private async marksOf(rows: readonly ShownRow[]): Promise<Map<string, MarkRow[]>> {
    const signedIn = rows.filter((row) => row.viewer_id !== '');
    if (signedIn.length === 0) return new Map();
    return groupBy(await this.repository.marks(signedIn), (row) => row.viewer_id);
  }
}

function isBoost(row: ShownRow): boolean {
  return row.feed_id !== row.id;
}

/** Whether the viewer is who wrote or boosted it. */
function isParty({ viewer_id: viewerId, author_id: authorId, w_author_id: boosterId }: ShownRow): boolean {
  return viewerId === authorId || viewerId === boosterId;
}

/** The same for all whose marks are the same. */
function signature(marks: readonly MarkRow[]): string {
  return marks
    .map(({ kind, id, at }) => `${kind}:${id}:${at}`)
    .sort()
    .join();
}

function keyOf(id: string, viewerId: string): string {
  return `${id} ${viewerId}`;
}
