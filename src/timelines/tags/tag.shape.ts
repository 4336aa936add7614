import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;
/** A number as a string, as in the reference. */
const Digits = Type.String({ pattern: String.raw`^\d+$` });

/** A hashtag (reference Tag). */
export const TagShape = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    url: Type.String({ minLength: 1 }),
    /** The last seven days, today first; `day` is the Unix time of the start of the day. */
    history: Type.Array(Type.Object({ day: Digits, uses: Digits, accounts: Digits }, closed), {
      minItems: 7,
      maxItems: 7,
    }),
    following: Type.Boolean(),
  },
  { ...closed, title: 'Tag' },
);

export type TagJson = Static<typeof TagShape>;
