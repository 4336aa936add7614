import { createCipheriv, createDecipheriv, generateKeyPair, hkdfSync, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

const ALGORITHM = 'aes-256-gcm';
const FORMAT = Buffer.of(1); // first byte of every sealed secret, for later formats
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Derived once for each secret key. */
const sealingKeys = new WeakMap<Buffer, Buffer>();
const HEAD_BYTES = FORMAT.length + NONCE_BYTES + TAG_BYTES;

/** The keys of an actor: the public one as SPKI, the private one as PKCS #8, both PEM. */
export interface ActorKey {
  readonly publicPem: string;
  readonly privatePem: string;
}

/**
 * A new RSA key of 2048 bits, the size that every server of the network accepts. Computed on the thread pool, 50 to 500
 * ms.
 */
export async function generateActorKey(): Promise<ActorKey> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicPem: publicKey, privatePem: privateKey };
}

/** The sealed secret was made with another key, for another context, or is damaged. */
export class SealBrokenError extends Error {
  constructor(context: string, cause?: unknown) {
    super(`The sealed secret for "${context}" does not open with this SECRET_KEY`, { cause });
  }
}

/**
 * Encrypts a secret for storage in the database (AES-256-GCM). The context, such as `totp:<user id>`, is bound to it: a
 * sealed value copied to another row does not open there.
 */
export function sealSecret(secretKey: Buffer, plain: Buffer | string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, sealingKey(secretKey), nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([FORMAT, nonce, cipher.getAuthTag(), sealed]);
}

/** Opens a secret of {@link sealSecret}. Throws {@link SealBrokenError}. */
export function openSecret(secretKey: Buffer, sealed: Buffer, context: string): Buffer {
  if (sealed.length < HEAD_BYTES || sealed[0] !== FORMAT[0]) throw new SealBrokenError(context);
  const nonce = sealed.subarray(FORMAT.length, FORMAT.length + NONCE_BYTES);
  const tag = sealed.subarray(FORMAT.length + NONCE_BYTES, HEAD_BYTES);
  const decipher = createDecipheriv(ALGORITHM, sealingKey(secretKey), nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
  } catch (error) {
    throw new SealBrokenError(context, error);
  }
}

/** A key of 32 bytes of its own for each purpose of SECRET_KEY (RFC 5869). */
export function deriveKey(secretKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), purpose, 32));
}

function sealingKey(secretKey: Buffer): Buffer {
  const known = sealingKeys.get(secretKey);
  if (known) return known;
  const derived = deriveKey(secretKey, 'secrets at rest');
  sealingKeys.set(secretKey, derived);
  return derived;
}
