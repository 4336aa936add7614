import { Injectable } from '@nestjs/common';
import { type AccountCounts, type AccountRow, AccountsService, isActive, RemoteAccounts } from '../accounts/index.js';
import { isBlank } from '../common/index.js';
import { AnonymousAccess, type ListedProfiles } from '../config/index.js';
import { AccountSearchRepository } from './account-search.repository.js';
import { accountPatterns } from './patterns.js';

/** A search for accounts. */
export interface AccountCriteria {
  /** Part of a name, a handle, or an address. */
  readonly q: string;
  readonly limit: number;
  readonly offset: number;
  /** Returns only accounts that the viewer follows. */
  readonly following: boolean;
  /** Whether a remote server may be asked for a handle or an address; for signed-in viewers only. */
  readonly resolve: boolean;
}

const ELSEWHERE = /^(https?:\/\/|(acct:)?[@!]?[^\s@]+@[^\s@]+\.)/i;

/** Finds accounts by name, handle or address (threats V4, V10, V15). */
@Injectable()
export class AccountSearchService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly remote: RemoteAccounts,
    private readonly repository: AccountSearchRepository,
    private readonly anonymous: AnonymousAccess,
  ) {}

  /**
   * Lists the account with exactly this handle or address first. Leaves out the other accounts that block the viewer or
   * that the viewer blocks, all inactive accounts and, for visitors, profiles that are for members only. Not inside a
   * unit of work.
   */
  async find(query: AccountCriteria, viewerId = ''): Promise<AccountCounts[]> {
    const text = query.q.trim();
    if (isBlank(text)) return [];
    const listed = this.anonymous.listedProfiles(viewerId);
    const exact = query.following ? undefined : await this.exact(text, query.resolve && viewerId !== '', listed);
    const patterns = accountPatterns(text);
    const before = exact && query.offset === 0 ? [exact] : [];
    if (!patterns) return before;
    const others = await this.repository.search({
      ...patterns,
      viewerId,
      following: query.following,
      listed,
      exceptId: exact?.id ?? '',
      limit: query.limit - before.length,
      offset: exact && query.offset > 0 ? query.offset - 1 : query.offset,
    });
    return [...before, ...others];
  }

  private async exact(text: string, mayAsk: boolean, listed: ListedProfiles): Promise<AccountRow | undefined> {
    const isElsewhere = mayAsk && ELSEWHERE.test(text);
    const row = await (isElsewhere ? this.remote.resolve(text) : this.accounts.stored(text));
    const isListed = row?.domain === null ? listed.here : listed.elsewhere;
    return row && isListed && isActive(row) ? row : undefined;
  }
}
