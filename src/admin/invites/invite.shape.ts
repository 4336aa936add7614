import { type Static, Type } from 'typebox';
import { DateOnly, Nullable } from '../../common/index.js';
import type { ListedInvite } from '../../sign-in/index.js';

const closed = { additionalProperties: false } as const;
const InviteType = Type.Enum(['one_time', 'reusable', 'date_limited', 'reusable_date_limited']);

/** An invite (spec §2.6). */
export const InviteShape = Type.Object(
  {
    id: Type.Integer(),
    token: Type.String(),
    used: Type.Boolean(),
    expires_at: Nullable(DateOnly),
    uses: Type.Integer(),
    max_use: Nullable(Type.Integer()),
    invite_type: InviteType,
  },
  { ...closed, title: 'Invite' },
);

export const InvitesShape = Type.Object({ invites: Type.Array(InviteShape) }, closed);

export type InviteJson = Static<typeof InviteShape>;

/** The JSON of an invite (spec §2.6). */
export function inviteJson({ id, token, used, expiresAt, uses, maxUse, type }: ListedInvite): InviteJson {
  return { id, token, used, expires_at: expiresAt, uses, max_use: maxUse, invite_type: type };
}
