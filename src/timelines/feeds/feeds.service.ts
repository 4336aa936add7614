import { Injectable } from '@nestjs/common';
import { FeedFloorRepository, Followed, ReblogsWanted, Unfollowed, UserReturned } from '../../accounts/index.js';
import {
  DAILY,
  FIRST_ID,
  Handles,
  job,
  type JobKind,
  type JobOptions,
  Jobs,
  LAST_ID,
  Recurs,
  Subscribes,
  SubscribesToAll,
  UnitOfWork,
  walkSlices,
} from '../../platform/index.js';
import { PUBLIC, StatusCreated, StatusDeleted, StatusEdited } from '../../statuses/index.js';
import { TagFollowed, TagUnfollowed } from '../tags/tags.events.js';
import {
  type FannedOut,
  FEED_ROWS,
  FeedRepository,
  type FeedUpkeep,
  type FollowerRange,
  type Gathered,
} from './feed.repository.js';
import { TagFeedRepository, type TaggedStatus } from './tag-feed.repository.js';

type Deleted = Pick<StatusDeleted, 'statusId' | 'authorId' | 'tagIds'>;
type Parties = Pick<Followed, 'followerId' | 'followeeId'>;

/** Each job serves one range of readers and leaves the rest to the next, behind the posts of others that came meanwhile. */
const FanOutFurther = job<{ ranges: readonly FollowerRange[] }>('feeds.fan-out-further', 'fanout');
const FanOutTagsFurther = job<{ status: TaggedStatus; after: string }>('feeds.fan-out-tags-further', 'fanout');
const Deepen = job<{ readerId: string; to: string }>('feeds.deepen', 'fanout');
const WithdrawFurther = job<Deleted & { after: string }>('feeds.withdraw-further', 'fanout');

const deepenKey = (readerId: string): string => `feeds.deepen ${readerId}`;

/** The place before the first follower. */
const START = '0';

/**
 * Maintains the stored home feeds (docs/adr/0005) of readers active within 30 days. A new post is added when it is
 * created. At or above its floor a feed is complete; below the floor, pages are pulled from the posts themselves.
 */
@Injectable()
export class FeedsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
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
    await this.fanOutRanges({ ranges: statuses.map((status) => ({ status, after: START })) });
    for (const status of statuses)
      if (status.hasTags && PUBLIC.includes(status.visibility)) await this.fanOutTags({ status, after: START });
  }

  /** Adds statuses to the feeds of the next followers of their authors. */
  @Handles(FanOutFurther)
  async fanOutRanges({ ranges }: { ranges: readonly FollowerRange[] }): Promise<void> {
    const further = await this.feeds.fanOut(ranges);
    if (further.length > 0) await this.goOn(FanOutFurther, { ranges: further });
  }

  /** Adds a post to the feeds of its tags' followers when it has another tag, or became public. */
  @Subscribes(StatusEdited, { job: 'feeds.fan-out-edited', queue: 'fanout', when: ({ joinsTag }) => joinsTag })
  fanOutEdited({ statusId, authorId }: TaggedStatus): Promise<void> {
    return this.fanOutTags({ status: { statusId, authorId }, after: START });
  }

  /** Adds a status to the feeds of the next followers of its tags. */
  @Handles(FanOutTagsFurther)
  async fanOutTags({ status, after }: { status: TaggedStatus; after: string }): Promise<void> {
    const next = await this.tagFeeds.fanOut(status, after);
    if (next !== undefined) await this.goOn(FanOutTagsFurther, { status, after: next });
  }

  /** Removes a deleted status from the feeds. */
  @Subscribes(StatusDeleted, { job: 'feeds.withdraw', queue: 'fanout' })
  withdraw({ statusId, authorId, tagIds }: Deleted): Promise<void> {
    return this.withdrawRange({ statusId, authorId, tagIds, after: START });
  }

  /** Removes a deleted status from the feeds of the next followers of its author. */
  @Handles(WithdrawFurther)
  async withdrawRange({ statusId, authorId, tagIds, after }: Deleted & { after: string }): Promise<void> {
    const next = await this.feeds.withdraw(statusId, authorId, tagIds, after);
    if (next !== undefined) await this.goOn(WithdrawFurther, { statusId, authorId, tagIds, after: next });
  }

  /** Adds the followee's newest posts to the feed after a follow, and the boosts when they are wanted again. */
  @Subscribes(ReblogsWanted, { job: 'feeds.merge-reblogs', queue: 'fanout' })
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
  async removeTag({ accountId, tagId }: TagUnfollowed): Promise<void> {
    await this.withFloor(accountId, () => this.tagFeeds.remove(accountId, tagId));
  }

  /**
   * Removes the author's posts and boosts from the feed after an unfollow. Boosts of an author who is blocked stay: reads hide
   * them, and the feed is complete when the block ends.
   */
  @Subscribes(Unfollowed, { job: 'feeds.unfollow', queue: 'fanout' })
  async removeAuthor({ followerId, followeeId }: Parties): Promise<void> {
    await this.withFloor(followerId, () => this.feeds.removeAuthor(followerId, followeeId));
  }

  /**
   * Fills the feed of a returned reader from as many posts as a feed holds, also those that do not belong in it, then lowers
   * the floor. The second pass adds statuses that arrived during the first and that a fan-out skipped, because it still
   * saw the high floor.
   */
  @Subscribes(UserReturned, { job: 'feeds.rebuild', queue: 'fanout' })
  async rebuild({ accountId: readerId }: UserReturned): Promise<void> {
    const above = await this.withFloor(readerId, async (floor) => {
      await this.feeds.dropBelow(readerId, await this.lowerFloor(readerId, floor));
      return floor;
    });
    if (above !== undefined) await this.withFloor(readerId, () => this.feeds.rebuild(readerId, above || LAST_ID));
  }

  /**
   * Has the feed of a reader continued below its floor, at least some pages past an id. One job for each reader waits, with
   * the id of the page that asked last.
   */
  enqueueDeepening(readerId: string, to: string): Promise<void> {
    return this.goOn(Deepen, { readerId, to }, { key: deepenKey(readerId), replaces: true });
  }

  /** Lowers the floor of a feed, one step for each job, as often as a day allows, until some pages past an id are in the feed. */
  @Handles(Deepen)
  async deepen({ readerId, to }: { readerId: string; to: string }): Promise<void> {
    if (!(await this.feeds.isNearFloor(readerId, to))) return;
    // Committed before the step reads the posts: from now on the fan-out adds also what arrives late, below the floor.
    if (!(await this.floors.countDeepening(readerId))) return;
    await this.withFloor(readerId, async (floor) => {
      await this.lowerFloor(readerId, floor);
      await this.goOn(Deepen, { readerId, to }, { key: deepenKey(readerId) });
    });
  }

  /** Trims feeds that are too long and drops the feeds of inactive readers. */
  @Recurs({ job: 'feeds.trim', everyMinutes: DAILY, queue: 'upkeep' })
  async trim(): Promise<void> {
    await walkSlices(FIRST_ID, async (after) => {
      const readers = await this.feeds.upkeep(after);
      for (const reader of readers) await this.refreshFeed(reader);
      return readers.at(-1)?.accountId;
    });
  }

  private goOn<Payload extends object>(kind: JobKind<Payload>, payload: Payload, options?: JobOptions): Promise<void> {
    return this.uow.run(() => {
      this.jobs.enqueue(kind, payload, options);
      return Promise.resolve();
    });
  }

  /** Fills the feed with the next posts below its floor, and returns the new floor. */
  private async lowerFloor(readerId: string, floor: string): Promise<string> {
    const { oldest, taken } = await this.feeds.rebuild(readerId, floor);
    const lowered = taken < FEED_ROWS ? FIRST_ID : oldest;
    await this.floors.set(readerId, lowered);
    return lowered;
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

  /**
   * Changes a feed as the only job: a removal that has looked for a follow before it began again would remove what the merge
   * of the new follow found in the feed.
   */
  private withFloor<T>(readerId: string, work: (floor: string) => Promise<T>): Promise<T | undefined> {
    return this.uow.run(async () => {
      const floor = await this.floors.lock(readerId);
      return floor === undefined ? undefined : work(floor);
    });
  }
}
