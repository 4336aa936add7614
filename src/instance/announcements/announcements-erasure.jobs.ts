import { Injectable } from '@nestjs/common';
import { AccountDeleted } from '../../accounts/index.js';
import { OwnedRows, Subscribes } from '../../platform/index.js';

/** Removes what announcements hold of deleted accounts. */
@Injectable()
export class AnnouncementsErasureJobs {
  constructor(private readonly rows: OwnedRows) {}

  @Subscribes(AccountDeleted, { job: 'announcements.erase', queue: 'maintenance' })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.rows.removeAll(accountId, ['announcement_reads.account_id', 'announcement_reactions.account_id']);
  }
}
