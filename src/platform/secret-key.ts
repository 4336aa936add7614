import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createOnce } from './create-once.js';
import type { Env } from './env.js';
import { decodeSecretKey } from './env-variables.js';
import { StartError } from './start-error.js';

/** Injection token of the server's secret key, a Buffer of at least 32 bytes. */
export const SECRET_KEY = Symbol('SECRET_KEY');

/**
 * The server's secret key: `SECRET_KEY` when set, else the one in `DATA_DIR/secret.key`, which the first start makes.
 * Losing it makes every value that was encrypted or signed with it unreadable.
 */
export function loadSecretKey(env: Pick<Env, 'secretKey' | 'dataDir'>): Buffer {
  if (env.secretKey) return env.secretKey;
  mkdirSync(env.dataDir, { recursive: true });
  const path = join(env.dataDir, 'secret.key');
  const key = decodeSecretKey(createOnce(path, `${randomBytes(32).toString('hex')}\n`).trim());
  if (!key) throw new StartError(`${path} holds no key: expected at least 32 bytes as hex or base64.`);
  return key;
}
