import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountDeleted, OwnedRowsRepository } from '../../accounts/index.js';
import { Subscribes } from '../../platform/index.js';
import { AuthorFeed } from '../../statuses/index.js';
import { AuthorFeedWriter } from './author-feed.writer.js';

/** Fills the port for authors' own feeds, and removes the rows of deleted accounts. */
@Injectable()
export class FeedsJobs implements OnModuleInit {
  constructor(
    private readonly authorFeed: AuthorFeed,
    private readonly writer: AuthorFeedWriter,
    private readonly rows: OwnedRowsRepository,
  ) {}

  onModuleInit(): void {
    this.authorFeed.use(this.writer);
  }

  @Subscribes(AccountDeleted, { job: 'timelines.erase', queue: 'maintenance' })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.rows.removeAll(accountId, ['home_feed.account_id', 'followed_tags.account_id', 'filters.account_id']);
  }
}
