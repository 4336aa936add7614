import { OWN_CLIENT_ID } from './oauth.entities.js';

/** Conditions on `oauth_tokens t`, whose owner is `accounts a` and `users u`. */

/** Days that a refresh token outlives its access token, whatever the access token's lifetime. */
export const REFRESH_DAYS = 90;

/** The access token may be used. `column` is the end of its life. */
export function isUnexpiredToken(column: string): string {
  return `${column} > now()`;
}

/** The token may be renewed. */
export function isRenewable(column: string): string {
  return `${column} > now() - interval '${REFRESH_DAYS} days'`;
}

/**
 * The sign-in has not ended, with `oauth_apps app`: its token may be used or renewed. Browsers have no refresh token: the
 * cookie holds the access token alone.
 */
export const IS_OPEN = `(${isUnexpiredToken('t.expires_at')}
     or (t.refresh_hash is not null and app.client_id <> '${OWN_CLIENT_ID}' and ${isRenewable('t.expires_at')}))`;

/** The token is not expired, and its owner may use the server. */
export const IS_LIVE = `${isUnexpiredToken('t.expires_at')} and (t.account_id is null
     or (a.deactivated_at is null and u.is_confirmed and u.is_approved and not u.password_reset_required))`;

/** The state of the owner's sign-in. */
export const OWNER_STATE = `case when a.deactivated_at is not null then 'deactivated' when u.password_reset_required then 'reset_required'
  when not u.is_confirmed then 'unconfirmed' when not u.is_approved then 'unapproved' else 'ok' end`;
