import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createOnce, type FileOwner } from '../env/create-once.js';
import { hasCode, StartError } from '../env/errors.js';
import { fullDiskIn } from '../env/file-problem.js';
import { makeDataDir } from '../env/private-files.js';
import { logFileIn } from './embedded-log.js';
import { chooseIdentity, type Identity } from './embedded-identity.js';
import { findPrograms, runProgram, type Programs } from './embedded-program.js';

/** A cluster of the bundled PostgreSQL on disk, and the way its programs run. */
export interface Cluster {
  /** `DATA_DIR/postgres`. */
  readonly folder: string;
  /** The data folder itself; it also identifies a running server. */
  readonly data: string;
  readonly logFile: string;
  readonly password: string;
  readonly identity: Identity;
  readonly programs: Programs;
}

/** The superuser of the cluster; the server connects as this user. */
export const CLUSTER_USER = 'svc';

/** The server's database, part of the cluster from the start. */
export const CLUSTER_DATABASE = 'svc';

/** Whether there is a cluster in `dataDir`; works also for users that cannot read it. */
export function hasCluster(dataDir: string): boolean {
  try {
    statSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'));
    return true;
  } catch (error) {
    return !hasCode(error, 'ENOENT', 'ENOTDIR');
  }
}

/**
 * Opens the cluster in `dataDir`, and creates it when there is none.
 * @throws StartError when no user can run it, or when another major version created it
 */
export async function openCluster(dataDir: string, log: (line: string) => void): Promise<Cluster> {
  makeDataDir(dataDir);
  const folder = join(await realpath(dataDir), 'postgres'); // one name for all processes that look for its server
  const programs = findPrograms();
  const identity = chooseIdentity(folder, programs.postgres);
  await makePrivateFolder(folder, identity.owner);
  await removeLeftOvers(folder);
  const data = join(folder, 'data');
  const password = passwordOf(folder, existsSync(data), identity);
  if (!existsSync(join(data, 'PG_VERSION'))) {
    log(`Creating a database in ${folder}`);
    await createData(folder, data, identity, programs);
  }
  await requireMajor(data, programs.major);
  return { folder, data, logFile: logFileIn(folder), password, identity, programs };
}

async function makePrivateFolder(path: string, owner: FileOwner | undefined): Promise<void> {
  await mkdir(path, { recursive: true });
  if (owner && (await stat(path)).uid !== owner.uid) await chown(path, owner.uid, owner.gid);
  await chmod(path, 0o700);
}

const passwordFile = (folder: string) => join(folder, 'password');

function passwordOf(folder: string, hasData: boolean, identity: Identity): string {
  const path = passwordFile(folder);
  if (hasData && !existsSync(path))
    throw new StartError(`${path} is missing: the database cannot be opened without it.`);
  return createOnce(path, `${randomBytes(24).toString('hex')}\n`, identity.owner).trim();
}

/** Creates the data folder beside its place and moves it there, so that a data folder in place is always complete. */
async function createData(folder: string, data: string, identity: Identity, programs: Programs): Promise<void> {
  const draft = await mkdtemp(join(folder, `new-${process.pid}-`));
  try {
    if (identity.owner) await chown(draft, identity.owner.uid, identity.owner.gid);
    await initialise(draft, folder, identity, programs);
    await rename(draft, data);
    await syncFolder(folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error; // else another process was first: its folder is equivalent
  }
}

async function initialise(draft: string, folder: string, identity: Identity, programs: Programs): Promise<void> {
  const made = await runProgram(identity, programs.initdb, [
    ...['-D', draft, '-U', CLUSTER_USER, '--auth=scram-sha-256', `--pwfile=${passwordFile(folder)}`],
    ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
  ]);
  if (made.code !== 0) {
    const text = `PostgreSQL could not make a database in ${folder}:\n${made.output.trim()}`;
    throw fullDiskIn(made.output, folder) ?? new StartError(text);
  }
  const single = ['--single', '-D', draft, 'template1'];
  const filled = await runProgram(identity, programs.postgres, single, `create database ${CLUSTER_DATABASE}\n`);
  if (filled.code !== 0) throw new StartError(`PostgreSQL could not use ${draft}:\n${filled.output.trim()}`);
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}

/** Removes incomplete data folders of processes that no longer run. */
async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^new-(\d+)-/.exec(name)?.[1];
    const path = join(folder, name);
    if (pid && (await isLeftOver(path, Number(pid)))) await rm(path, { recursive: true, force: true });
  }
}

async function isLeftOver(path: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return !isAlive(pid);
  const made = await stat(path); // in a container the previous process had our id
  return made.mtimeMs < performance.timeOrigin;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

async function requireMajor(data: string, ours: number): Promise<void> {
  const theirs = Number((await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => '')).trim());
  if (theirs === ours) return;
  if (!theirs) throw new StartError(`${data} is not the data folder of a PostgreSQL server: move it away.`);
  throw new StartError(
    `${data} was made by PostgreSQL ${theirs}, and this release brings PostgreSQL ${ours}. Go on with the release that ` +
      `made it; or, while that runs, dump its database with pg_dump of PostgreSQL ${ours}, move the folder \`postgres\` ` +
      'away, start this release, and load the dump with pg_restore.',
  );
}
