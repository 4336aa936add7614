import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCode, StartError, unlessMissing } from '../env/errors.js';
import type { Cluster } from './embedded-cluster.js';

/** Part of the socket's file name; there is no such TCP port. */
export const SOCKET_PORT = 5432;

/** The system's limit for the whole path of a unix socket, in bytes. */
const SOCKET_PATH_LIMIT = 107;

/**
 * Creates the private folder of the cluster's unix socket. Its name is the same at every start, so that clients find a
 * restarted server.
 * @param wanted another place than the system's folder for temporary files
 * @throws StartError when `wanted` is too long or belongs to another user
 */
export async function makeSocketFolder(cluster: Cluster, wanted?: string): Promise<string> {
  if (wanted !== undefined) {
    if (!isShort(wanted)) throw new StartError(`${wanted} is too long for the folder of a unix socket.`);
    if (await makeOurs(wanted, cluster)) return wanted;
    throw new StartError(`${wanted} belongs to another user.`);
  }
  const base = isShort(join(tmpdir(), 'svc-pg-0123456789ab')) ? tmpdir() : '/tmp';
  const name = createHash('sha256').update(cluster.data).digest('hex').slice(0, 12);
  const folder = join(base, `svc-pg-${name}`);
  if (await makeOurs(folder, cluster)) return folder;
  const other = await mkdtemp(join(base, 'svc-pg-')); // another user has the name
  await makeOurs(other, cluster);
  return other;
}

/** Removes the folder unless a server has its socket there again. */
export async function removeSocketFolder(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
  });
}

function isShort(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_LIMIT;
}

/** True when `folder` is then a folder of the user that runs the cluster, closed to all others. */
async function makeOurs(folder: string, cluster: Cluster): Promise<boolean> {
  const { owner } = cluster.identity;
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  const found = await lstat(folder).catch(unlessMissing); // never follows a link of another user
  if (!found) return makeOurs(folder, cluster); // a server that ends has removed it
  if (!found.isDirectory() || (found.mode & 0o077) !== 0) return false;
  const us = process.getuid?.();
  if (owner && found.uid === us) await chown(folder, owner.uid, owner.gid).catch(unlessMissing);
  return found.uid === us || found.uid === owner?.uid;
}
