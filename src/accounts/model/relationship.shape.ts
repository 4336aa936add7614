import { type Static, Type } from 'typebox';
import { DateTime, Described, FlakeId, Nullable } from '../../common/index.js';

/** The viewer's relationship to another account (spec §2.2, reference Relationship). */
export const RelationshipShape = Type.Object(
  {
    id: Described(FlakeId, 'The id of the other account.'),
    following: Described(Type.Boolean(), 'Whether the caller follows the account.'),
    followed_by: Described(Type.Boolean(), 'Whether the account follows the caller.'),
    blocking: Described(Type.Boolean(), 'Whether the caller blocks the account.'),
    blocked_by: Described(Type.Boolean(), 'Whether the account blocks the caller.'),
    block_expires_at: Described(Nullable(DateTime), 'When the block ends; null for no end.'),
    muting: Described(Type.Boolean(), 'Whether the caller mutes the account.'),
    muting_notifications: Described(Type.Boolean(), 'Whether the mute includes notifications.'),
    muting_expires_at: Described(Nullable(DateTime), 'When the mute ends; null for no end.'),
    requested: Described(Type.Boolean(), 'Whether the caller asks to follow the account.'),
    requested_by: Described(Type.Boolean(), 'Whether the account asks to follow the caller.'),
    domain_blocking: Described(Type.Boolean(), 'Whether the caller blocks the domain of the account.'),
    showing_reblogs: Described(Type.Boolean(), 'Whether the home timeline shows reblogs of the account.'),
    notifying: Described(Type.Boolean(), 'Whether each post of the account notifies the caller.'),
    subscribing: Described(Type.Boolean(), 'The older name of `notifying`.'),
    endorsed: Described(Type.Boolean(), 'Whether the caller features the account on the profile.'),
    note: Described(Type.String(), "The caller's private note about the account."),
    languages: Described(
      Nullable(Type.Array(Type.String())),
      'The languages of the posts on the home timeline; null for all.',
    ),
  },
  { additionalProperties: false, title: 'Relationship' },
);

export type RelationshipJson = Static<typeof RelationshipShape>;
