import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { PREVIEW_ROWS, SLICE_ROWS } from '../model/retention-kind.js';
import { mayGo } from './status-retention.sql.js';

/** The next statuses after an id that are older than the cutoff. Index: statuses_pkey. */
const page = (rows: number) =>
  `page as materialized (select id from statuses where id > $1 and id < $2 order by id limit ${rows})`;

const count = sql<{ count: number; last: string | null }>(
  'retention.count_posts',
  `with ${page(PREVIEW_ROWS)}, going as (select from page join statuses s on s.id = page.id where ${mayGo('$2')})
   select (select count(*) from going)::int as count, case when count(*) = ${PREVIEW_ROWS} then max(id) end as last from page`,
);

const next = sql<{ ids: string[]; last: string | null }>(
  'retention.next_posts',
  `with ${page(SLICE_ROWS)}, going as (select s.id from page join statuses s on s.id = page.id where ${mayGo('$2')})
   select array(select id from going order by id) as ids, case when count(*) = ${SLICE_ROWS} then max(id) end as last from page`,
);

// Whoever is about to refer to a post holds its row: such posts stay until the next night.
const lock = sql<{ id: string }>(
  'retention.lock_posts',
  `select id from statuses where id = any($1::text[]) order by id for update skip locked`,
);

// A statement of its own after the lock, so that it sees what was committed until then.
const stillGoing = sql<{ id: string }>(
  'retention.posts_still_going',
  `select s.id from statuses s where s.id = any($1::text[]) and ${mayGo('$2')}`,
);

/** Finds remote posts that nobody here needs. `cutoff` is the first id that is too young. */
@Injectable()
export class StatusRetentionRepository {
  constructor(private readonly db: Database) {}

  /** Counts those that may go among the next statuses after an id. */
  async count(after: string, cutoff: string): Promise<{ count: number; last: string | undefined }> {
    const row = await this.db.first(count, [after, cutoff]);
    return { count: row?.count ?? 0, last: row?.last ?? undefined };
  }

  /**
   * Locks those that may go among the next statuses after an id, until the unit of work ends: nobody can refer to them
   * meanwhile.
   */
  async lockNext(after: string, cutoff: string): Promise<{ ids: string[]; last: string | undefined }> {
    const row = await this.db.first(next, [after, cutoff]);
    const locked = await this.idsOf(lock, [row?.ids ?? []]);
    const ids = locked.length === 0 ? [] : await this.idsOf(stillGoing, [locked, cutoff]);
    return { ids, last: row?.last ?? undefined };
  }

  private async idsOf(statement: typeof lock, values: readonly unknown[]): Promise<string[]> {
    return (await this.db.rows(statement, values)).map(({ id }) => id);
  }
}
