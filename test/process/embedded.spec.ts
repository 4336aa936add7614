import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EmbeddedLogSweep } from '../../src/platform/embedded-log.sweep.js';
import { EmbeddedPostgres } from '../../src/platform/embedded/embedded.js';
import { ask, isAlive, postmasterOf, Scratch, until } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

const socketDir = () => join(scratch.root, 't', 's');
const start = (dataDir: string) => EmbeddedPostgres.startOrJoin({ dataDir, socketDir: socketDir() });

describe('a fresh cluster', () => {
  it('is private, accepts connections only by socket and password, and sorts the same on every machine', async () => {
    const dataDir = scratch.dataDir();
    const database = await start(dataDir);
    const [facts] = await ask(
      database.address,
      `select current_user as who, current_setting('listen_addresses') as listens, datlocprovider as provider,
              datlocale as locale, pg_encoding_to_char(encoding) as encoding
         from pg_database where datname = current_database()`,
    );
    expect(facts).toEqual({ who: 'svc', listens: '', provider: 'b', locale: 'C.UTF-8', encoding: 'UTF8' });
    expect(database.address.database).toBe('svc');
    await expect(ask({ ...database.address, password: 'wrong' }, 'select')).rejects.toThrow('password authentication');
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
    expect(statSync(database.address.host).mode & 0o777).toBe(0o700);
    await database.stop();
    expect(isAlive(database.pid)).toBe(false);
    expect(existsSync(database.address.host)).toBe(false);
  });

  it('is created once when two processes start at the same moment', async () => {
    const dataDir = scratch.dataDir();
    const [one, two] = [scratch.node('borrower', [dataDir]), scratch.node('borrower', [dataDir])];
    expect(await one.address()).toEqual(await two.address());
    expect(readdirSync(join(dataDir, 'postgres')).sort()).toEqual(['data', 'password', 'server.log']);
    expect(await Promise.all([one.stop(), two.stop()])).toEqual([0, 0]);
    await until('the end of the database', () => postmasterOf(dataDir) === undefined || undefined);
  });

  it('is created again after its creator was killed halfway', async () => {
    const dataDir = scratch.dataDir();
    const killed = scratch.node('borrower', [dataDir]);
    const drafts = () => readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('new-'));
    const [draft = ''] = await until('initdb', () => {
      const found = existsSync(join(dataDir, 'postgres')) ? drafts() : [];
      return found.length > 0 ? found : undefined;
    });
    await killed.stop('SIGKILL');
    expect(existsSync(join(dataDir, 'postgres/data'))).toBe(false);
    await until('the end of initdb', () => !commandLines().some((line) => line.includes(draft)) || undefined);
    const ours = join(dataDir, 'postgres', `new-${process.ppid}-living`);
    mkdirSync(ours);
    const database = await start(dataDir);
    expect(await ask(database.address, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(drafts()).toEqual([`new-${process.ppid}-living`]); // another process still works in this folder
    await database.stop();
  });
});

describe('the socket folder', () => {
  it('is the same at every start, so that clients find it again', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const first = await EmbeddedPostgres.startOrJoin({ dataDir });
    await first.stop();
    const second = await EmbeddedPostgres.startOrJoin({ dataDir });
    expect(second.address).toEqual(first.address);
    await second.stop();
  });

  it('is another one when a foreign folder has its name', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const first = await EmbeddedPostgres.startOrJoin({ dataDir });
    await first.stop();
    const { host } = first.address;
    mkdirSync(host);
    chmodSync(host, 0o777);
    try {
      const second = await EmbeddedPostgres.startOrJoin({ dataDir });
      expect(second.address.host).not.toBe(host);
      expect(await ask(second.address, 'select 1 as one')).toEqual([{ one: 1 }]);
      await second.stop();
      expect(existsSync(second.address.host)).toBe(false);
    } finally {
      rmdirSync(host);
    }
  });

  it('is refused when its path is too long', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const long = join(scratch.root, 'l'.repeat(80));
    await expect(EmbeddedPostgres.startOrJoin({ dataDir, socketDir: long })).rejects.toThrow(/too long/);
  });
});

describe('a start after a crash', () => {
  it('succeeds when the process of the pid file is gone', async () => {
    const { dataDir, pid } = await crashed();
    expect(isAlive(pid)).toBe(false);
    const database = await start(dataDir);
    expect(database.joined).toBe(false);
    await database.stop();
  });

  it('succeeds when another program has the id in the pid file', async () => {
    const { dataDir, pid } = await crashed();
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
    const file = join(dataDir, 'postgres/data/postmaster.pid');
    writeFileSync(file, readFileSync(file, 'utf8').replace(String(pid), String(stranger.pid)));
    const database = await start(dataDir);
    expect(database.pid).not.toBe(stranger.pid);
    expect(isAlive(stranger.pid!)).toBe(true);
    await database.stop();
    expect(isAlive(stranger.pid!)).toBe(true);
    stranger.kill();
  });

  it('succeeds right after the postmaster was killed', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const first = await start(dataDir);
    process.kill(first.pid, 'SIGKILL');
    const second = await start(dataDir);
    expect(second.pid).not.toBe(first.pid);
    expect(await ask(second.address, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
  });

  it('does not mistake the server of the original folder for that of a copy', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const original = await start(dataDir);
    const copy = scratch.dataDir();
    execFileSync('cp', ['-a', dataDir, copy]);
    const second = await EmbeddedPostgres.startOrJoin({ dataDir: copy, socketDir: `${socketDir()}2` });
    expect(second.joined).toBe(false);
    expect(second.pid).not.toBe(original.pid);
    await second.stop();
    await original.stop();
  });

  async function crashed(): Promise<{ dataDir: string; pid: number }> {
    const dataDir = await scratch.stoppedDatabase();
    const { pid } = await start(dataDir);
    process.kill(pid, 'SIGKILL');
    const data = join(dataDir, 'postgres/data');
    await until('the end of its processes', () => !processesIn(data) || undefined);
    return { dataDir, pid };
  }
});

describe('an impossible start', () => {
  it('is refused for another major version, with instructions', async () => {
    const dataDir = await scratch.stoppedDatabase();
    writeFileSync(join(dataDir, 'postgres/data/PG_VERSION'), '17\n');
    await expect(start(dataDir)).rejects.toThrow(
      /made by PostgreSQL 17, .* brings PostgreSQL 18.*pg_dump of PostgreSQL 18.*pg_restore/s,
    );
  });

  it('is refused in a folder that is no data folder of PostgreSQL', async () => {
    const dataDir = scratch.dataDir();
    mkdirSync(join(dataDir, 'postgres/data/photos'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres/password'), 'x');
    await expect(start(dataDir)).rejects.toThrow(/data is not the data folder of a PostgreSQL server: move it away/);
    expect(readdirSync(join(dataDir, 'postgres')).sort()).toEqual(['data', 'password']);
  });

  it('is refused when the password is missing', async () => {
    const dataDir = await scratch.stoppedDatabase();
    execFileSync('rm', [join(dataDir, 'postgres/password')]);
    await expect(start(dataDir)).rejects.toThrow(/password is missing/);
  });

  it('shows the message of PostgreSQL', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const options = { dataDir, socketDir: socketDir(), settings: { work_mem: 'plenty' } };
    await expect(EmbeddedPostgres.startOrJoin(options)).rejects.toThrow(/did not start:.*work_mem.*plenty/s);
  });

  it('leaves nothing behind when it is cancelled', async () => {
    const dataDir = await scratch.stoppedDatabase();
    writeFileSync(join(dataDir, 'postgres/data/standby.signal'), ''); // the start never ends: it waits for a server
    const stop = new AbortController();
    const settings = { hot_standby: 'off' };
    const starting = EmbeddedPostgres.startOrJoin({ dataDir, socketDir: socketDir(), settings, signal: stop.signal });
    const given = expect(starting).rejects.toThrow('aborted');
    await until('the server', () => postmasterOf(dataDir));
    stop.abort();
    await given;
    expect(postmasterOf(dataDir)).toBeUndefined();
  });
});

it('stops a server that another process started, and waits for its end', async () => {
  const dataDir = await scratch.stoppedDatabase();
  const first = await start(dataDir);
  const joined = await EmbeddedPostgres.startOrJoin({ dataDir });
  expect(joined.joined).toBe(true);
  expect(joined.address).toEqual(first.address);
  expect(joined.pid).toBe(first.pid);
  await joined.stop();
  expect(isAlive(first.pid)).toBe(false);
  await first.stop();
});

it('begins a new log when the old one is too long, also while it runs', async () => {
  const dataDir = await scratch.stoppedDatabase();
  const log = join(dataDir, 'postgres/server.log');
  const most = 10 * 1024 * 1024;
  truncateSync(log, most + 1);
  const database = await start(dataDir);
  expect(statSync(`${log}.1`).size).toBe(most);
  expect(readFileSync(log, 'utf8')).toMatch(/ready to accept connections/);
  truncateSync(log, most + 1);
  await new EmbeddedLogSweep({ dataDir }).sweep();
  await new EmbeddedLogSweep({ dataDir }).sweep();
  await database.stop();
  expect(statSync(`${log}.1`).size).toBe(most);
  expect(readFileSync(log, 'utf8')).toMatch(/^[^\0]*database system is shut down/);
});

it('writes no texts of users to its log', async () => {
  const dataDir = await scratch.stoppedDatabase();
  const database = await start(dataDir);
  await ask(database.address, 'create table folders (name text primary key)');
  const add = () => ask(database.address, "insert into folders values ('my secret')");
  await add();
  await expect(add()).rejects.toThrow('duplicate key');
  await database.stop();
  const log = readFileSync(join(dataDir, 'postgres/server.log'), 'utf8');
  expect(log).toContain('duplicate key');
  expect(log).not.toContain('my secret');
});

it('outlives the process that started it', async () => {
  const dataDir = await scratch.stoppedDatabase();
  const starter = scratch.node('borrower', [dataDir]);
  const address = await starter.address();
  await starter.stop('SIGKILL');
  expect(await ask(address, 'select 1 as one')).toEqual([{ one: 1 }]);
  const heir = await EmbeddedPostgres.startOrJoin({ dataDir });
  expect(heir.joined).toBe(true);
  await heir.stop();
});

function commandLines(): string[] {
  return execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n');
}

/** Whether a process has `data` as its working folder, as PostgreSQL processes do. */
function processesIn(data: string): boolean {
  const cwds = execFileSync('sh', ['-c', 'ls -l /proc/[0-9]*/cwd 2>/dev/null || true'], { encoding: 'utf8' });
  return cwds.includes(data);
}
