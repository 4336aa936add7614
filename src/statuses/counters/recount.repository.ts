import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { StatusStats } from '../model/status.entities.js';
import { StatusFlag } from '../model/status.flags.js';
import type { RemoteStatusCounts } from './status.counters.js';

/** A favourite or boost that counts again, or no longer. */
export interface RecountedRow {
  readonly id: string;
  /** The post. */
  readonly statusId: string;
  readonly counted: boolean;
}

/** The actions on posts that count only while their account is active. */
export const RECOUNTED = ['favourites', 'reblogs'] as const;
export type Recounted = (typeof RECOUNTED)[number];

// Both lock the state that they read: a later change of it waits, and its own job finds what this one wrote. Nothing is left to
// do for a deleted account: its actions end. Index: favourites_account.
const favourites = sql<RecountedRow>(
  'favourites.recount',
  `with wrong as materialized (
     select f.id, a.deactivated_at is null as counted from favourites f join accounts a on a.id = f.account_id
     where f.account_id = $1 and f.id > $2::bigint and f.counted <> (a.deactivated_at is null) and a.deleted_at is null
     order by f.id limit $3 for update of f for share of a)
   update favourites f set counted = wrong.counted from wrong where f.id = wrong.id
   returning f.id::text as id, f.status_id as "statusId", f.counted`,
);

// Index: statuses_author.
const reblogs = sql<RecountedRow>(
  'statuses.recount_boosts',
  `with wrong as materialized (
     select b.id, a.deactivated_at is null as counted from statuses b join accounts a on a.id = b.author_id
     where b.author_id = $1 and b.id > $2 and b.reblog_of_id is not null and b.flags & ${StatusFlag.passedOn} = 0
       and (b.flags & ${StatusFlag.uncounted} = 0) <> (a.deactivated_at is null) and a.deleted_at is null
     order by b.id limit $3 for update of b for share of a)
   update statuses b set flags = b.flags # ${StatusFlag.uncounted} from wrong where b.id = wrong.id
   returning b.id, b.reblog_of_id as "statusId", wrong.counted`,
);

const statements = { favourites, reblogs };

/** Finds favourites and boosts that count although their account is deactivated, or the other way round. */
@Injectable()
export class StatusRecountRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Corrects up to `limit` actions of an account after an id; returns those it changed. */
  recount(which: Recounted, accountId: string, after: string, limit: number): Promise<RecountedRow[]> {
    return this.db.rows(statements[which], [accountId, after, limit]);
  }

  /** The numbers that the servers of posts state, by the ids of the posts. */
  async remoteCounts(statusIds: readonly string[]): Promise<ReadonlyMap<string, RemoteStatusCounts>> {
    const rows = await this.uow.manager.find(StatusStats, { where: { statusId: In([...statusIds]) } });
    return new Map(rows.map((row) => [row.statusId, { favourites: row.remoteFavourites, reblogs: row.remoteReblogs }]));
  }
}
