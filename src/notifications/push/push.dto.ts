import { BooleanLike, FlagMap, Invalid, Nested, OneOf, RequiredText } from '../../common/index.js';
import { PUSH_POLICIES, type PushPolicy } from './push-subscription.entity.js';
import type { PushChoice, PushTarget } from './push-subscriptions.service.js';

class PushKeysInput {
  @RequiredText({ max: 200 }) p256dh: string;
  @RequiredText({ max: 200 }) auth: string;
}

class PushTargetInput {
  @RequiredText({ max: 2048 }) endpoint: string;
  @Nested(() => PushKeysInput) keys?: PushKeysInput;
  @BooleanLike() standard?: boolean;
}

export class PushDataInput {
  @FlagMap() alerts?: ReadonlyMap<string, boolean>;
  @OneOf(PUSH_POLICIES) policy?: PushPolicy;
}

/** What a subscription can be changed by. */
export class PushChangeInput {
  @Nested(() => PushDataInput) data?: PushDataInput;
  /** Where some apps put it. */
  @OneOf(PUSH_POLICIES) policy?: PushPolicy;

  choice(): PushChoice {
    const { alerts, policy = this.policy } = this.data ?? {};
    return { alerts, policy };
  }
}

export class PushInput extends PushChangeInput {
  @Nested(() => PushTargetInput) subscription?: PushTargetInput;

  /** Throws Invalid when it is not all there. */
  target(): PushTarget {
    if (!this.subscription) throw new Invalid('subscription is missing');
    const { endpoint, keys, standard } = this.subscription;
    if (!keys) throw new Invalid('subscription.keys is missing');
    return { endpoint, p256dh: keys.p256dh, auth: keys.auth, standard };
  }
}
