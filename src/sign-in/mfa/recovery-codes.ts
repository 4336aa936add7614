import { randomBytes } from 'node:crypto';
import { hashToken } from '../../platform/index.js';

const COUNT = 5;
const LENGTH = 16;
/** 32 characters, five bits each; those that look alike are left out. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';

/** New recovery codes. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () =>
    Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join(''),
  );
}

/** The hash of a recovery code. Ignores case, blanks and hyphens. */
export function hashRecoveryCode(code: string): Buffer {
  return hashToken(code.replace(/[\s-]/g, '').toLowerCase());
}
