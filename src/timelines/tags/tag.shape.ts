import { type Static, Type } from 'typebox';
import { DecimalId, Described } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
/** A number as a string, as in the reference. */
const Digits = Type.String({ pattern: String.raw`^\d+$` });

/** A hashtag (reference Tag). */
export const TagShape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the hashtag.'),
    name: Described(Type.String({ minLength: 1 }), 'The hashtag, without `#`.'),
    url: Described(Type.String({ minLength: 1 }), 'The address of its page.'),
    /** The last seven days, today first; `day` is the Unix time of the start of the day. */
    history: Described(
      Type.Array(
        Type.Object(
          {
            day: Described(Digits, 'The day, as Unix time of its begin.'),
            uses: Described(Digits, 'The number of posts.'),
            accounts: Described(Digits, 'The number of authors.'),
          },
          closed,
        ),
        {
          minItems: 7,
          maxItems: 7,
        },
      ),
      'Its use in the last days.',
    ),
    following: Described(Type.Boolean(), 'Whether the caller follows it.'),
    /** Hashtags cannot be featured here. */
    featuring: Described(Type.Literal(false), 'Whether the caller features it: always false.'),
  },
  { ...closed, title: 'Tag' },
);

export type TagJson = Static<typeof TagShape>;
