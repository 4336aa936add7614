import { Injectable } from '@nestjs/common';
import { Json } from '../../common/index.js';
import type { AccountCounts } from '../model/account.rows.js';
import { AccountView, type ViewContext } from '../rendering/account.view.js';
import type { SuggestionJson } from './suggestion.shape.js';

/** Suggestions as JSON (reference Suggestion, second version). */
@Injectable()
export class SuggestionView {
  constructor(private readonly accounts: AccountView) {}

  async many(rows: readonly AccountCounts[], context: ViewContext): Promise<Json[]> {
    const source: SuggestionJson['source'] = 'staff';
    return (await this.accounts.list(rows, context)).map((account) => Json.object({ source, account }));
  }
}
