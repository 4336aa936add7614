import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { PREVIEW_ROWS } from '../model/retention-kind.js';
import { mayGo } from './account-retention.sql.js';

/** Fewer than in other slices: nearly fifty tables may name an account, and each is asked for each that goes. */
const ROWS = 150;

/** The next accounts after an id. Index: accounts_pkey. */
const page = (rows: number) => `page as materialized (select id from accounts where id > $1 order by id limit ${rows})`;

const count = sql<{ count: number; last: string | null }>(
  'retention.count_accounts',
  `with ${page(PREVIEW_ROWS)}, going as (select from page join accounts r on r.id = page.id where ${mayGo('$2::float8')})
   select (select count(*) from going)::int as count, case when count(*) = ${PREVIEW_ROWS} then max(id) end as last from page`,
);

const next = sql<{ ids: string[]; last: string | null }>(
  'retention.next_accounts',
  `with ${page(ROWS)}, going as (select r.id from page join accounts r on r.id = page.id where ${mayGo('$2::float8')})
   select array(select id from going order by id) as ids, case when count(*) = ${ROWS} then max(id) end as last from page`,
);

// Whoever is about to refer to an account holds its row: such accounts stay until the next night.
const lock = sql<{ id: string }>(
  'retention.lock_accounts',
  `select id from accounts where id = any($1::text[]) order by id for update skip locked`,
);

// A statement of its own after the lock, so that it sees what was committed until then.
const remove = sql(
  'retention.remove_accounts',
  `delete from accounts r where r.id = any($1::text[]) and ${mayGo('$2::float8')}`,
);

/** Finds and removes remote accounts without a relation to anybody here. */
@Injectable()
export class AccountRetentionRepository {
  constructor(private readonly db: Database) {}

  /** Counts those that may go among the next accounts after an id. */
  async count(after: string, days: number): Promise<{ count: number; last: string | undefined }> {
    const row = await this.db.first(count, [after, days]);
    return { count: row?.count ?? 0, last: row?.last ?? undefined };
  }

  /** Removes those that may go among the next accounts after an id; returns their number. */
  async removeNext(after: string, days: number): Promise<{ count: number; last: string | undefined }> {
    const row = await this.db.first(next, [after, days]);
    const locked = await this.lock(row?.ids ?? []);
    const count = locked.length === 0 ? 0 : await this.db.run(remove, [locked, days]);
    return { count, last: row?.last ?? undefined };
  }

  private async lock(ids: readonly string[]): Promise<string[]> {
    return (await this.db.rows(lock, [ids])).map(({ id }) => id);
  }
}
