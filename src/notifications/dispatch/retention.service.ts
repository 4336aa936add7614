import { Injectable } from '@nestjs/common';
import { DAILY, FIRST_ID, Recurs } from '../../platform/index.js';
import { BATCH, RetentionRepository } from './retention.repository.js';

/** Deletes notifications beyond each account's newest 5,000, and those older than a year, and requests without any (threat D7). */
@Injectable()
export class RetentionService {
  constructor(private readonly notifications: RetentionRepository) {}

  @Recurs({ job: 'notifications.trim', everyMinutes: DAILY })
  async trim(): Promise<void> {
    await inBatches(() => this.notifications.dropOld());
    await this.notifications.dropEmptyRequests();
    for (let after: string = FIRST_ID; ;) {
      const receivers = await this.notifications.overlong(after);
      for (const receiver of receivers) await inBatches(() => this.notifications.trim(receiver));
      const last = receivers.at(-1);
      if (last === undefined) return;
      after = last;
    }
  }
}

/** Repeats the removal while batches are full. */
async function inBatches(remove: () => Promise<number>): Promise<void> {
  for (let removed = BATCH; removed === BATCH;) removed = await remove();
}
