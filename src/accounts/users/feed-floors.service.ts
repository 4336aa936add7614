import { Injectable } from '@nestjs/common';
import { FeedFloorRepository } from './feed-floor.repository.js';

/**
 * The floor of a local viewer's home feed: at or above it the stored feed is complete, below it no posts are added. It
 * lives with the user, because a user that returns after a month gets a new floor in the statement that stores the
 * return.
 */
@Injectable()
export class FeedFloorsService {
  constructor(private readonly repository: FeedFloorRepository) {}

  /**
   * The floor, locked until the open unit ends so that merge, trim and rebuild of one feed never overlap; undefined for
   * remote accounts.
   */
  lock(accountId: string): Promise<string | undefined> {
    return this.repository.lock(accountId);
  }

  set(accountId: string, floor: string): Promise<void> {
    return this.repository.set(accountId, floor);
  }
}
