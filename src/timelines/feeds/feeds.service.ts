import { Injectable } from '@nestjs/common';
import { Blocked, FeedFloorRepository, Followed, Unfollowed, UserReturned } from '../../accounts/index.js';
import {
  DAILY,
  FIRST_ID,
  LAST_ID,
  Recurs,
  Subscribes,
  SubscribesToAll,
  UnitOfWork,
  walkSlices,
} from '../../platform/index.js';
import { PUBLIC, StatusCreated, StatusDeleted } from '../../statuses/index.js';
import { TagFollowed, TagUnfollowed } from '../tags/tags.events.js';
import {
  type FannedOut,
  FEED_ROWS,
  FeedRepository,
  type FeedUpkeep,
  type FollowerRange,
  type Gathered,
} from './feed.repository.js';
import { TagFeedRepository } from './tag-feed.repository.js';

type Deleted = Pick<StatusDeleted, 'statusId' | 'authorId' | 'tagIds'>;
type Parties = Pick<Followed, 'followerId' | 'followeeId'>;

/**
 * Maintains the stored home feeds (docs/adr/0005) of readers active within 30 days. A new post is added when it is
 * created. At or above its floor a feed is complete; below the floor, pages are pulled from the posts themselves.
 */
@Injectable()
export class FeedsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly feeds: FeedRepository,
    private readonly tagFeeds: TagFeedRepository,
    private readonly floors: FeedFloorRepository,
  ) {}

  /**
   * Adds statuses to the feeds of their authors' local followers and, if they are public, of their tags' followers. Safe
   * to run twice.
   */
  @SubscribesToAll(StatusCreated, { job: 'feeds.fan-out', queue: 'fanout' })
  async fanOut(statuses: readonly FannedOut[]): Promise<void> {
    let ranges: readonly FollowerRange[] = statuses.map((status) => ({ status, after: '0' }));
    while (ranges.length > 0) ranges = await this.feeds.fanOut(ranges);
    for (const status of statuses)
      if (status.hasTags && PUBLIC.includes(status.visibility)) await this.fanOutTags(status);
  }

  /** Removes a deleted status from the feeds. */
  @Subscribes(StatusDeleted, { job: 'feeds.withdraw', queue: 'fanout' })
  withdraw({ statusId, authorId, tagIds }: Deleted): Promise<void> {
    return this.feeds.withdraw(statusId, authorId, tagIds);
  }

  /** Adds the followee's newest posts to the feed after a follow. */
  @Subscribes(Followed, { job: 'feeds.merge', queue: 'fanout', when: (event) => event.localFollower && event.accepted })
  async merge({ followerId: readerId, followeeId: authorId }: Parties): Promise<void> {
    await this.withFloor(readerId, async (floor) => {
      const merged = await this.feeds.merge(readerId, authorId, floor);
      await this.raiseFloorIfCut(readerId, floor, merged);
    });
  }

  /** Adds the newest posts with a newly followed tag to the feed. */
  @Subscribes(TagFollowed, { job: 'feeds.merge-tag', queue: 'fanout' })
  async mergeTag({ accountId: readerId, tagId }: TagFollowed): Promise<void> {
    await this.withFloor(readerId, async (floor) => {
      const merged = await this.tagFeeds.merge(readerId, tagId, floor);
      await this.raiseFloorIfCut(readerId, floor, merged);
    });
  }

  /** Removes the posts that only an unfollowed tag brought into the feed. */
  @Subscribes(TagUnfollowed, { job: 'feeds.remove-tag', queue: 'fanout' })
  removeTag({ accountId, tagId }: TagUnfollowed): Promise<void> {
    return this.tagFeeds.remove(accountId, tagId);
  }

  /** Removes the author's posts and boosts from the feed after an unfollow. */
  @Subscribes(Unfollowed, { job: 'feeds.unfollow', queue: 'fanout' })
  removeAuthor({ followerId, followeeId }: Parties): Promise<void> {
    return this.feeds.removeAuthor(followerId, followeeId);
  }

  @Subscribes(Blocked, { job: 'feeds.block', queue: 'fanout' })
  async onBlocked({ accountId, targetId }: Blocked): Promise<void> {
    await this.removeBlocked(accountId, targetId);
    await this.removeBlocked(targetId, accountId);
  }

  /** Removes the author's posts, and other accounts' boosts of them, from the feed after a block. */
  async removeBlocked(readerId: string, authorId: string): Promise<void> {
    await this.feeds.removeAuthor(readerId, authorId);
    await this.feeds.removeReblogsOf(readerId, authorId);
  }

  /**
   * Fills the feed of a returned reader up to its maximum size, then lowers the floor. The second pass adds statuses
   * that arrived during the first and that a fan-out skipped, because it still saw the high floor.
   */
  @Subscribes(UserReturned, { job: 'feeds.rebuild', queue: 'fanout' })
  async rebuild({ accountId: readerId }: UserReturned): Promise<void> {
    const above = await this.withFloor(readerId, async (floor) => {
      const { oldest, taken } = await this.feeds.rebuild(readerId, floor);
      const lowered = taken < FEED_ROWS ? FIRST_ID : oldest;
      await this.feeds.dropBelow(readerId, lowered);
      await this.floors.set(readerId, lowered);
      return floor;
    });
    if (above !== undefined) await this.withFloor(readerId, () => this.feeds.rebuild(readerId, above || LAST_ID));
  }

  /** Trims feeds that are too long and drops the feeds of inactive readers. */
  @Recurs({ job: 'feeds.trim', everyMinutes: DAILY })
  async trim(): Promise<void> {
    await walkSlices(FIRST_ID, async (after) => {
      const readers = await this.feeds.upkeep(after);
      for (const reader of readers) await this.refreshFeed(reader);
      return readers.at(-1)?.accountId;
    });
  }

  private async fanOutTags(status: FannedOut): Promise<void> {
    for (let after: string | undefined = '0'; after !== undefined;) after = await this.tagFeeds.fanOut(status, after);
  }

  private async refreshFeed({ accountId: readerId, needs }: FeedUpkeep): Promise<void> {
    if (needs === 'drop') await this.withFloor(readerId, () => this.feeds.dropAbandoned(readerId));
    if (needs === 'trim') await this.trimOne(readerId);
  }

  private async trimOne(readerId: string): Promise<void> {
    await this.withFloor(readerId, async (floor) => {
      const oldest = await this.feeds.oldestKept(readerId);
      if (oldest === undefined) return;
      await this.feeds.dropBelow(readerId, oldest);
      if (oldest > floor) await this.floors.set(readerId, oldest);
    });
  }

  /**
   * If the limit cut the merge, older posts may be missing: the feed is complete only from the oldest merged post on.
   */
  private async raiseFloorIfCut(readerId: string, floor: string, { oldest, taken }: Gathered): Promise<void> {
    if (taken < FEED_ROWS || oldest <= floor) return;
    await this.floors.set(readerId, oldest);
    await this.feeds.dropBelow(readerId, oldest);
  }

  private withFloor<T>(readerId: string, work: (floor: string) => Promise<T>): Promise<T | undefined> {
    return this.uow.run(async () => {
      const floor = await this.floors.lock(readerId);
      return floor === undefined ? undefined : work(floor);
    });
  }
}
