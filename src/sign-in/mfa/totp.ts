import { generateSecret, verifySync } from 'otplib';

/** Seconds for which a code is valid. */
const PERIOD = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;

/** A new secret for an authenticator app, in base32. */
export function newTotpSecret(): string {
  return generateSecret({ length: SECRET_BYTES });
}

/**
 * The time step of a code that is valid now, or one step earlier or later; undefined for a wrong code. Ignores blanks,
 * which apps show between the digits.
 * @param now in seconds
 */
export function totpStep(secret: string, code: string, now = Date.now() / 1_000): number | undefined {
  const token = code.replace(/\s/g, '');
  if (!/^[0-9]{6}$/.test(token)) return undefined;
  const result = verifySync({ secret, token, epoch: now, period: PERIOD, digits: DIGITS, epochTolerance: PERIOD });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** The address that an authenticator app reads from a QR code. It names also what is the default, for older apps. */
export function provisioningUri(secret: string, issuer: string, nickname: string): string {
  const name = encodeURIComponent(issuer.replaceAll(':', '')); // a colon ends the issuer, also an encoded one
  const parameters = `secret=${secret}&issuer=${name}&period=${PERIOD}&digits=${DIGITS}`;
  return `otpauth://totp/${name}:${encodeURIComponent(nickname)}?${parameters}`;
}
