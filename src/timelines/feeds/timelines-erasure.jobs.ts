import { Injectable } from '@nestjs/common';
import { AccountDeleted } from '../../accounts/index.js';
import { OwnedRows, Subscribes } from '../../platform/index.js';

/** Removes the feed, the followed tags and the filters of deleted accounts. */
@Injectable()
export class TimelinesErasureJobs {
  constructor(private readonly rows: OwnedRows) {}

  @Subscribes(AccountDeleted, { job: 'timelines.erase', queue: 'maintenance' })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.rows.removeAll(accountId, ['home_feed.account_id', 'followed_tags.account_id', 'filters.account_id']);
  }
}
