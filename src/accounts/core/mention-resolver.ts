import { handleKey, type ResolvedMention } from '../../common/index.js';
import type { AccountRow } from '../model/account.rows.js';
import type { Handle } from '../model/nickname.js';

/** Finds accounts by the handles in a text; the accounts are loaded beforehand. */
export class MentionResolver {
  private readonly byHandle = new Map<string, ResolvedMention>();

  /** A handle with one of our own domains names a local account. */
  constructor(
    accounts: readonly AccountRow[],
    private readonly ownDomains: readonly string[],
  ) {
    for (const { id, nickname, domain, url, apId } of accounts) {
      this.byHandle.set(handleKey({ username: nickname, domain: domain ?? undefined }), {
        accountId: id,
        url: url ?? apId,
        username: nickname,
      });
    }
  }

  mention({ username, domain }: Handle): ResolvedMention | undefined {
    const isOurs = domain === undefined || this.ownDomains.includes(domain);
    return this.byHandle.get(handleKey({ username, domain: isOurs ? undefined : domain }));
  }
}
