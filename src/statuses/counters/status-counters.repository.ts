import { Injectable } from '@nestjs/common';
import { Database, givenRows, sql } from '../../platform/index.js';
import { StatusStats } from '../model/status.entities.js';
import type { StatusUpdate } from './status.counters.js';

const COLUMNS = [
  'statusId',
  'replies',
  'reblogs',
  'favourites',
  'reactions',
  'quotes',
  'remoteFavourites',
  'remoteReblogs',
] as const;
const change = givenRows(StatusStats, COLUMNS);

/** The ids of statuses whose servers have counted the boosts already. */
const STATED = `$${COLUMNS.length + 1}`;

// Locks all rows by id before it changes any, so that two units cannot deadlock.
const apply = sql(
  'status_stats.apply',
  `with change as (select * from ${change.table}), locked as materialized (
     select s.status_id from status_stats s where s.status_id = any($1) order by s.status_id for update
   )
   update status_stats s
   set replies = s.replies + c.replies, reblogs = s.reblogs + c.reblogs, favourites = s.favourites + c.favourites,
     reactions = s.reactions + c.reactions, quotes = s.quotes + c.quotes,
     remote_favourites = coalesce(c.remote_favourites, s.remote_favourites + c.favourites),
     remote_reblogs = coalesce(c.remote_reblogs,
       s.remote_reblogs + case when s.status_id = any(${STATED}::text[]) then 0 else c.reblogs end)
   from change c join locked l on l.status_id = c.status_id
   where s.status_id = c.status_id`,
);

/** All SQL that changes counters in `status_stats`. */
@Injectable()
export class StatusCountersRepository {
  constructor(private readonly db: Database) {}

  async apply(changes: readonly StatusUpdate[]): Promise<void> {
    const stated = changes.filter(({ isStated }) => isStated === true).map(({ statusId }) => statusId);
    const rows = changes.map(({ remote, isStated: _, ...counts }) => ({
      ...counts,
      remoteFavourites: remote.favourites,
      remoteReblogs: remote.reblogs,
    }));
    await this.db.run(apply, [...change.values(rows), stated]);
  }
}
