import { Injectable } from '@nestjs/common';
import { DAILY, FIRST_ID, Recurs, repeatSlices, walkSlices } from '../../platform/index.js';
import { BATCH, NotificationTrimRepository } from './notification-trim.repository.js';

/** Deletes notifications beyond each account's newest 5,000, and those older than a year, and requests without any (threat D7). */
@Injectable()
export class NotificationTrimService {
  constructor(private readonly notifications: NotificationTrimRepository) {}

  @Recurs({ job: 'notifications.trim', everyMinutes: DAILY, queue: 'upkeep' })
  async trim(): Promise<void> {
    await repeatSlices(async () => (await this.notifications.dropOld()) === BATCH);
    await this.notifications.dropEmptyRequests();
    await walkSlices(FIRST_ID, async (after) => {
      const receivers = await this.notifications.receivers(after);
      for (const { accountId, isOverlong } of receivers)
        if (isOverlong) await repeatSlices(async () => (await this.notifications.trim(accountId)) === BATCH);
      return receivers.at(-1)?.accountId;
    });
  }
}
