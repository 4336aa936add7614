import { type Static, Type } from 'typebox';
import { AccountShape } from '../model/account.shape.js';

/** An account to follow, and the source of the suggestion (reference Suggestion, second version). */
export const SuggestionShape = Type.Object(
  { source: Type.Literal('staff'), account: AccountShape },
  { additionalProperties: false, title: 'Suggestion' },
);

export type SuggestionJson = Static<typeof SuggestionShape>;
