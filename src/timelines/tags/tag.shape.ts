import { type Static, Type } from 'typebox';
import { DecimalId } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
/** A number as a string, as in the reference. */
const Digits = Type.String({ pattern: String.raw`^\d+$` });

/** A hashtag (reference Tag). */
export const TagShape = Type.Object(
  {
    id: DecimalId,
    name: Type.String({ minLength: 1 }),
    url: Type.String({ minLength: 1 }),
    /** The last seven days, today first; `day` is the Unix time of the start of the day. */
    history: Type.Array(Type.Object({ day: Digits, uses: Digits, accounts: Digits }, closed), {
      minItems: 7,
      maxItems: 7,
    }),
    following: Type.Boolean(),
    /** Hashtags cannot be featured here. */
    featuring: Type.Literal(false),
  },
  { ...closed, title: 'Tag' },
);

export type TagJson = Static<typeof TagShape>;
