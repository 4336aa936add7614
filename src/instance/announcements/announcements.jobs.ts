import { Injectable } from '@nestjs/common';
import { AccountDeleted } from '../../accounts/index.js';
import { Handles, OwnedRows, Subscribes } from '../../platform/index.js';
import { AnnouncementsService, publishAnnouncement } from './announcements.service.js';

/** Publishes announcements when they begin, and removes the traces of deleted accounts. */
@Injectable()
export class AnnouncementsJobs {
  constructor(
    private readonly announcements: AnnouncementsService,
    private readonly rows: OwnedRows,
  ) {}

  @Handles(publishAnnouncement)
  publish({ announcementId, startsAt }: { announcementId: string; startsAt: string | null }): Promise<void> {
    return this.announcements.publish(announcementId, startsAt);
  }

  @Subscribes(AccountDeleted, { job: 'announcements.erase', queue: 'maintenance', when: ({ local }) => local })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.rows.removeAll(accountId, ['announcement_reads.account_id', 'announcement_reactions.account_id']);
  }
}
