import type { AccountRow } from '../accounts/index.js';
import type { Handle } from '../common/index.js';

/** Accounts that were loaded for some handles, to be found by them. */
export class KnownAccounts {
  private readonly byHandle = new Map<string, AccountRow>();

  /** A handle with one of our own domains names a local account. */
  constructor(
    accounts: readonly AccountRow[],
    private readonly ownDomains: readonly string[],
  ) {
    for (const account of accounts) this.byHandle.set(key(account.nickname, account.domain), account);
  }

  find({ username, domain }: Handle): AccountRow | undefined {
    const isOurs = domain === undefined || this.ownDomains.includes(domain);
    return this.byHandle.get(key(username, isOurs ? null : domain));
  }
}

function key(nickname: string, domain: string | null): string {
  return `${nickname}@${domain ?? ''}`.toLowerCase();
}
