import { Injectable } from '@nestjs/common';
import { isDeleted } from '../../accounts/index.js';
import { Database, sql } from '../../platform/index.js';

/** A favourite or reaction that was removed: its post, and whether it was in the counter of that. */
export interface RemovedRow {
  readonly statusId: string;
  readonly counted: boolean;
}

// Index: statuses_author.
const newest = sql<{ id: string }>(
  'statuses.newest_of_author',
  `select id from statuses where author_id = $1 and ${isDeleted('$1')} order by id desc limit $2`,
);

// Locks rows in the order of their ids, as recounts do, so that the two cannot deadlock. Index: favourites_account.
const removeFavourites = sql<RemovedRow>(
  'favourites.remove_some',
  `delete from favourites where id = any(array(
     select id from favourites where account_id = $1 and ${isDeleted('$1')} order by id limit $2 for update))
   returning status_id as "statusId", counted`,
);

// Index: reactions_account.
const removeReactions = sql<RemovedRow>(
  'reactions.remove_some',
  `delete from reactions where id in (select id from reactions where account_id = $1 and ${isDeleted('$1')} limit $2)
   returning status_id as "statusId", true as counted`,
);

/** Deletes the posts and actions of one deleted account, in batches. */
@Injectable()
export class StatusErasureRepository {
  constructor(private readonly db: Database) {}

  /** Ids of the newest posts and boosts of an account. */
  async newest(accountId: string, limit: number): Promise<string[]> {
    return (await this.db.rows(newest, [accountId, limit])).map(({ id }) => id);
  }

  removeFavourites(accountId: string, limit: number): Promise<RemovedRow[]> {
    return this.db.rows(removeFavourites, [accountId, limit]);
  }

  removeReactions(accountId: string, limit: number): Promise<RemovedRow[]> {
    return this.db.rows(removeReactions, [accountId, limit]);
  }
}
