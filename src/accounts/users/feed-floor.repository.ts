import { Injectable } from '@nestjs/common';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { User } from '../model/account.entities.js';

const lock = sql<{ feedFloor: string }>(
  'users.lock_feed_floor',
  `select feed_floor as "feedFloor" from users where account_id = $1 for update`,
);

/** Number of times that a feed may be deepened at once. One more comes with each tenth of a day: at most 19 in a day. */
export const DEEPENED_DAILY = 10;
/** SQL: the part of a day after which a feed may be deepened once more. */
const SHARE = `interval '1 day' / ${DEEPENED_DAILY}`;

/** SQL: whether the feed of `users u` may be deepened now. */
export const mayDeepen = (u: string) =>
  `(${u}.feed_floor > '' and coalesce(${u}.feed_deepened_at <= now() - ${SHARE}, true))`;

/**
 * SQL: whether the feed of `users u` was deepened lately: in the last hours, or in the whole last day if that was often. Then
 * the fan-out adds to it below its floor too, which is about to be lower, and the nightly trim passes it by.
 */
export const isBeingDeepened = (u: string) => `coalesce(${u}.feed_deepened_at > now() - interval '1 day', false)`;

// A bucket in one column: each time moves it ahead by a part of the day, from a day ago at the earliest.
const countDeepening = sql(
  'users.count_deepening',
  `update users u set feed_deepened_at = greatest(feed_deepened_at, now() - interval '1 day') + ${SHARE}
   where account_id = $1 and ${mayDeepen('u')}`,
);

/**
 * The floor of a local viewer's home feed: at or above it the stored feed is complete, below it posts are added only while
 * the feed is being deepened. It lives with the user, because a user that returns after a month gets a new floor in the
 * statement that stores the return.
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

  /** Returns whether the feed may be deepened once more now, and counts it. */
  async countDeepening(accountId: string): Promise<boolean> {
    return (await this.db.run(countDeepening, [accountId])) > 0;
  }

  async set(accountId: string, floor: string): Promise<void> {
    await this.uow.manager.update(User, { accountId }, { feedFloor: floor });
  }
}
