import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

// Index: statuses_author.
const newest = sql<{ id: string }>(
  'statuses.newest_of_author',
  `select id from statuses where author_id = $1 order by id desc limit $2`,
);

// Index: favourites_account.
const removeFavourites = sql<{ status_id: string }>(
  'favourites.remove_some',
  `delete from favourites where id in (select id from favourites where account_id = $1 order by id desc limit $2)
   returning status_id`,
);

// Index: reactions_account.
const removeReactions = sql<{ status_id: string }>(
  'reactions.remove_some',
  `delete from reactions where id in (select id from reactions where account_id = $1 limit $2) returning status_id`,
);

/** Deletes the posts and actions of one account, in batches. */
@Injectable()
export class StatusErasureRepository {
  constructor(private readonly db: Database) {}

  /** Ids of the newest posts and boosts of an account. */
  async newest(accountId: string, limit: number): Promise<string[]> {
    return (await this.db.rows(newest, [accountId, limit])).map(({ id }) => id);
  }

  /** Returns the ids of the favourited posts. */
  async removeFavourites(accountId: string, limit: number): Promise<string[]> {
    return (await this.db.rows(removeFavourites, [accountId, limit])).map((row) => row.status_id);
  }

  /** Returns the ids of the posts, once for each reaction. */
  async removeReactions(accountId: string, limit: number): Promise<string[]> {
    return (await this.db.rows(removeReactions, [accountId, limit])).map((row) => row.status_id);
  }
}
