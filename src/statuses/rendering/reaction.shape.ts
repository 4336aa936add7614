import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

const reaction = {
  name: Type.String({ minLength: 1 }),
  count: Type.Integer({ minimum: 1 }),
  me: Type.Boolean(),
  /** Of a custom emoji's picture, as long as it is to be had. */
  url: Nullable(Type.String({ pattern: String.raw`^https?://\S+$` })),
};

/** How many put an emoji under a status (spec §2.3). */
export const ReactionCountShape = Type.Object(reaction, closed);

/** And who: the first of them, when they are many (spec §4.2). */
export const ReactionShape = Type.Object({ ...reaction, accounts: Type.Array(AccountShape) }, closed);

export type ReactionCountJson = Static<typeof ReactionCountShape>;
