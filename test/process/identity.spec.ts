import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ask, postmasterOf, type Program, programPath, Scratch } from './scratch.js';

const NOBODY = 65_534;
const NAMED = Number(execFileSync('id', ['-u', 'daemon'], { encoding: 'utf8' }));
const NAMELESS = 54_321;
const HIDE_UNSHARE = 'mount --bind /dev/null "$(command -v unshare)" && exec "$@"';

const scratch = new Scratch();
afterAll(() => scratch.remove());

const isRoot = process.getuid?.() === 0;
const works = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const runsAs = (id: number) => isRoot && spawnSync(process.execPath, ['-e', '0'], { uid: id, gid: id }).status === 0;

/** Returns `it` on machines that allow the case; otherwise skips it and logs the reason. */
function where(possible: boolean, reason: string) {
  if (!possible) console.log(`skipped: ${reason}`);
  return possible ? it : it.skip;
}

const asRoot = where(isRoot, 'cases of root, because we are not root');
const unshareWorks = works('unshare', '--user', '--map-user=65534', '--map-group=65534', '--', 'true');
const hiding: [string, ...string[]] = unshareWorks ? ['unshare', '--mount', 'sh', '-c', HIDE_UNSHARE, 'sh'] : ['env'];
const withUnshare = where(isRoot && unshareWorks, 'user namespaces do not work here, or we are not root');
const withoutUnshare = where(
  isRoot && works(...hiding, 'true'),
  'mount namespaces do not work here, or we are not root, so `unshare` cannot be hidden',
);
const asNamed = where(runsAs(NAMED), 'we cannot become another user who may read this folder');
const asNameless = where(
  runsAs(NAMELESS) && works('setpriv', `--reuid=${NAMELESS}`, '--clear-groups', 'unshare', '--user', 'true'),
  'user namespaces do not work here for a user without a name',
);

const holder = (dataDir: string, options: { uid?: number; gid?: number } = {}) =>
  scratch.node('holder', [dataDir], options);

/** Like {@link holder}, on a machine where `unshare` does not work. */
function holderWithoutUnshare(dataDir: string): Program {
  const [command, ...args] = [...hiding, process.execPath, programPath('holder'), dataDir];
  return scratch.run(command, args);
}

/** Uses the database once; returns the system user of its server. */
async function userOf(program: Program, dataDir: string): Promise<number> {
  expect(await ask(await program.address(), 'select 1 as one')).toEqual([{ one: 1 }]);
  const status = readFileSync(`/proc/${postmasterOf(dataDir) ?? 0}/status`, 'utf8');
  return Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
}

async function stopped(program: Program, dataDir: string): Promise<void> {
  expect(await program.stop()).toBe(0);
  expect(postmasterOf(dataDir)).toBeUndefined();
}

describe('root', () => {
  withUnshare('runs the database in place, also below a folder closed to all other users', async () => {
    const closed = scratch.dataDir();
    mkdirSync(closed, { mode: 0o700 });
    const dataDir = join(closed, 'data');
    const server = holder(dataDir);
    expect(await userOf(server, dataDir)).toBe(0); // outside its namespace the process has our user id
    expect(statSync(join(dataDir, 'postgres/data')).uid).toBe(0);
    await stopped(server, dataDir);
  });

  withoutUnshare('runs the database as nobody, with the right to pass DATA_DIR but not to list it', async () => {
    const dataDir = scratch.dataDir();
    mkdirSync(dataDir, { mode: 0o700 });
    const server = holderWithoutUnshare(dataDir);
    expect(await userOf(server, dataDir)).toBe(NOBODY);
    expect(statSync(dataDir).mode & 0o777).toBe(0o711);
    const { mode, uid } = statSync(join(dataDir, 'postgres'));
    expect([mode & 0o777, uid]).toEqual([0o700, NOBODY]);
    expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
    await stopped(server, dataDir);

    const later = holder(dataDir); // the owner of the folder decides, even where unshare works
    expect(await userOf(later, dataDir)).toBe(NOBODY);
    await stopped(later, dataDir);
  });

  withoutUnshare('refuses a folder that the user nobody may not pass, and names it', async () => {
    const closed = scratch.dataDir();
    mkdirSync(closed, { mode: 0o700 });
    const server = holderWithoutUnshare(join(closed, 'data'));
    expect(await server.ended).toBe(1);
    expect(server.text).toContain(`FAILED StartError: PostgreSQL cannot run in ${closed}/data/postgres`);
    expect(server.text).toContain(`chmod o+x ${closed})`);
  });

  withoutUnshare('refuses a folder that belongs to root, and names it', async () => {
    const dataDir = await scratch.stoppedDatabase();
    execFileSync('chown', ['-R', '0:0', dataDir]);
    const server = holderWithoutUnshare(dataDir);
    expect(await server.ended).toBe(1);
    expect(server.text).toContain(`${dataDir}/postgres belongs to root`);
  });

  asRoot('runs the database as the user that owns DATA_DIR', async () => {
    const dataDir = scratch.dataDir();
    mkdirSync(dataDir);
    chownSync(dataDir, NAMED, NAMED);
    const server = holder(dataDir);
    expect(await userOf(server, dataDir)).toBe(NAMED);
    await stopped(server, dataDir);
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(NAMED);
  });
});

describe('another user', () => {
  const ownFolder = (owner: number) => {
    const dataDir = scratch.dataDir();
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, owner, owner);
    return dataDir;
  };

  asNamed('with a name runs the database as itself', async () => {
    const dataDir = ownFolder(NAMED);
    const server = holder(dataDir, { uid: NAMED, gid: NAMED });
    expect(await userOf(server, dataDir)).toBe(NAMED);
    await stopped(server, dataDir);
  });

  asNameless('without a name runs the database in place', async () => {
    const dataDir = ownFolder(NAMELESS);
    const server = holder(dataDir, { uid: NAMELESS, gid: NAMELESS });
    expect(await userOf(server, dataDir)).toBe(NAMELESS);
    await stopped(server, dataDir);
  });

  asNamed('is refused a folder that is not its own', async () => {
    const dataDir = await scratch.stoppedDatabase();
    execFileSync('chown', ['-R', '0:0', dataDir]);
    chmodSync(dataDir, 0o755);
    const server = holder(dataDir, { uid: NAMED, gid: NAMED });
    expect(await server.ended).toBe(1);
    expect(server.text).toContain(`${dataDir}/postgres belongs to the user with id 0`);
  });
});
