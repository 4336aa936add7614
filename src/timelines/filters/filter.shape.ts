import { type Static, Type } from 'typebox';
import { DateTime, DecimalId, Described, FlakeId, Nullable } from '../../common/index.js';
import { FILTER_PLACES, filterMembers } from '../../statuses/index.js';

const closed = { additionalProperties: false } as const;

/** A word of a filter (reference FilterKeyword). */
export const FilterKeywordShape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the word.'),
    keyword: Described(Type.String({ minLength: 1 }), 'The word or phrase.'),
    whole_word: Described(Type.Boolean(), 'Whether only whole words match.'),
  },
  { ...closed, title: 'FilterKeyword' },
);

/** A post of a filter (reference FilterStatus). */
export const FilterStatusShape = Type.Object(
  { id: Described(DecimalId, 'The id of the entry.'), status_id: Described(FlakeId, 'The id of the post.') },
  { ...closed, title: 'FilterStatus' },
);

/** A filter of an account (reference Filter). */
export const FilterShape = Type.Object(
  {
    ...filterMembers,
    keywords: Described(Type.Array(FilterKeywordShape), 'The words of the filter.'),
    statuses: Described(Type.Array(FilterStatusShape), 'The posts of the filter.'),
  },
  { ...closed, title: 'Filter' },
);

/** A filter of API v1 (reference V1::Filter): one word. */
export const FilterV1Shape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the word.'),
    phrase: Described(Type.String({ minLength: 1 }), 'The word or phrase.'),
    context: Described(Type.Array(Type.Enum([...FILTER_PLACES])), 'Where the filter works.'),
    whole_word: Described(Type.Boolean(), 'Whether only whole words match.'),
    expires_at: Described(Nullable(DateTime), 'When the filter ends; null for never.'),
    irreversible: Described(Type.Boolean(), 'Whether matching posts are left out.'),
  },
  { ...closed, title: 'FilterV1' },
);

export type FilterJson = Static<typeof FilterShape>;
export type FilterKeywordJson = Static<typeof FilterKeywordShape>;
export type FilterStatusJson = Static<typeof FilterStatusShape>;
export type FilterV1Json = Static<typeof FilterV1Shape>;
