import { Forbidden, Invalid } from '../../common/index.js';

/** The password was right, and the sign-in goes on with a code. */
export const mfaRequired = (token: string) =>
  new Forbidden('mfa_required', { details: { mfa_token: token, supported_challenge_types: ['totp'] } });

/** The code, its challenge or the app is wrong. */
export const invalidCode = () => new Invalid('Invalid code');
