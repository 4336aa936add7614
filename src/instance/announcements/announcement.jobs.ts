import { Injectable } from '@nestjs/common';
import { Handles } from '../../platform/index.js';
import { publishAnnouncement } from './announcement.job-types.js';
import { AnnouncementsService } from './announcements.service.js';

/** Announces what was written before, when its time has come. */
@Injectable()
export class AnnouncementJob {
  constructor(private readonly announcements: AnnouncementsService) {}

  @Handles(publishAnnouncement)
  publish({ announcementId, startsAt }: { announcementId: string; startsAt: string | null }): Promise<void> {
    return this.announcements.publish(announcementId, startsAt);
  }
}
