import { type Static, Type } from 'typebox';
import { DateOnly, Described, Nullable } from '../../common/index.js';
import type { ListedInvite } from '../../sign-in/index.js';

const closed = { additionalProperties: false } as const;
const InviteType = Type.Enum(['one_time', 'reusable', 'date_limited', 'reusable_date_limited']);

/** An invite (spec §2.6). */
export const InviteShape = Type.Object(
  {
    id: Described(Type.Integer(), 'The id of the invite.'),
    token: Described(Type.String(), 'The token that a registration names: a secret.'),
    used: Described(Type.Boolean(), 'Whether the invite is used up or revoked.'),
    expires_at: Described(Nullable(DateOnly), 'The last day on which it is valid, in UTC; null for no end.'),
    uses: Described(Type.Integer(), 'The number of accounts that registered with it.'),
    max_use: Described(Nullable(Type.Integer()), 'The most accounts that may register with it; null for no limit.'),
    invite_type: Described(
      InviteType,
      'The kind of its limits: one account, a number of accounts, a day, or both; without limits it is `one_time`.',
    ),
  },
  { ...closed, title: 'Invite' },
);

export const InvitesShape = Type.Object(
  { invites: Described(Type.Array(InviteShape), 'The invites, the newest first.') },
  closed,
);

export type InviteJson = Static<typeof InviteShape>;

/** The JSON of an invite (spec §2.6). */
export function inviteJson({ id, token, used, expiresAt, uses, maxUse, type }: ListedInvite): InviteJson {
  return { id, token, used, expires_at: expiresAt, uses, max_use: maxUse, invite_type: type };
}
