import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Tells which account a path names. */
export interface AccountNames {
  /** The id of the account that is named by its id or as `nickname[@domain]`; undefined when nobody here is. */
  idOf(idOrNickname: string): Promise<string | undefined>;
}

/**
 * Whom a limited deed is done to: however an account is named, it is one target. Accounts stand to the right of common,
 * hence this port; their module fills it when it starts.
 */
@Injectable()
export class RateLimitTargets extends Port<AccountNames> implements AccountNames {
  idOf(idOrNickname: string): Promise<string | undefined> {
    return this.filler().idOf(idOrNickname);
  }
}
