import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

const reaction = {
  name: Type.String({ minLength: 1 }),
  count: Type.Integer({ minimum: 1 }),
  me: Type.Boolean(),
  /** The image of a custom emoji; null when it is not available. */
  url: Nullable(Type.String({ pattern: String.raw`^https?://\S+$` })),
};

/** The number of reactions with one emoji (spec §2.3). */
export const ReactionCountShape = Type.Object(reaction, closed);

/** The same with the accounts that reacted, up to a maximum (spec §4.2). */
export const ReactionShape = Type.Object({ ...reaction, accounts: Type.Array(AccountShape) }, closed);

export type ReactionCountJson = Static<typeof ReactionCountShape>;
