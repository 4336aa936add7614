import { readFile } from 'node:fs/promises';
import { decodeSecretKey, readProblem } from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';

/**
 * Reads the key of encrypted backups from a file: at least 32 bytes as hex or base64.
 * @throws BackupError when there is none
 */
export async function readBackupKey(path: string): Promise<Buffer> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const problem = readProblem(path, error);
    throw problem ? new BackupError(problem.message, { cause: error }) : error;
  });
  const key = decodeSecretKey(text.trim());
  if (!key) throw new BackupError(`${path} holds no key: expected at least 32 bytes as hex or base64.`);
  return key;
}
