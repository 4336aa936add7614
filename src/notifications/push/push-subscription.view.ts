import { Injectable } from '@nestjs/common';
import { brandKey } from '../../common/index.js';
import { Settings, VapidKeys } from '../../config/index.js';
import { Brand } from '../../platform/index.js';
import { PUSH_ALERTS } from './push.types.js';
import type { PushSubscriptionRow } from './push-subscription.repository.js';
import type { PushSubscriptionJson } from './push-subscription.shape.js';
import { isStandard } from './push-message.js';

/** A subscription as its app sees it (spec §2.6). */
@Injectable()
export class PushSubscriptionView {
  constructor(
    private readonly brand: Brand,
    private readonly settings: Settings,
    private readonly vapid: VapidKeys,
  ) {}

  async one(row: PushSubscriptionRow): Promise<PushSubscriptionJson> {
    const on = new Set(row.alerts);
    return {
      id: row.id,
      endpoint: row.endpoint,
      standard: isStandard(row, this.settings),
      server_key: await this.vapid.publicKey(),
      policy: row.policy,
      alerts: Object.fromEntries(PUSH_ALERTS.map((type) => [brandKey(this.brand.word, type), on.has(type)])),
    };
  }
}
