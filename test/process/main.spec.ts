import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { DatabaseAddress } from '../../src/platform/index.js';
import { waitersOf } from '../support/locks.js';
import { urlOf } from '../support/servers/ctl.js';
import { makeDatabase } from '../support/servers/database.js';
import { freePort } from '../support/servers/free-port.js';
import { ask, isAlive, postmasterOf, Scratch, until } from './scratch.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const CTL = fileURLToPath(new URL('../../dist/ctl.js', import.meta.url));
const testDatabase = JSON.parse(process.env['TEST_DATABASE_ADDRESS'] ?? '{}') as DatabaseAddress;
const CTRL_C = '\x03';

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** Most tests use this folder in turn: each one finds the state that the one before it left. */
const dataDir = scratch.dataDir();

const envOf = (folder: string) => ({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', RATE_LIMITS: 'off' });
const server = (folder: string, env: Record<string, string> = {}) =>
  scratch.run(process.execPath, [MAIN], { env: { ...envOf(folder), ...env } });

function expectNothingLeft(folder = dataDir): void {
  expect(postmasterOf(folder)).toBeUndefined();
  expect(readdirSync(join(scratch.root, 't'))).toEqual([]);
}

describe('a signal', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s stops all processes', async (signal) => {
    const running = server(dataDir);
    await running.url();
    const postmaster = postmasterOf(dataDir)!;
    expect(await running.stop(signal)).toBe(0);
    expect(isAlive(postmaster)).toBe(false);
    expectNothingLeft();
  });

  it('stops all processes when it is sent twice', async () => {
    const running = server(dataDir);
    await running.url();
    running.child.kill('SIGINT');
    running.child.kill('SIGINT');
    await running.line(/^Stopping$/);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expectNothingLeft();
  });

  it('stops all processes during the creation of the database', async () => {
    const fresh = scratch.dataDir();
    const starting = server(fresh);
    await starting.line(/^Creating a database/);
    expect(await starting.stop()).toBe(0);
    expect(starting.text).not.toContain('ready');
    expectNothingLeft(fresh);
  });

  it('stops all processes during the start of the server, even when it is sent twice', async () => {
    const starting = server(dataDir);
    await until('the database', () => postmasterOf(dataDir));
    starting.child.kill('SIGTERM');
    starting.child.kill('SIGTERM');
    expect(await starting.ended).toBe(0);
    expectNothingLeft();
  });
});

it('P11 closes DATA_DIR to other users with any umask', async () => {
  const fresh = scratch.dataDir();
  const others = (name: string) => (statSync(join(fresh, name)).mode & 0o077).toString(8);
  const start = () =>
    scratch.run('sh', ['-c', `umask 000; exec "$0" "$1"`, process.execPath, MAIN], { env: envOf(fresh) });
  const first = start();
  await first.url();
  expect(await first.stop()).toBe(0);
  const passing = statSync(join(fresh, 'postgres')).uid === statSync(fresh).uid ? '0' : '11';
  const names = readdirSync(fresh);
  expect(names).toEqual(expect.arrayContaining(['archives', 'emoji', 'media', 'postgres', 'secret.key', 'uploads']));
  expect([others('.'), ...names.map(others)]).toEqual([passing, ...names.map(() => '0')]);

  for (const name of names)
    if (name !== 'postgres') chmodSync(join(fresh, name), name === 'secret.key' ? 0o644 : 0o755);
  chmodSync(fresh, 0o755);
  const second = start();
  await second.url();
  expect(await second.stop()).toBe(0);
  expect([others('.'), ...names.map(others)]).toEqual([passing, ...names.map(() => '0')]);
});

describe('on a terminal', () => {
  const hasTerminal = spawnSync('script', ['--version']).status === 0;
  if (!hasTerminal) process.stderr.write('Skipped, since `script` is not on PATH: signals from a terminal\n');
  const onTerminal = hasTerminal ? it : it.skip;
  const inTerminal = () =>
    scratch.run('script', ['-qefc', `exec ${process.execPath} ${MAIN}`, '/dev/null'], { env: envOf(dataDir) });

  onTerminal('Ctrl-C stops all processes, also when it is pressed twice', async () => {
    const terminal = inTerminal();
    await terminal.url();
    terminal.child.stdin?.write(CTRL_C + CTRL_C);
    expect(await terminal.ended).toBe(0);
    expectNothingLeft();
  });

  onTerminal('closing the terminal stops all processes', async () => {
    const terminal = inTerminal();
    await terminal.url();
    const postmaster = postmasterOf(dataDir)!;
    await terminal.stop('SIGKILL');
    await until('the end of the database', () => !isAlive(postmaster) || undefined);
    await until('an empty folder', () => readdirSync(join(scratch.root, 't')).length === 0 || undefined);
  });
});

it('answers 503 while the database is away, restarts it and continues', async () => {
  const running = server(dataDir);
  const page = `${await running.url()}/api/v1/timelines/public`;
  const status = async () => (await fetch(page)).status;
  expect(await status()).toBe(200);
  process.kill(postmasterOf(dataDir)!, 'SIGKILL');
  const seen = new Set<number>();
  await until('an answer', async () => {
    const code = await status();
    if (code === 200 && running.text.includes('The database is back')) return true;
    if (code !== 200) seen.add(code);
    return undefined;
  });
  expect([...seen]).toEqual([503]);
  expect(await running.stop()).toBe(0);
  expectNothingLeft();
});

describe('an impossible start', () => {
  it('ends with 1 and a message when the environment is wrong', async () => {
    const wrong = server(scratch.dataDir(), { PORT: 'http', ROLE: 'web', SVC_ADMIN_PASSWORD: 'secret' });
    expect(await wrong.ended).toBe(1);
    expect(wrong.lines).toEqual([
      'The environment is not usable:',
      '  PORT: expected a number from 0 to 65535',
      '  SVC_ADMIN_PASSWORD: the password should be at least 8 character(s)',
      '  ROLE=web needs REDIS_URL: without it one process of the role "all" does everything',
      '  ROLE=web needs DATABASE_URL: the bundled PostgreSQL is for one process',
    ]);
  });

  it('ends with 1 before it creates a database when the port is taken', async () => {
    const first = server(dataDir);
    const port = new URL(await first.url()).port;
    const other = scratch.dataDir();
    const second = server(other, { PORT: port });
    expect(await second.ended).toBe(1);
    expect(second.lines).toEqual([
      `Cannot listen on 127.0.0.1:${port}: another program listens there. Set PORT or HOST.`,
    ]);
    expect(existsSync(other)).toBe(false);
    expect(await first.stop()).toBe(0);
  });

  it('ends with 1 and stops an existing database when the port is taken', async () => {
    const neighbour = createServer();
    await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve));
    const { port } = neighbour.address() as AddressInfo;
    const running = server(dataDir, { PORT: String(port) });
    expect(await running.ended).toBe(1);
    expect(running.lines).toEqual([
      `Cannot listen on 127.0.0.1:${port}: another program listens there. Set PORT or HOST.`,
    ]);
    expectNothingLeft();
    await new Promise((resolve) => neighbour.close(resolve));
  });

  it.each([
    ['the bundled database', {}],
    ['DATABASE_URL', { DATABASE_URL: urlOf(testDatabase) }],
  ])('ends with 1 and a sentence when DATA_DIR is a file, with %s', async (_name, env) => {
    const file = scratch.dataDir();
    writeFileSync(file, '');
    const lost = server(file, env);
    expect(await lost.ended).toBe(1);
    expect(lost.lines.at(-1)).toBe(
      `${file} is a file, and a folder is needed there. Move it away, or name another folder.`,
    );
    expect(lost.text).not.toContain('    at ');
  });

  it('ends with 1 and a message when the host to listen on is unknown', async () => {
    const lost = server(dataDir, { HOST: 'nowhere.invalid', PORT: '4000' });
    expect(await lost.ended).toBe(1);
    expect(lost.lines.at(-1)).toBe('Cannot listen on nowhere.invalid:4000: the host is not known. Set PORT or HOST.');
  });

  it('ends with 1 and a message when the database user may not create tables', async () => {
    const name = `stranger_${process.pid}`;
    await ask(testDatabase, `create database ${name} template template0`);
    await ask(testDatabase, `create role ${name} login password 'x'`);
    const { host, port } = testDatabase;
    const stranger = server(scratch.dataDir(), {
      DATABASE_URL: `postgres://${name}:x@/${name}?host=${host}&port=${port}`,
    });
    expect(await stranger.ended).toBe(1);
    await ask(testDatabase, `drop database ${name} with (force)`);
    await ask(testDatabase, `drop role ${name}`);
    expect(stranger.lines).toEqual([
      `The user ${name} may not make tables in the database ${name}: permission denied for schema public. Make it the owner.`,
    ]);
  });
});

it('a start says that a newer version has used the database, and is refused when that is wanted', async () => {
  const folder = await scratch.stoppedDatabase();
  const first = server(folder);
  await first.url();
  const borrower = scratch.node('borrower', [folder]);
  await ask(
    await borrower.address(),
    `insert into migrations ("timestamp", name) values (9999999999999, 'Later9999999999999')`,
  );
  await borrower.stop();
  await first.stop();
  const warned = server(folder);
  await warned.url();
  const words = /A newer version has used the database: \S+ does not know Later9999999999999\./;
  expect(await warned.line(/^WARNING/)).toMatch(words);
  await warned.stop();
  const env = { ...envOf(folder), STRICT: 'true' };
  for (const strict of [
    scratch.run(process.execPath, [MAIN], { env }),
    scratch.run(process.execPath, [MAIN, '--strict'], { env: envOf(folder) }),
  ]) {
    expect(await strict.ended).toBe(1);
    expect(strict.text).toMatch(words);
  }
});

it('a start that waits with a migration says so, and ends at a signal', async () => {
  const database = await makeDatabase();
  const holder = new pg.Client(database.address);
  await holder.connect();
  try {
    await holder.query(`delete from migrations where name = 'UnreadMessages1764000300000'`); // it can run again
    await holder.query('begin; lock table chat_entries in access exclusive mode');
    const env = { ...envOf(scratch.dataDir()), DATABASE_URL: urlOf(database.address) };
    const starting = scratch.run(process.execPath, [MAIN], { env });
    await starting.line(/^Bringing the database up to date: 1 migration$/);
    const command = scratch.run(process.execPath, [CTL, 'migrate'], { env });
    await command.line(/^Another process brings the database up to date$/);
    await waitersOf(holder, 1);
    expect(await starting.stop()).toBe(0);
    expect(starting.text).not.toMatch(/ready|Error/);
    await waitersOf(holder, 1);
    expect(await command.stop()).toBe(130);
    const here = '(select oid from pg_database where datname = current_database())';
    const waiting = `select from pg_locks where not granted and database = ${here}`;
    expect((await holder.query(waiting)).rows).toEqual([]);
  } finally {
    await holder.end();
    await database.drop();
  }
});

it('a start with another address than that of the accounts prints a warning', async () => {
  const same = server(dataDir);
  await same.url();
  expect(await same.stop()).toBe(0);
  expect(same.text).not.toContain('Warning');
  const moved = server(dataDir, { BASE_URL: 'https://moved.example' });
  await moved.url();
  expect(await moved.stop()).toBe(0);
  expect(moved.lines).toContainEqual(
    expect.stringMatching(/^Warning: BASE_URL is https:\/\/moved\.example, .* made under http:\/\/localhost:0 and/),
  );
  expectNothingLeft();
});

it('a second start on the same port waits for the end of the first and takes over the port', async () => {
  const port = String(await freePort()); // reserved, so that no other program takes it in between
  const first = server(dataDir, { PORT: port });
  await first.url();
  const second = server(dataDir, { PORT: port });
  await second.line(/^Another server runs on /);
  expect(await first.stop()).toBe(0);
  expect(await second.url()).toBe(`http://localhost:${port}`);
  await second.line(new RegExp(`Listening: 127\\.0\\.0\\.1:${port}$`));
  expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
  expect(await second.stop()).toBe(0);
  expectNothingLeft();
});

it('a second start says that it waits, and ends at a signal', async () => {
  const first = server(dataDir);
  await first.url();
  const second = server(dataDir);
  await second.line(new RegExp(`^Another server runs on .* \\(process ${first.pid}\\), waiting up to 30 s$`));
  expect(await second.stop()).toBe(0);
  expect(isAlive(postmasterOf(dataDir)!)).toBe(true);
  expect(await first.stop()).toBe(0);
  expectNothingLeft();
});
