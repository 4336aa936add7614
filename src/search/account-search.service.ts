import { Injectable } from '@nestjs/common';
import { type AccountCounts, type AccountRow, AccountsService, RemoteAccounts } from '../accounts/index.js';
import { isBlank } from '../common/index.js';
import { AnonymousAccess } from '../config/index.js';
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
   * Lists the account with exactly this handle or address first. Leaves out the other accounts that block the viewer, all
   * accounts that the viewer blocks, inactive ones, those of machines and, for visitors, profiles that are for members
   * only. Not inside a unit of work.
   */
  async find(query: AccountCriteria, viewerId = ''): Promise<AccountCounts[]> {
    const text = query.q.trim();
    if (isBlank(text)) return [];
    const exact = query.following ? undefined : await this.exact(text, query.resolve && viewerId !== '');
    const patterns = accountPatterns(text);
    if (!patterns && !exact) return [];
    return this.repository.search({
      patterns,
      viewerId,
      following: query.following,
      listed: this.anonymous.listedProfiles(viewerId),
      exactId: exact?.id ?? '',
      limit: query.limit,
      offset: query.offset,
    });
  }

  private exact(text: string, mayAsk: boolean): Promise<AccountRow | undefined> {
    const isElsewhere = mayAsk && ELSEWHERE.test(text);
    return isElsewhere ? this.remote.resolve(text) : this.accounts.stored(text);
  }
}
