import { Injectable } from '@nestjs/common';
import { Handles } from '../../platform/index.js';
import type { Effect } from '../policies/policy.js';
import { ActOnStatus, PolicyEffectsService } from './policy-effects.service.js';

/** Does what policies want besides storing a post. */
@Injectable()
export class PolicyEffectsJobs {
  constructor(private readonly effects: PolicyEffectsService) {}

  @Handles(ActOnStatus)
  async onEffect(effect: Effect): Promise<void> {
    await this.effects.act(effect);
  }
}
