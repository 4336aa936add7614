import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };

/** The routes of invites, under one of the two prefixes. */
const invites = (prefix: string): Record<string, RouteInput> => ({
  [`POST ${prefix}/users/invite_token`]: { fields: { max_use: 'whole', expires_at: 'text' } },
  [`GET ${prefix}/users/invites`]: NOTHING,
  [`POST ${prefix}/users/revoke_invite`]: { fields: { token: 'text' } },
  [`POST ${prefix}/users/email_invite`]: { fields: { email: 'text', name: 'text' }, beside: { email: 'a@b.test' } },
});

/** The input of invites. */
export const INVITE_INPUTS: Readonly<Record<string, RouteInput>> = {
  'GET /registration/:token': NOTHING,
  ...invites('/api/v1/svc/admin'),
  ...invites('/api/svc/admin'),
};
