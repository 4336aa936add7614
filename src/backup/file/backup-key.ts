import { readFile } from 'node:fs/promises';
import { decodeSecretKey, hasCode } from '../../platform/index.js';
import { BackupError } from '../model/backup-error.js';

/**
 * Reads the key of encrypted backups from a file: at least 32 bytes as hex or base64.
 * @throws BackupError when there is none
 */
export async function readBackupKey(path: string): Promise<Buffer> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR'))
      throw new BackupError(`The key file ${path} cannot be read.`);
    throw error;
  });
  const key = decodeSecretKey(text.trim());
  if (!key) throw new BackupError(`${path} holds no key: expected at least 32 bytes as hex or base64.`);
  return key;
}
