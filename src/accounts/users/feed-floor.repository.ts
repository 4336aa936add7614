import { Injectable } from '@nestjs/common';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { User } from '../model/account.entities.js';

const lock = sql<{ feed_floor: string }>(
  'users.lock_feed_floor',
  `select feed_floor from users where account_id = $1 for update`,
);

/** All SQL on `users.feed_floor`. */
@Injectable()
export class FeedFloorRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  async lock(accountId: string): Promise<string | undefined> {
    return (await this.db.first(lock, [accountId]))?.feed_floor;
  }

  async set(accountId: string, floor: string): Promise<void> {
    await this.uow.manager.update(User, { accountId }, { feedFloor: floor });
  }
}
