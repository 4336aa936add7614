import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { DatabaseAddress } from '../../src/platform/index.js';
import { urlOf } from '../support/servers/ctl.js';
import { makeDatabase } from '../support/servers/database.js';
import { ask, Scratch, until } from './scratch.js';

const CTL = fileURLToPath(new URL('../../dist/ctl.js', import.meta.url));
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const SECRET_KEY = 'ab'.repeat(32);
const POSTS = 2_000;
/** Enough for a backup to be killed while it writes. */
const LARGE_BYTES = 24 * 1024 * 1024;

const scratch = new Scratch();
const databases: (() => Promise<void>)[] = [];
let source: DatabaseAddress;
const sourceDir = scratch.dataDir();

beforeAll(async () => {
  source = await database('template_svc');
  await ask(source, FILL);
  mkdirSync(join(sourceDir, 'media'), { recursive: true });
  writeFileSync(join(sourceDir, 'media', 'large'), randomBytes(LARGE_BYTES));
});
afterAll(async () => {
  await scratch.remove();
  for (const drop of databases) await drop();
});

const FILL = `insert into accounts (id, nickname, ap_id) values ('a', 'alice', 'https://svc.test/users/alice');
  insert into statuses (id, author_id, uri, visibility, content_html, content_text, local)
    select n::text, 'a', 'https://svc.test/objects/' || n, 0, 'post', 'post', true from generate_series(1, ${POSTS}) n`;

async function database(template: string): Promise<DatabaseAddress> {
  const made = await makeDatabase(template);
  databases.push(() => made.drop());
  return made.address;
}

const environment = (address: DatabaseAddress, dataDir: string) => ({
  DATABASE_URL: urlOf(address),
  DATA_DIR: dataDir,
  SECRET_KEY,
});

const ctl = (address: DatabaseAddress, dataDir: string, ...args: string[]) =>
  scratch.run(process.execPath, [CTL, ...args], { env: environment(address, dataDir) });

/** Whether a server starts; ends it again. */
async function start(address: DatabaseAddress, dataDir: string): Promise<string> {
  const env = { ...environment(address, dataDir), PORT: '0', LOG_LEVEL: 'error' };
  const server = scratch.run(process.execPath, [MAIN], { env });
  const line = await server.line(/ is ready at |not complete/);
  await server.stop();
  return line;
}

const posts = async (address: DatabaseAddress) =>
  (await ask(address, 'select count(*)::int as count from statuses'))[0]?.['count'];

/** Runs a command that fills `target` until it wants to note that it has loaded the posts, and kills it there. */
async function killAtPosts(target: DatabaseAddress, run: () => ReturnType<typeof ctl>): Promise<void> {
  const client = new pg.Client(target);
  await client.connect();
  try {
    const program = run();
    await until('the beginning', async () => {
      const asked = await client.query(`select to_regclass('unfinished_load_tables') as found`);
      return (asked.rows as { found: unknown }[])[0]?.found ?? undefined;
    });
    await client.query(`begin; insert into unfinished_load_tables (name, rows) values ('statuses', 0)`);
    await until('a wait for that row', async () => {
      // Locks on transactions name no database: the sessions of other tests wait for some, too.
      const { rows } = await client.query(
        `select 1 from pg_locks l join pg_stat_activity a using (pid)
         where not l.granted and l.locktype = 'transactionid' and a.datname = current_database()`,
      );
      return rows.length > 0 || undefined;
    });
    await program.stop('SIGKILL');
  } finally {
    await client.end();
  }
  const others = `select 1 from pg_stat_activity where datname = current_database() and application_name like 'svc%'`;
  await until('the end of its sessions', async () => (await ask(target, others)).length === 0 || undefined);
}

it('a backup that is killed while it writes leaves nothing that looks like one', async () => {
  const file = join(scratch.root, 'killed.backup');
  const program = ctl(source, sourceDir, 'backup', 'create', file);
  await until('some bytes', () => (existsSync(`${file}.partial`) && statSync(`${file}.partial`).size > 0) || undefined);
  await program.stop('SIGKILL');
  expect(readdirSync(scratch.root).filter((name) => name.startsWith('killed.'))).toEqual(['killed.backup.partial']);

  const again = ctl(source, sourceDir, 'backup', 'create', file);
  expect(await again.ended).toBe(0);
  expect(await ctl(source, sourceDir, 'backup', 'verify', file).ended).toBe(0);
  expect(existsSync(`${file}.partial`)).toBe(false);
});

it('a restore that is killed keeps the server from starting, and is begun again', async () => {
  const file = join(scratch.root, 'whole.backup');
  expect(await ctl(source, sourceDir, 'backup', 'create', file).ended).toBe(0);
  const target = await database('template1');
  const dataDir = scratch.dataDir();
  const restore = () => ctl(target, dataDir, 'backup', 'restore', file);
  await killAtPosts(target, restore);
  expect(await start(target, dataDir)).toBe(
    'The database is not complete: a restore into it did not finish. Run `npm run ctl -- backup restore` again.',
  );
  expect(existsSync(join(dataDir, 'media', 'large'))).toBe(false);
  const copy = ctl(target, dataDir, 'backup', 'create', join(scratch.root, 'half.backup'));
  expect([await copy.ended, copy.text]).toEqual([1, expect.stringContaining('The database is not complete')]);

  const again = restore();
  expect([await again.ended, again.text]).toEqual([0, expect.stringContaining('were restored')]);
  expect(await posts(target)).toBe(POSTS);
  expect(statSync(join(dataDir, 'media', 'large')).size).toBe(LARGE_BYTES);
  expect(await start(target, dataDir)).toMatch(/ is ready at /);
});

it('a database moves to another PostgreSQL and back, and a move that was killed goes on', async () => {
  const dataDir = await scratch.stoppedDatabase();
  const bundled = { DATA_DIR: dataDir, SECRET_KEY };
  const run = (env: Record<string, string>, ...args: string[]) =>
    scratch.run(process.execPath, [CTL, ...args], { env });
  expect(await run(bundled, 'migrate').ended).toBe(0);
  const holder = scratch.node('borrower', [dataDir]);
  await ask(await holder.address(), FILL);
  const target = await database('template1');
  const moved = { ...bundled, DATABASE_URL: urlOf(target) };
  const move = () => run(bundled, 'database', 'move', urlOf(target));
  const refused = move();
  expect([await refused.ended, refused.text]).toEqual([
    1,
    `A command uses ${dataDir} (process ${holder.pid}). Stop it first.`,
  ]);
  await holder.stop();

  await killAtPosts(target, move);
  expect(await start(target, dataDir)).toContain('a move into it did not finish');
  const other = run({ ...bundled, DATABASE_URL: urlOf(source) }, 'database', 'move', urlOf(target));
  expect([await other.ended, other.text]).toEqual([1, expect.stringContaining('holds an unfinished move')]);

  const again = move();
  expect([await again.ended, again.text]).toEqual([0, expect.stringContaining(`DATABASE_URL=${urlOf(target)}`)]);
  expect(again.text).toContain('skipped  accounts: 1 row');
  expect(again.text).toContain(`copied   statuses: ${POSTS} rows`);
  expect(await posts(target)).toBe(POSTS);
  const doctor = run(moved, 'doctor');
  expect(await doctor.line(/migrations/)).toBe('ok     migrations');
  await doctor.ended;

  const back = run(moved, 'database', 'move', 'bundled');
  expect([await back.ended, back.text]).toEqual([1, expect.stringContaining('The database is not empty')]);
  rmSync(join(dataDir, 'postgres'), { recursive: true });
  expect(await run(moved, 'database', 'move', 'bundled').ended).toBe(0);
  const returned = scratch.node('borrower', [dataDir]);
  expect(await posts(await returned.address())).toBe(POSTS);
  await returned.stop();
});

it('a move that was killed begins again when its source was changed meanwhile', async () => {
  const target = await database('template1');
  const move = () => ctl(source, sourceDir, 'database', 'move', urlOf(target));
  await killAtPosts(target, move);
  await ask(source, `update accounts set display_name = 'Alice, later'`);
  const again = move();
  expect([await again.ended, again.text]).toEqual([0, expect.stringContaining('all of it is copied again')]);
  expect(await ask(target, 'select display_name from accounts')).toEqual([{ display_name: 'Alice, later' }]);
  expect(await posts(target)).toBe(POSTS);
});

it('a plain owner without a superuser restores', async () => {
  const file = join(scratch.root, 'plain.backup');
  expect(await ctl(source, sourceDir, 'backup', 'create', file).ended).toBe(0);
  const target = await database('template1');
  const role = `r_${randomBytes(8).toString('hex')}`;
  await ask(target, `create role ${role} login password 'x'; alter database ${target.database} owner to ${role}`);
  const owner = { ...target, user: role, password: 'x' };
  const program = ctl(owner, scratch.dataDir(), 'backup', 'restore', file);
  expect([await program.ended, program.text]).toEqual([0, expect.stringContaining('were restored')]);
  expect(await posts(owner)).toBe(POSTS);
  await ask(
    target,
    `reassign owned by ${role} to ${target.user}; alter database ${target.database} owner to ${target.user};
    drop owned by ${role}; drop role ${role}`,
  );
});
