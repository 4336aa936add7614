/** The longest password, in UTF-16 units: it bounds the hashing work, far above real passwords. */
export const MAX_PASSWORD_LENGTH = 1024;

/** The shortest password that can be chosen, in characters. */
export const MIN_PASSWORD_LENGTH = 8;

/** Argon2id with 19 MiB and two passes: the smallest setting the OWASP password storage guide recommends. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

const PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** A well-formed hash of no password: verifying against it costs the same as against a real one. */
const UNKNOWN_USER = PREFIX + [16, COST.outputLen].map((bytes) => unpadded(Buffer.alloc(bytes))).join('$');

/** Why a new password is refused, as the end of a sentence. */
export type PasswordProblem =
  | "can't be blank"
  | `should be at most ${typeof MAX_PASSWORD_LENGTH} character(s)`
  | `should be at least ${typeof MIN_PASSWORD_LENGTH} character(s)`;

/** The error of a new password; undefined when it is valid. */
export function passwordProblem(password: string): PasswordProblem | undefined {
  if (password === '') return "can't be blank";
  if (password.length > MAX_PASSWORD_LENGTH) return `should be at most ${MAX_PASSWORD_LENGTH} character(s)`;
  if (Array.from(password).length < MIN_PASSWORD_LENGTH)
    return `should be at least ${MIN_PASSWORD_LENGTH} character(s)`;
  return undefined;
}

/**
 * The argon2id hash of a password, in PHC string form. Computed on the thread pool, about 20 ms.
 * Throws a RangeError above {@link MAX_PASSWORD_LENGTH}.
 */
export async function hashPassword(password: string): Promise<string> {
  if (password.length > MAX_PASSWORD_LENGTH) throw new RangeError('The password is too long');
  const { hash } = await argon2();
  return hash(password, COST);
}

/**
 * Whether the password matches the hash. Without a hash (unknown user, or no password) it does the same work and
 * returns false, so that the time does not reveal names.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  if (password.length > MAX_PASSWORD_LENGTH) return false;
  const { verify } = await argon2();
  const matches = await verify(stored ?? UNKNOWN_USER, password);
  return matches && stored !== undefined;
}

/** Whether a hash was made with other costs than today's; the next log-in renews it. */
export function needsRehash(stored: string): boolean {
  return !stored.startsWith(PREFIX);
}

/** Loaded with the first password. */
function argon2() {
  return import('@node-rs/argon2');
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
