import { type Static, Type } from 'typebox';
import { DateTime, DecimalId, Described, FlakeId, Nullable } from '../../common/index.js';

/** Where a filter applies (reference Filter: `context`). */
export const FILTER_PLACES = ['home', 'notifications', 'public', 'thread', 'account'] as const;
export type FilterPlace = (typeof FILTER_PLACES)[number];

/** The action for posts that a filter matches. The server hides posts; apps do the rest. */
export const FILTER_ACTIONS = ['warn', 'hide', 'blur'] as const;
export type FilterAction = (typeof FILTER_ACTIONS)[number];

const closed = { additionalProperties: false } as const;

/** The members of a filter inside other entities: without its words and posts. */
export const filterMembers = {
  id: Described(DecimalId, 'The id of the filter.'),
  title: Described(Type.String(), 'The name of the filter.'),
  context: Described(Type.Array(Type.Enum([...FILTER_PLACES])), 'Where the filter works.'),
  expires_at: Described(Nullable(DateTime), 'When the filter ends; null for never.'),
  filter_action: Described(Type.Enum([...FILTER_ACTIONS]), 'What happens to a match.'),
};

/** Why a filter of the viewer matches a post (reference FilterResult). */
export const FilterResultShape = Type.Object(
  {
    filter: Described(Type.Object(filterMembers, closed), 'The filter.'),
    keyword_matches: Described(Nullable(Type.Array(Type.String())), 'The words that match; null for none.'),
    status_matches: Described(Nullable(Type.Array(FlakeId)), 'The ids of posts that match; null for none.'),
  },
  { ...closed, title: 'FilterResult' },
);

export type FilterResultJson = Static<typeof FilterResultShape>;
