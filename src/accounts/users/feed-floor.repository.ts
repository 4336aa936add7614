import { Injectable } from '@nestjs/common';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { User } from '../model/account.entities.js';

const lock = sql<{ feedFloor: string }>(
  'users.lock_feed_floor',
  `select feed_floor as "feedFloor" from users where account_id = $1 for update`,
);

/**
 * The floor of a local viewer's home feed: at or above it the stored feed is complete, below it no posts are added. It
 * lives with the user, because a user that returns after a month gets a new floor in the statement that stores the
 * return.
 */
@Injectable()
export class FeedFloorRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * The floor, locked until the open unit ends so that merge, trim and rebuild of one feed never overlap; undefined for
   * remote accounts.
   */
  async lock(accountId: string): Promise<string | undefined> {
    return (await this.db.first(lock, [accountId]))?.feedFloor;
  }

  async set(accountId: string, floor: string): Promise<void> {
    await this.uow.manager.update(User, { accountId }, { feedFloor: floor });
  }
}
