import { BooleanLike, FlagMap, Invalid, Nested, OneOf, RequiredText } from '../../common/index.js';
import { PUSH_POLICIES, type PushPolicy } from './push-subscription.entity.js';
import type { PushChoice, PushTarget } from './push-subscriptions.service.js';

class PushKeysBody {
  @RequiredText({ max: 200 }) p256dh: string;
  @RequiredText({ max: 200 }) auth: string;
}

class PushTargetBody {
  @RequiredText({ max: 2048 }) endpoint: string;
  @Nested(() => PushKeysBody) keys?: PushKeysBody;
  @BooleanLike() standard?: boolean;
}

export class PushDataBody {
  @FlagMap() alerts?: ReadonlyMap<string, boolean>;
  @OneOf(PUSH_POLICIES) policy?: PushPolicy;
}

export class PushChangesBody {
  @Nested(() => PushDataBody) data?: PushDataBody;
  /** Some apps put the policy here instead of in `data`. */
  @OneOf(PUSH_POLICIES) policy?: PushPolicy;

  choice(): PushChoice {
    const { alerts, policy = this.policy } = this.data ?? {};
    return { alerts, policy };
  }
}

export class PushSubscriptionBody extends PushChangesBody {
  @Nested(() => PushTargetBody) subscription?: PushTargetBody;

  /** @throws Invalid when a part is missing */
  target(): PushTarget {
    if (!this.subscription) throw new Invalid('subscription is missing');
    const { endpoint, keys, standard } = this.subscription;
    if (!keys) throw new Invalid('subscription.keys is missing');
    return { endpoint, p256dh: keys.p256dh, auth: keys.auth, standard };
  }
}
