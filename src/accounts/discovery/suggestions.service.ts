import { Injectable } from '@nestjs/common';
import type { AccountCounts } from '../model/account.rows.js';
import { SuggestionRepository } from './suggestion.repository.js';

/** Accounts that the staff suggests to follow (spec §3.2). */
@Injectable()
export class SuggestionsService {
  constructor(private readonly repository: SuggestionRepository) {}

  /** Suggestions without accounts that the viewer follows, hides, dismissed or could not follow. */
  list(viewerId: string, limit: number): Promise<AccountCounts[]> {
    return this.repository.list(viewerId, limit);
  }

  /** Dismisses a suggestion for the viewer until the account is suggested again. Ignores other accounts. */
  dismiss(accountId: string, targetId: string): Promise<void> {
    return this.repository.dismiss(accountId, targetId);
  }

  /** Suggests an account to all viewers, for the staff. */
  suggest(accountId: string): Promise<void> {
    return this.repository.add(accountId);
  }

  /** Removes a suggestion and its dismissals. */
  unsuggest(accountId: string): Promise<void> {
    return this.repository.remove(accountId);
  }
}
