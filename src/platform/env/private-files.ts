import { existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { Env } from './env.js';
import { hasCode, messageOf, StartError } from './errors.js';

/** Modes of files in DATA_DIR that other users of the machine need not read (threat P11). */
export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/** Other users may pass a folder, but not list it. */
const GROUP_PASSES = 0o010;
const ALL_PASS = 0o011;

const PERMISSIONS = 0o777;
const logger = new Logger('Files');

/** Creates a folder and its missing parents with this mode, for any umask. Existing ones stay unchanged. */
export async function makeFolder(path: string, mode = PRIVATE_FOLDER): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await chmod(made, mode);
}

/**
 * Creates DATA_DIR for this user alone. Missing folders above it follow the umask: another user may have to pass them.
 */
export function makeDataDir(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/**
 * Stops a command that runs as root and would write files that the server cannot read, since the server runs as another user.
 * The owner of a new file is compared, and not root: some volumes give all files the same owner, whoever writes them.
 * @throws StartError when a new file in DATA_DIR gets another owner than the files of the server have
 */
export function requireOwnFiles({ dataDir }: Pick<Env, 'dataDir'>): void {
  const folder = join(dataDir, 'media');
  if (process.geteuid?.() !== 0 || !existsSync(folder)) return;
  const probe = mkdtempSync(join(folder, '.owner-'));
  const [owner, own] = [statSync(folder).uid, statSync(probe).uid];
  rmdirSync(probe);
  if (own === owner) return;
  throw new StartError(
    `The files in ${dataDir} belong to the user ${owner}, who could not read what root writes: run this as that user, sudo -u '#${owner}'.`,
  );
}

/** Creates a folder, or gives an existing one this mode. That closes its content to other users too. */
export async function secureFolder(path: string, mode = PRIVATE_FOLDER): Promise<void> {
  await makeFolder(path, mode);
  await secure(path, mode);
}

/**
 * Closes DATA_DIR and the secret key in it to other users. A PostgreSQL of another user may still pass the folder, and
 * so may the group when it may read media.
 */
export async function secureDataDir({ dataDir, mediaFileMode }: Pick<Env, 'dataDir' | 'mediaFileMode'>): Promise<void> {
  makeDataDir(dataDir);
  const passing = (await hasPostgresOfAnother(dataDir)) ? ALL_PASS : mediaFileMode === '0640' ? GROUP_PASSES : 0;
  await secure(dataDir, PRIVATE_FOLDER | passing);
  await secure(join(dataDir, 'secret.key'), PRIVATE_FILE);
}

async function hasPostgresOfAnother(dataDir: string): Promise<boolean> {
  const [folder, postgres] = await Promise.all([stat(dataDir), statOf(join(dataDir, 'postgres'))]);
  return postgres !== undefined && postgres.uid !== folder.uid;
}

/** Sets the mode of an existing path. A volume of another owner or without modes does not stop the start. */
async function secure(path: string, mode: number): Promise<void> {
  const entry = await statOf(path);
  if (!entry || (entry.mode & PERMISSIONS) === mode) return;
  try {
    await chmod(path, (entry.mode & ~PERMISSIONS) | mode);
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EROFS', 'ENOTSUP')) throw error;
    const [has, wanted] = [entry.mode & PERMISSIONS, mode].map((bits) => bits.toString(8));
    logger.warn(`${path} has the mode ${has} instead of ${wanted}, and cannot be changed: ${messageOf(error)}`);
  }
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
