import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A fresh secret of 256 random bits, base64url without padding: access tokens, codes, reset and invite tokens. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The SHA-256 of a token, for storage and look-up; the token itself is not stored. Some apps send tokens and codes
 * percent-encoded or with base64 padding: every such spelling has the same hash.
 */
export function hashToken(token: string): Buffer {
  return digest(normalised(token));
}

/** Whether two secrets are the same text, in a time that depends on neither. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function normalised(token: string): string {
  return decoded(token).replace(/={1,2}$/, '');
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token; // a stray percent sign: not an encoding, and no valid token
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
