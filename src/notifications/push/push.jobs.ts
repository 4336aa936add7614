import { Injectable } from '@nestjs/common';
import { TokenRenewed } from '../../oauth/index.js';
import { Handles, ListensAfterCommit, type Outcome } from '../../platform/index.js';
import { PushDeliveryService } from './push-delivery.service.js';
import { PushSubscriptionsService } from './push-subscriptions.service.js';
import { SEND_PUSH, type SendPush } from './push-queue.service.js';

/** Sends pushes, each retried alone, and stores renewed tokens for them. */
@Injectable()
export class PushJobs {
  constructor(
    private readonly delivery: PushDeliveryService,
    private readonly subscriptions: PushSubscriptionsService,
  ) {}

  @Handles(SEND_PUSH)
  send({ subscriptionId, notificationId }: SendPush): Promise<Outcome> {
    return this.delivery.send({ subscription_id: subscriptionId, notification_id: notificationId });
  }

  @ListensAfterCommit(TokenRenewed)
  async renew({ tokenId, accessToken }: TokenRenewed): Promise<void> {
    await this.subscriptions.renew({ tokenId, token: accessToken });
  }
}
