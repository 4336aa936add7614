import { belowBothPrefixes } from './both-prefixes.js';
import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };

/** The input of invites. */
export const INVITE_INPUTS: Readonly<Record<string, RouteInput>> = {
  'GET /registration/:token': NOTHING,
  ...belowBothPrefixes({
    'POST admin/users/invite_token': { fields: { max_use: 'whole', expires_at: 'text' } },
    'GET admin/users/invites': NOTHING,
    'POST admin/users/revoke_invite': { fields: { token: 'text' } },
    'POST admin/users/email_invite': { fields: { email: 'text', name: 'text' }, beside: { email: 'a@b.test' } },
  }),
};
