import { type Static, Type } from 'typebox';
import { DateTime, FlakeId, Nullable } from '../../common/index.js';

/** The viewer's relationship to another account (spec §2.2, reference Relationship). */
export const RelationshipShape = Type.Object(
  {
    id: FlakeId,
    following: Type.Boolean(),
    followed_by: Type.Boolean(),
    blocking: Type.Boolean(),
    blocked_by: Type.Boolean(),
    block_expires_at: Nullable(DateTime),
    muting: Type.Boolean(),
    muting_notifications: Type.Boolean(),
    muting_expires_at: Nullable(DateTime),
    requested: Type.Boolean(),
    requested_by: Type.Boolean(),
    domain_blocking: Type.Boolean(),
    showing_reblogs: Type.Boolean(),
    notifying: Type.Boolean(),
    subscribing: Type.Boolean(),
    endorsed: Type.Boolean(),
    note: Type.String(),
    languages: Nullable(Type.Array(Type.String())),
  },
  { additionalProperties: false, title: 'Relationship' },
);

export type RelationshipJson = Static<typeof RelationshipShape>;
