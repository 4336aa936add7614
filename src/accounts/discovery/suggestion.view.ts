import { Injectable } from '@nestjs/common';
import { type Static, Type } from 'typebox';
import { Described, Json } from '../../common/index.js';
import type { AccountCounts } from '../model/account.rows.js';
import { AccountShape } from '../model/account.shape.js';
import { AccountView, type ViewContext } from '../rendering/account.view.js';

/** An account to follow, and the source of the suggestion (reference Suggestion, second version). */
export const SuggestionShape = Type.Object(
  {
    source: Described(Type.Literal('staff'), 'Where the suggestion comes from: always the staff.'),
    account: Described(AccountShape, 'The suggested account.'),
  },
  { additionalProperties: false, title: 'Suggestion' },
);

export type SuggestionJson = Static<typeof SuggestionShape>;

/** Suggestions as JSON (reference Suggestion, second version). */
@Injectable()
export class SuggestionView {
  constructor(private readonly accounts: AccountView) {}

  async many(rows: readonly AccountCounts[], context: ViewContext): Promise<Json[]> {
    const source: SuggestionJson['source'] = 'staff';
    return (await this.accounts.list(rows, context)).map((account) => Json.object({ source, account }));
  }
}
