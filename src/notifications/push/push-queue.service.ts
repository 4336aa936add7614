import { Injectable } from '@nestjs/common';
import { job, Jobs } from '../../platform/index.js';
import { PushSubscriptionRepository } from './push-subscription.repository.js';
import type { CreatedNotification } from '../model/notification.types.js';

export interface SendPush {
  readonly subscriptionId: string;
  readonly notificationId: string;
}

export const SEND_PUSH = job<SendPush>('push.send', 'push');

/** Enqueues pushes. */
@Injectable()
export class PushQueueService {
  constructor(
    private readonly jobs: Jobs,
    private readonly subscriptions: PushSubscriptionRepository,
  ) {}

  /**
   * Enqueues a job for each subscription that wants one of the notifications, in the unit of work that created them.
   * Notifications created as seen are not pushed.
   */
  async add(created: readonly CreatedNotification[]): Promise<void> {
    const unseen = created.filter(({ seen }) => !seen);
    if (unseen.length === 0) return;
    for (const { subscriptionId, notificationId } of await this.subscriptions.due(unseen)) {
      this.jobs.enqueue(SEND_PUSH, { subscriptionId, notificationId });
    }
  }
}
