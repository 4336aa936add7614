import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { Described, Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

const reaction = {
  name: Described(Type.String({ minLength: 1 }), 'The emoji, or the name of a custom one.'),
  count: Described(Type.Integer({ minimum: 1 }), 'The number of accounts that reacted with it.'),
  me: Described(Type.Boolean(), 'Whether the caller did.'),
  /** The image of a custom emoji; null when it is not available. */
  url: Described(
    Nullable(Type.String({ pattern: String.raw`^https?://\S+$` })),
    'The address of the picture of a custom emoji; null for another one, or if there is no picture.',
  ),
};

/** The number of reactions with one emoji (spec §2.3). */
export const ReactionCountShape = Type.Object(reaction, closed);

/** The same with the accounts that reacted, up to a maximum (spec §4.2). */
export const ReactionShape = Type.Object(
  { ...reaction, accounts: Described(Type.Array(AccountShape), 'The accounts that reacted with it.') },
  closed,
);

export type ReactionCountJson = Static<typeof ReactionCountShape>;
