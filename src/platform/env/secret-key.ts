import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createOnce } from './create-once.js';
import type { Env } from './env.js';
import { decodeSecretKey } from './env-variables.js';
import { makeDataDir } from './private-files.js';
import { StartError } from './errors.js';

/** Injection token of the server's secret key, a Buffer of at least 32 bytes. */
export const SECRET_KEY = Symbol('SECRET_KEY');

/**
 * The server's secret key: `SECRET_KEY` when set, else the one in `DATA_DIR/secret.key`, which the first start creates.
 * Without it, every value that it encrypted or signed is unreadable.
 */
export function loadSecretKey(env: Pick<Env, 'secretKey' | 'dataDir'>): Buffer {
  if (env.secretKey) return env.secretKey;
  makeDataDir(env.dataDir);
  const path = fileIn(env.dataDir);
  const key = decodeSecretKey(createOnce(path, `${randomBytes(32).toString('hex')}\n`).trim());
  if (!key) throw new StartError(`${path} holds no key: expected at least 32 bytes as hex or base64.`);
  return key;
}

/**
 * For commands beside the server: with another folder or key, the server could not find or read what they store.
 * @throws StartError when no server has used the folder yet
 */
export function requireServerFiles({ secretKey, dataDir }: Pick<Env, 'secretKey' | 'dataDir'>): void {
  const missing = existsSync(dataDir) ? !secretKey && !existsSync(fileIn(dataDir)) && fileIn(dataDir) : dataDir;
  if (!missing) return;
  throw new StartError(`There is no ${missing}: set DATA_DIR as the server has it, or start the server once.`);
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'secret.key');
}
