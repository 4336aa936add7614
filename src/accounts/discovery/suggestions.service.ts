import { Injectable } from '@nestjs/common';
import type { AccountCounts } from '../model/account.rows.js';
import { SuggestionRepository } from './suggestion.repository.js';

/** Whom the staff suggests to follow (spec §3.2). */
@Injectable()
export class SuggestionsService {
  constructor(private readonly repository: SuggestionRepository) {}

  /** Suggestions for somebody: nobody they follow, hide, were asked about and declined, or could not follow. */
  list(viewerId: string, limit: number): Promise<AccountCounts[]> {
    return this.repository.list(viewerId, limit);
  }

  /** Does not suggest the account to them again, until it is suggested anew. Nothing happens when it was not suggested. */
  dismiss(accountId: string, targetId: string): Promise<void> {
    return this.repository.dismiss(accountId, targetId);
  }

  /** Suggests an account to everybody, for the staff. */
  suggest(accountId: string): Promise<void> {
    return this.repository.add(accountId);
  }

  /** Takes a suggestion back, and forgets who dismissed it. */
  unsuggest(accountId: string): Promise<void> {
    return this.repository.remove(accountId);
  }
}
