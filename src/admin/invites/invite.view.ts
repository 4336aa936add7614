import type { ListedInvite } from '../../oauth/index.js';
import type { InviteJson } from './invite.shape.js';

/** The JSON of an invite (spec §2.6). */
export function inviteJson({ id, token, used, expiresAt, uses, maxUse, type }: ListedInvite): InviteJson {
  return { id, token, used, expires_at: expiresAt, uses, max_use: maxUse, invite_type: type };
}
