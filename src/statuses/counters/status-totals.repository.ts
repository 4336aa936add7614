import { Injectable } from '@nestjs/common';
import { isHostApart } from '../../accounts/index.js';
import { MAX_LISTED } from '../../common/index.js';
import { Database, sql } from '../../platform/index.js';

/** A change of the number of an author's posts. */
export interface TotalChange {
  readonly authorId: string;
  readonly visibility: number;
  readonly delta: number;
}

export interface TotalRow {
  readonly visibility: number;
  readonly count: number;
}

/** Number of rows that share the count of local posts, so that concurrent posts rarely wait for each other. */
const SLOTS = 16;

// Inserts, and so locks, rows in the order of the key.
const apply = sql(
  'status_totals.apply',
  `insert into status_totals as t (domain, visibility, slot, count)
   select coalesce(a.domain, ''), c.visibility, case when a.domain is null then $4::smallint else 0 end, sum(c.delta)
   from unnest($1::text[], $2::smallint[], $3::int[]) as c(author_id, visibility, delta)
     join accounts a on a.id = c.author_id
   group by 1, 2, 3 order by 1, 2, 3
   on conflict (domain, visibility, slot) do update set count = t.count + excluded.count`,
);

const COUNTS = 'select visibility, greatest(sum(count), 0)::int as count from status_totals';
const ofAll = sql<TotalRow>('status_totals.of_all', `${COUNTS} group by visibility`);

// Posts are counted under the domain of the handle: those of accounts with another one are counted here, up to a bound.
const ofServer = sql<TotalRow>(
  'status_totals.of_server',
  `select visibility, sum(count)::int as count from (
     ${COUNTS} where domain = $1 group by visibility
     union all
     select s.visibility, count(*) from (
       select s.visibility from (select a.id from accounts a where ${isHostApart('a', '$1')} limit ${MAX_LISTED}) a
       cross join lateral (
         select s.visibility from statuses s where s.author_id = a.id and s.reblog_of_id is null limit ${MAX_LISTED}) s
       limit ${MAX_LISTED}) s group by s.visibility) part
   group by visibility`,
);

/** All SQL on `status_totals`. */
@Injectable()
export class StatusTotalsRepository {
  constructor(private readonly db: Database) {}

  async apply(changes: readonly TotalChange[]): Promise<void> {
    await this.db.run(apply, [
      changes.map(({ authorId }) => authorId),
      changes.map(({ visibility }) => visibility),
      changes.map(({ delta }) => delta),
      Math.floor(Math.random() * SLOTS),
    ]);
  }

  /**
   * Counts posts by visibility: of one server (`''` is this one), or of all. Of accounts whose handles have another domain it
   * counts up to {@link MAX_LISTED}. Index: the primary key, accounts_hosts_apart, statuses_author.
   */
  ofServer(server: string | null): Promise<TotalRow[]> {
    return server === null ? this.db.rows(ofAll) : this.db.rows(ofServer, [server]);
  }
}
