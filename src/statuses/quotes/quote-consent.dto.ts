import { Describe, OptionalText, Unprocessable } from '../../common/index.js';
import { quotePolicyNamed, type QuotePolicyName } from '../model/quote-policy.js';

const WORD_LENGTH = 255;

/** `PUT /api/v1/statuses/:id/interaction_policy`. */
export class InteractionPolicyBody {
  @Describe('Who may quote the post: `public`, `followers` or `nobody`.')
  @OptionalText({ max: WORD_LENGTH })
  quote_approval_policy?: string;

  /** @throws Unprocessable for an unknown policy, and for none */
  policy(): QuotePolicyName {
    const policy = quotePolicyNamed(this.quote_approval_policy);
    if (policy === undefined) throw new Unprocessable('quote_approval_policy is missing');
    return policy;
  }
}
