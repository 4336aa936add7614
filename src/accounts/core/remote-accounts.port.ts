import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';
import type { AccountRow } from '../model/account.rows.js';

/** How an account is found. */
export interface ResolveOptions {
  /** Whether the server of a stored account is asked once more; otherwise the stored copy counts. */
  readonly fresh?: boolean;
}

/** Finds accounts by handle or address. */
export interface AccountResolver {
  /**
   * The account with a handle (`name@domain`, also with `@` or `acct:` before it) or an address (its actor id, or the
   * address of its page), local ones included. Undefined when there is none or it cannot be fetched. A copy on a server
   * that nothing is fetched from is returned as it is stored.
   * @throws Unavailable when a stored account is asked for once more and its server does not answer
   */
  resolve(handleOrUri: string, options?: ResolveOptions): Promise<AccountRow | undefined>;
}

/**
 * Finds accounts that may be remote and not stored yet. Federation does it, which stands to the right of accounts:
 * hence this port, filled when the federation module starts. Never inside a unit of work.
 */
@Injectable()
export class RemoteAccounts extends Port<AccountResolver> implements AccountResolver {
  resolve(handleOrUri: string, options?: ResolveOptions): Promise<AccountRow | undefined> {
    return this.filler().resolve(handleOrUri, options);
  }
}
