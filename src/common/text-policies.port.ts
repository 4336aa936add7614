import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';

export interface LocalTextPolicies {
  /**
   * Checks texts for others that are no posts against the policies of this server: a profile, the description of a file, a
   * shout. Texts of a person without an account yet come without its id.
   * @throws Unprocessable when a policy refuses one
   */
  requireAccepted(texts: readonly string[], accountId?: string): Promise<void>;
}

/** Applies the policies to texts of people of this server that are no posts. Federation fills the port. */
@Injectable()
export class TextPolicies extends Port<LocalTextPolicies> implements LocalTextPolicies {
  requireAccepted(texts: readonly string[], accountId?: string): Promise<void> {
    return this.filler().requireAccepted(texts, accountId);
  }
}
