import { BooleanLike, Describe, FlagMap, Invalid, Nested, OneOf, RequiredText } from '../../common/index.js';
import { PUSH_POLICIES, type PushPolicy } from './push-subscription.entity.js';
import type { PushChoice, PushTarget } from './push-subscriptions.service.js';

class PushKeysBody {
  @Describe('The public key of the receiver (RFC 8291).')
  @RequiredText({ max: 200 })
  p256dh: string;
  @Describe('The secret of the receiver (RFC 8291).')
  @RequiredText({ max: 200 })
  auth: string;
}

class PushTargetBody {
  @Describe('The address of the push service.')
  @RequiredText({ max: 2048 })
  endpoint: string;
  @Describe('The keys that encrypt messages.')
  @Nested(() => PushKeysBody)
  keys?: PushKeysBody;
  @Describe('Whether to encrypt by RFC 8291 instead of its draft.')
  @BooleanLike()
  standard?: boolean;
}

export class PushDataBody {
  @Describe('Whether to push each type of notification, by its name.')
  @FlagMap()
  alerts?: ReadonlyMap<string, boolean>;
  @Describe('Whose notifications are pushed.')
  @OneOf(PUSH_POLICIES)
  policy?: PushPolicy;
}

export class PushChangesBody {
  @Describe('Which notifications are pushed.')
  @Nested(() => PushDataBody)
  data?: PushDataBody;
  @Describe('Another place of `data.policy`.')
  @OneOf(PUSH_POLICIES)
  policy?: PushPolicy;

  choice(): PushChoice {
    const { alerts, policy = this.policy } = this.data ?? {};
    return { alerts, policy };
  }
}

export class PushSubscriptionBody extends PushChangesBody {
  @Describe('Where messages go.')
  @Nested(() => PushTargetBody)
  subscription?: PushTargetBody;

  /** @throws Invalid when a part is missing */
  target(): PushTarget {
    if (!this.subscription) throw new Invalid('subscription is missing');
    const { endpoint, keys, standard } = this.subscription;
    if (!keys) throw new Invalid('subscription.keys is missing');
    return { endpoint, p256dh: keys.p256dh, auth: keys.auth, standard };
  }
}
