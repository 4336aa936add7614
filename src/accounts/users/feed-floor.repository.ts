import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

const lock = sql<{ feed_floor: string }>(
  'users.lock_feed_floor',
  `select feed_floor from users where account_id = $1 for update`,
);
const set = sql('users.set_feed_floor', `update users set feed_floor = $2 where account_id = $1`);

/** All SQL on `users.feed_floor`. */
@Injectable()
export class FeedFloorRepository {
  constructor(private readonly db: Database) {}

  async lock(accountId: string): Promise<string | undefined> {
    return (await this.db.first(lock, [accountId]))?.feed_floor;
  }

  async set(accountId: string, floor: string): Promise<void> {
    await this.db.run(set, [accountId, floor]);
  }
}
