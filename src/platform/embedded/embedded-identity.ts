import { spawnSync } from 'node:child_process';
import { chmodSync, statSync, type Stats } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import type { FileOwner } from '../env/create-once.js';
import { StartError } from '../env/errors.js';
import { PROGRAM_ENVIRONMENT } from './embedded-program.js';

/** The system user that PostgreSQL's programs run as. PostgreSQL refuses to run as root and as a user without a name. */
export interface Identity {
  /** Stands before the program on its command line. */
  readonly prefix: readonly string[];
  /** Set when the programs run as another user than this process; their files must belong to that user. */
  readonly owner: FileOwner | undefined;
}

/** A process in its own user namespace is called `nobody`; its files outside still belong to us. */
const UNSHARE = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'] as const;

const OURSELVES: Identity = { prefix: [], owner: undefined };

/**
 * Chooses the user for the bundled PostgreSQL in `folder`; an existing folder keeps its owner.
 * @param folder the folder of the cluster; its parent is DATA_DIR
 * @param program one of the programs, which that user must be able to run
 * @throws StartError when no user works, naming the folder
 */
export function chooseIdentity(folder: string, program: string): Identity {
  const us = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  return us.uid === 0 ? identityForRoot(folder, program, us) : identityForUser(folder, us);
}

function identityForUser(folder: string, us: FileOwner): Identity {
  const owner = ownerOf(folder) ?? us;
  if (owner.uid !== us.uid) {
    throw new StartError(`${folder} belongs to the user with id ${owner.uid}, but the server runs as ${us.uid}.`);
  }
  if (hasName()) return OURSELVES;
  if (unshareWorks()) return { prefix: UNSHARE, owner: undefined };
  throw new StartError(
    `PostgreSQL cannot run in ${folder}: the user with id ${us.uid} has no name, and \`unshare --user\` does not ` +
      'work here. Run the server as a user with a name, or set DATABASE_URL.',
  );
}

function identityForRoot(folder: string, program: string, root: FileOwner): Identity {
  const dataDir = dirname(folder);
  const owner = ownerOf(folder) ?? ownerOf(dataDir) ?? root;
  if (owner.uid === root.uid && unshareWorks()) return { prefix: UNSHARE, owner: undefined };
  const user = owner.uid === root.uid ? nobodyFor(folder) : owner;
  openForOthers(dataDir, root);
  for (const path of [dataDir, program]) requireWay(path, user, folder);
  return { prefix: [], owner: user };
}

function nobodyFor(folder: string): FileOwner {
  if (!ownerOf(folder)) return { uid: idOfNobody('-u'), gid: idOfNobody('-g') };
  throw new StartError(
    `${folder} belongs to root, whom PostgreSQL refuses, and \`unshare --user\` does not work here. ` +
      `Give it away (chown -R nobody ${folder}), run the server as another user, or set DATABASE_URL.`,
  );
}

/** Users may pass through DATA_DIR but not list it; the secrets inside have modes of their own. */
function openForOthers(dataDir: string, root: FileOwner): void {
  const { uid, mode } = statSync(dataDir);
  if (uid === root.uid && (mode & 0o777) !== 0o711) chmodSync(dataDir, (mode & 0o7000) | 0o711);
}

function requireWay(path: string, user: FileOwner, folder: string): void {
  const closed = [path, ...parentsOf(path)].reverse().find((step) => !mayPass(statSync(step), user));
  if (closed === undefined) return;
  throw new StartError(
    `PostgreSQL cannot run in ${folder}: it must run as the user with id ${user.uid}, who may not pass ${closed} ` +
      `(chmod o+x ${closed}), and \`unshare --user\` does not work here.`,
  );
}

function mayPass(stats: Stats, user: FileOwner): boolean {
  if (stats.uid === user.uid) return (stats.mode & 0o100) !== 0;
  if (stats.gid === user.gid) return (stats.mode & 0o010) !== 0;
  return (stats.mode & 0o001) !== 0;
}

function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...parentsOf(parent)];
}

function ownerOf(path: string): FileOwner | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function unshareWorks(): boolean {
  const [command, ...args] = UNSHARE;
  return spawnSync(command, [...args, 'true'], { env: PROGRAM_ENVIRONMENT }).status === 0;
}

function idOfNobody(flag: '-u' | '-g'): number {
  const { stdout } = spawnSync('id', [flag, 'nobody'], { env: PROGRAM_ENVIRONMENT, encoding: 'utf8' });
  return Number.parseInt(stdout, 10) || 65_534;
}
