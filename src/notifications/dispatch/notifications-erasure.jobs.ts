import { Injectable } from '@nestjs/common';
import { AccountDeleted } from '../../accounts/index.js';
import { OwnedRows, Subscribes } from '../../platform/index.js';

/** Removes the notifications from and to of deleted accounts. */
@Injectable()
export class NotificationsErasureJobs {
  constructor(private readonly rows: OwnedRows) {}

  @Subscribes(AccountDeleted, { job: 'notifications.erase', queue: 'maintenance' })
  async onDeleted({ accountId }: AccountDeleted): Promise<void> {
    await this.rows.removeAll(accountId, [
      'notifications.receiver_id',
      'notifications.from_id',
      'notifications.target_id',
      'markers.account_id',
      'push_subscriptions.account_id',
    ]);
  }
}
