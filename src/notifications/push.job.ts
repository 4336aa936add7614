import { Injectable } from '@nestjs/common';
import { Handles, type Outcome } from '../platform/index.js';
import { PushDelivery } from './push-delivery.service.js';
import { SEND_PUSH, type SendPush } from './push-queue.service.js';

/** Hands pushes to their push services, each retried alone. */
@Injectable()
export class PushJob {
  constructor(private readonly delivery: PushDelivery) {}

  @Handles(SEND_PUSH)
  send({ subscriptionId, notificationId }: SendPush): Promise<Outcome> {
    return this.delivery.send({ subscription_id: subscriptionId, notification_id: notificationId });
  }
}
