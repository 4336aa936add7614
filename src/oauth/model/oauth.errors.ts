import type { LoginResult } from '../../accounts/index.js';
import { Forbidden, Invalid, type Reason, Unauthorized } from '../../common/index.js';

/** An account state that forbids signing in. */
type ForbiddingState = Exclude<LoginResult['state'], 'ok'>;

const REFUSALS: Readonly<Record<ForbiddingState, { readonly identifier: string; readonly text: Reason & string }>> = {
  deactivated: { identifier: 'account_is_disabled', text: 'Your account is currently disabled' },
  reset_required: { identifier: 'password_reset_required', text: 'Password reset is required' },
  unconfirmed: {
    identifier: 'missing_confirmed_email',
    text: 'Your login is missing a confirmed e-mail address',
  },
  unapproved: { identifier: 'awaiting_approval', text: 'Your account is awaiting approval.' },
};

/** A refusal of the token endpoints: a code in `error`, since apps act on it, and a text beside it (RFC 6749 §5.2). */
const refused = (code: string, reason: Reason) => new Invalid(reason, detailsOf(code, reason));

const detailsOf = (code: string, reason: Reason) => ({
  details: { error: code, error_description: String(reason) },
});

/** The app is unknown or its secret is wrong: apps register again. */
export const invalidClient = () =>
  new Unauthorized('Invalid credentials', detailsOf('invalid_client', 'Invalid credentials'));

/** The password, code or refresh token is wrong. One error for all, so that it does not reveal names (threat O12). */
export const invalidGrant = () => refused('invalid_grant', 'Invalid credentials');

/** The app asks for forbidden scopes. */
export const invalidScope = () => refused('invalid_scope', 'The scope is unknown or not one of the app');

/** A parameter is missing or malformed. */
export const invalidRequest = (reason: Reason) => refused('invalid_request', reason);

/** A grant type that is unknown. */
export const unsupportedGrant = () => refused('unsupported_grant_type', 'The grant type is not supported');

/** The password was right, but the account may not sign in. */
export function accountRefused(state: ForbiddingState): Forbidden {
  const { identifier, text } = REFUSALS[state];
  return new Forbidden(text, { details: { identifier } });
}

/** The answer for a new account that may not sign in yet. */
export function notYet(state: ForbiddingState): { identifier: string; message: string } {
  const { identifier, text } = REFUSALS[state];
  return { identifier, message: text };
}
