import { Injectable } from '@nestjs/common';
import { columns, Database, sql } from '../../platform/index.js';
import { OF_REMOVED, type RemovedEntry, type RemovedStatus } from '../model/removed-status.js';
import { Status } from '../model/status.entities.js';

/** A status that was removed: its author, and whether this server counts the posts of the author. */
export interface ForgottenEntry extends RemovedEntry {
  readonly isCounted: boolean;
}

const lock = sql<RemovedStatus>(
  'statuses.lock_forgotten',
  `select ${columns(Status, 'statuses', OF_REMOVED)},
     (select p.visibility from statuses p where p.id = statuses.in_reply_to_id) as "parentVisibility",
     (select q.visibility from statuses q where q.id = statuses.quote_of_id) as "quotedVisibility"
   from statuses where id = any($1::text[]) and not local and reblog_of_id is null order by id for update`,
);

// Deletes favourites and reactions first, in the order in which unfavourite and unreact lock rows. The number of posts that
// the server of an author states stays: the author still has them. Index: statuses_reblogs, favourites_status, reactions_one.
const remove = sql<ForgottenEntry>(
  'statuses.remove_forgotten',
  `with favoured as (delete from favourites where status_id = any($1::text[])),
   reacted as (delete from reactions where status_id = any($1::text[])),
   gone as (
     delete from statuses where id = any($1::text[]) or reblog_of_id = any($1::text[])
     returning author_id, visibility)
   select gone.author_id as "authorId", gone.visibility, t.counts_fetched_at is null as "isCounted"
   from gone left join account_stats t on t.account_id = gone.author_id`,
);

/** Removes remote posts without a trace. */
@Injectable()
export class ForgottenStatusRepository {
  constructor(private readonly db: Database) {}

  /** Locks those that are remote posts, no boosts. */
  lock(ids: readonly string[]): Promise<RemovedStatus[]> {
    return this.db.rows(lock, [ids]);
  }

  /** Deletes locked posts with their parts and boosts; returns an entry for each. Leaves no tombstones. */
  remove(ids: readonly string[]): Promise<ForgottenEntry[]> {
    return this.db.rows(remove, [ids]);
  }
}
