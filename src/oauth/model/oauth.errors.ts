import type { LoginResult } from '../../accounts/index.js';
import { DomainError, Forbidden, Invalid } from '../../common/index.js';

/** An account state that forbids signing in. */
type ForbiddingState = Exclude<LoginResult['state'], 'ok'>;

const REFUSALS: Readonly<Record<ForbiddingState, { readonly identifier: string; readonly text: string }>> = {
  deactivated: { identifier: 'account_is_disabled', text: 'Your account is currently disabled' },
  reset_required: { identifier: 'password_reset_required', text: 'Password reset is required' },
  unconfirmed: {
    identifier: 'missing_confirmed_email',
    text: 'Your login is missing a confirmed e-mail address',
  },
  unapproved: { identifier: 'awaiting_approval', text: 'Your account is awaiting approval.' },
};

/** The app is unknown or its secret is wrong. */
export const invalidClient = () => refusedGrant('invalid_client');

/** The password, code or refresh token is wrong. One error for all, so that it does not reveal names (threat O12). */
export const invalidGrant = () => refusedGrant('invalid_grant');

/** The app asks for forbidden scopes. */
export const invalidScope = () => new Invalid('invalid_scope');

/** A change of the own account that is refused, which these routes answer with 200 (spec §7). */
export class ChangeRefused extends DomainError {
  readonly status = 200;
}

export class WrongPassword extends ChangeRefused {
  constructor() {
    super('Invalid password.');
  }
}

/** The password was right, and the sign-in goes on with a code. */
export const mfaRequired = (token: string) =>
  new Forbidden('mfa_required', { details: { mfa_token: token, supported_challenge_types: ['totp'] } });

/** The code, its challenge or the app is wrong. */
export const invalidCode = () => new Invalid('Invalid code');

/** A grant type that is missing or unknown. */
export const unsupportedGrant = () =>
  new Invalid('Bad request', { details: { error_description: 'unsupported_grant_type' } });

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

function refusedGrant(code: string): Invalid {
  return new Invalid('Invalid credentials', { details: { error_description: code } });
}
