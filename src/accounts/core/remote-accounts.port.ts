import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';
import type { AccountRow } from '../model/account.rows.js';

/** Finds accounts by what people call them. */
export interface AccountResolver {
  /**
   * The account with a handle (`name@domain`, also with `@` or `acct:` before it) or an address (its id as an actor, or the
   * address of its page), one of ours included; undefined when there is none or it cannot be had.
   */
  resolve(handleOrUri: string): Promise<AccountRow | undefined>;
}

/**
 * Accounts that may live on other servers and need not be known here yet. Asking for them is what federation can, which
 * stands to the right of accounts, hence this port; its module fills it when it starts. Never inside a unit of work.
 */
@Injectable()
export class RemoteAccounts extends Port<AccountResolver> implements AccountResolver {
  resolve(handleOrUri: string): Promise<AccountRow | undefined> {
    return this.filler().resolve(handleOrUri);
  }
}
