import { Injectable } from '@nestjs/common';
import { columns, Database, sql } from '../../platform/index.js';
import { isCountedHere, isPopular, POPULAR_AMONG_MANY } from '../model/popular.sql.js';
import { type ForgottenEntry, OF_REMOVED, type RemovedStatus } from '../model/removed-status.js';
import { Status } from '../model/status.entities.js';

/** A locked remote post that is about to be removed. */
export interface ForgottenStatus extends RemovedStatus, ForgottenEntry {
  /** Whether too much refers to it: the same unit of work removes other posts. */
  readonly isPopular: boolean;
}

const lock = sql<ForgottenStatus>(
  'statuses.lock_forgotten',
  `select ${columns(Status, 'statuses', OF_REMOVED)},
     (select p.visibility from statuses p where p.id = statuses.in_reply_to_id) as "parentVisibility",
     (select q.visibility from statuses q where q.id = statuses.quote_of_id) as "quotedVisibility",
     ${isCountedHere('statuses.author_id')} as "isCounted", ${isPopular('statuses.id', POPULAR_AMONG_MANY)} as "isPopular"
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
   select author_id as "authorId", visibility, ${isCountedHere('gone.author_id')} as "isCounted" from gone`,
);

/** Removes remote posts without a trace. */
@Injectable()
export class ForgottenStatusRepository {
  constructor(private readonly db: Database) {}

  /** Locks those that are remote posts, no boosts. */
  lock(ids: readonly string[]): Promise<ForgottenStatus[]> {
    return this.db.rows(lock, [ids]);
  }

  /** Deletes locked posts with their parts and boosts; returns an entry for each. Leaves no tombstones. */
  remove(ids: readonly string[]): Promise<ForgottenEntry[]> {
    return this.db.rows(remove, [ids]);
  }
}
