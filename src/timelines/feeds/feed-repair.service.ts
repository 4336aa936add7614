import { Injectable } from '@nestjs/common';
import { FeedFloorRepository, repairInSlices, type RepairOptions } from '../../accounts/index.js';
import { FIRST_ID, LAST_ID, UnitOfWork } from '../../platform/index.js';
import { FEED_ROWS, FeedRepository } from './feed.repository.js';
import { FeedRepairRepository } from './feed-repair.repository.js';

/** Finds incomplete feeds and rebuilds them, for operators. Safe beside a running server. */
@Injectable()
export class FeedRepairService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: FeedRepairRepository,
    private readonly feeds: FeedRepository,
    private readonly floors: FeedFloorRepository,
  ) {}

  /** Returns the number of feeds that are incomplete at or above their floor. Rebuilds them with `fix`. */
  check(options: RepairOptions): Promise<number> {
    return repairInSlices(async (after) => {
      const ids = await this.repository.page(after);
      const incomplete = await this.repository.incomplete(ids);
      if (options.fix) for (const reader of incomplete) await this.rebuild(reader);
      return { ids, wrong: incomplete.length };
    }, options);
  }

  /**
   * Deletes a reader's feed and rebuilds it from the posts, in one unit of work: the reader sees the old feed until the
   * unit ends, and a fan-out adds to the feed that it finds. Returns false when the account is not a local user.
   */
  rebuild(readerId: string): Promise<boolean> {
    return this.uow.run(async () => {
      if ((await this.floors.lock(readerId)) === undefined) return false;
      await this.feeds.dropBelow(readerId, LAST_ID);
      const { oldest, taken } = await this.feeds.rebuild(readerId, LAST_ID);
      await this.floors.set(readerId, taken < FEED_ROWS ? FIRST_ID : oldest);
      return true;
    });
  }
}
