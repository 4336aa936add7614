import { job } from '../../platform/index.js';

/** Tells people of an announcement when it begins; `startsAt` as it was when the job was made. */
export const publishAnnouncement = job<{ announcementId: string; startsAt: string | null }>(
  'instance.publish-announcement',
  'stream',
);
