import { Injectable } from '@nestjs/common';
import { AccountDeleted, OwnedRowsRepository } from '../../accounts/index.js';
import { Subscribes } from '../../platform/index.js';

/** Removes what deleted accounts read and how they reacted. */
@Injectable()
export class AnnouncementsJobs {
  constructor(private readonly rows: OwnedRowsRepository) {}

  @Subscribes(AccountDeleted, { job: 'announcements.erase', queue: 'maintenance', when: ({ local }) => local })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.rows.removeAll(accountId, ['announcement_reads.account_id', 'announcement_reactions.account_id']);
  }
}
