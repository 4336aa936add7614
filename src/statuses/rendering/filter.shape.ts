import { type Static, Type } from 'typebox';
import { DateTime, DecimalId, FlakeId, Nullable } from '../../common/index.js';

/** Where a filter applies (reference Filter: `context`). */
export const FILTER_PLACES = ['home', 'notifications', 'public', 'thread', 'account'] as const;
export type FilterPlace = (typeof FILTER_PLACES)[number];

/** The action for posts that a filter matches. The server hides posts; apps do the rest. */
export const FILTER_ACTIONS = ['warn', 'hide', 'blur'] as const;
export type FilterAction = (typeof FILTER_ACTIONS)[number];

const closed = { additionalProperties: false } as const;

/** The members of a filter inside other entities: without its words and posts. */
export const filterMembers = {
  id: DecimalId,
  title: Type.String(),
  context: Type.Array(Type.Enum([...FILTER_PLACES])),
  expires_at: Nullable(DateTime),
  filter_action: Type.Enum([...FILTER_ACTIONS]),
};

/** Why a filter of the viewer matches a post (reference FilterResult). */
export const FilterResultShape = Type.Object(
  {
    filter: Type.Object(filterMembers, closed),
    keyword_matches: Nullable(Type.Array(Type.String())),
    status_matches: Nullable(Type.Array(FlakeId)),
  },
  { ...closed, title: 'FilterResult' },
);

export type FilterResultJson = Static<typeof FilterResultShape>;
