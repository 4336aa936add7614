import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Finds the account that a path names. */
export interface AccountNames {
  /** The id of the account with an id or `nickname[@domain]`; undefined for an unknown one. */
  idOf(idOrNickname: string): Promise<string | undefined>;
}

/**
 * Finds the target of a limited action: an account is one target in every spelling. Accounts stand to the right of
 * common, hence this port, filled when their module starts.
 */
@Injectable()
export class RateLimitTargets extends Port<AccountNames> implements AccountNames {
  idOf(idOrNickname: string): Promise<string | undefined> {
    return this.filler().idOf(idOrNickname);
  }
}
