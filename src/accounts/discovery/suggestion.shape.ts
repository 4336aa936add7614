import { type Static, Type } from 'typebox';
import { AccountShape } from '../model/account.shape.js';

/** Somebody to follow, and who says so (reference Suggestion, second version). */
export const SuggestionShape = Type.Object(
  { source: Type.Literal('staff'), account: AccountShape },
  { additionalProperties: false, title: 'Suggestion' },
);

export type SuggestionJson = Static<typeof SuggestionShape>;
