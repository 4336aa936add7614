import { type Static, Type } from 'typebox';
import { DateTime, DecimalId, FlakeId, Nullable } from '../../common/index.js';
import { FILTER_PLACES, filterMembers } from '../../statuses/index.js';

const closed = { additionalProperties: false } as const;

/** A word of a filter (reference FilterKeyword). */
export const FilterKeywordShape = Type.Object(
  { id: DecimalId, keyword: Type.String({ minLength: 1 }), whole_word: Type.Boolean() },
  { ...closed, title: 'FilterKeyword' },
);

/** A post of a filter (reference FilterStatus). */
export const FilterStatusShape = Type.Object(
  { id: DecimalId, status_id: FlakeId },
  { ...closed, title: 'FilterStatus' },
);

/** A filter of an account (reference Filter). */
export const FilterShape = Type.Object(
  { ...filterMembers, keywords: Type.Array(FilterKeywordShape), statuses: Type.Array(FilterStatusShape) },
  { ...closed, title: 'Filter' },
);

/** A filter of API v1 (reference V1::Filter): one word. */
export const FilterV1Shape = Type.Object(
  {
    id: DecimalId,
    phrase: Type.String({ minLength: 1 }),
    context: Type.Array(Type.Enum([...FILTER_PLACES])),
    whole_word: Type.Boolean(),
    expires_at: Nullable(DateTime),
    irreversible: Type.Boolean(),
  },
  { ...closed, title: 'FilterV1' },
);

export type FilterJson = Static<typeof FilterShape>;
export type FilterKeywordJson = Static<typeof FilterKeywordShape>;
export type FilterStatusJson = Static<typeof FilterStatusShape>;
export type FilterV1Json = Static<typeof FilterV1Shape>;
