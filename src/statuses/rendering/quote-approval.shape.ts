import { type Static, Type } from 'typebox';

const Parties = Type.Array(Type.Enum(['public', 'followers', 'unsupported_policy']));

/** Who may quote a post, and whether the viewer may (reference QuoteApproval). */
export const QuoteApprovalShape = Type.Object(
  { automatic: Parties, manual: Parties, current_user: Type.Enum(['automatic', 'manual', 'denied', 'unknown']) },
  { additionalProperties: false, title: 'QuoteApproval' },
);

export type QuoteApprovalJson = Static<typeof QuoteApprovalShape>;
