import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';
import type { AccountRow } from '../model/account.rows.js';

/** Finds accounts by handle or address. */
export interface AccountResolver {
  /**
   * The account with a handle (`name@domain`, also with `@` or `acct:` before it) or an address (its actor id, or the
   * address of its page), local ones included. Undefined when there is none or it cannot be fetched.
   */
  resolve(handleOrUri: string): Promise<AccountRow | undefined>;
}

/**
 * Finds accounts that may be remote and not stored yet. Federation does it, which stands to the right of accounts:
 * hence this port, filled when the federation module starts. Never inside a unit of work.
 */
@Injectable()
export class RemoteAccounts extends Port<AccountResolver> implements AccountResolver {
  resolve(handleOrUri: string): Promise<AccountRow | undefined> {
    return this.filler().resolve(handleOrUri);
  }
}
