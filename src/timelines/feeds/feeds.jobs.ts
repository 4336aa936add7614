import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountDeleted, Blocked, Followed, Unfollowed, UserReturned } from '../../accounts/index.js';
import { OwnedRows, Recurs, Subscribes, SubscribesToAll } from '../../platform/index.js';
import { AuthorFeed, StatusCreated, StatusDeleted } from '../../statuses/index.js';
import { AuthorFeedWriter } from './author-feed.writer.js';
import { FeedsService } from './feeds.service.js';
import { TagFollowed, TagUnfollowed } from '../tags/tags.events.js';

const DAILY = 24 * 60;

/**
 * Updates home feeds after events of earlier modules. Each subscription is its own job, retried alone and safe to run
 * twice.
 */
@Injectable()
export class FeedsJobs implements OnModuleInit {
  constructor(
    private readonly feeds: FeedsService,
    private readonly authorFeed: AuthorFeed,
    private readonly writer: AuthorFeedWriter,
    private readonly rows: OwnedRows,
  ) {}

  onModuleInit(): void {
    this.authorFeed.use(this.writer);
  }

  @SubscribesToAll(StatusCreated, { job: 'feeds.fan-out', queue: 'fanout' })
  async onStatusesCreated(statuses: readonly StatusCreated[]): Promise<void> {
    await this.feeds.fanOut(statuses);
  }

  @Subscribes(StatusDeleted, { job: 'feeds.withdraw', queue: 'fanout' })
  async onStatusDeleted({ statusId, authorId, tagIds }: StatusDeleted): Promise<void> {
    await this.feeds.withdraw(statusId, authorId, tagIds);
  }

  @Subscribes(Followed, { job: 'feeds.merge', queue: 'fanout', when: (event) => event.localFollower && event.accepted })
  async onFollowed({ followerId, followeeId }: Followed): Promise<void> {
    await this.feeds.merge(followerId, followeeId);
  }

  @Subscribes(Unfollowed, { job: 'feeds.unfollow', queue: 'fanout' })
  async onUnfollowed({ followerId, followeeId }: Unfollowed): Promise<void> {
    await this.feeds.removeAuthor(followerId, followeeId);
  }

  @Subscribes(Blocked, { job: 'feeds.block', queue: 'fanout' })
  async onBlocked({ accountId, targetId }: Blocked): Promise<void> {
    await this.feeds.removeBlocked(accountId, targetId);
    await this.feeds.removeBlocked(targetId, accountId);
  }

  @Subscribes(TagFollowed, { job: 'feeds.merge-tag', queue: 'fanout' })
  async onTagFollowed({ accountId, tagId }: TagFollowed): Promise<void> {
    await this.feeds.mergeTag(accountId, tagId);
  }

  @Subscribes(TagUnfollowed, { job: 'feeds.remove-tag', queue: 'fanout' })
  async onTagUnfollowed({ accountId, tagId }: TagUnfollowed): Promise<void> {
    await this.feeds.removeTag(accountId, tagId);
  }

  @Subscribes(UserReturned, { job: 'feeds.rebuild', queue: 'fanout' })
  async onUserReturned({ accountId }: UserReturned): Promise<void> {
    await this.feeds.rebuild(accountId);
  }

  @Recurs({ job: 'feeds.trim', everyMinutes: DAILY })
  async trim(): Promise<void> {
    await this.feeds.trim();
  }

  @Subscribes(AccountDeleted, { job: 'timelines.erase', queue: 'maintenance' })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.rows.removeAll(accountId, ['home_feed.account_id', 'followed_tags.account_id', 'filters.account_id']);
  }
}
