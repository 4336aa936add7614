import type { DatabaseAddress } from '../../src/platform/index.js';
import { ask, isAlive, postmasterOf, Scratch, until } from './scratch.js';

const testDatabase = JSON.parse(process.env['TEST_DATABASE_ADDRESS'] ?? '{}') as DatabaseAddress;

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** Cuts the connections that hold locks of this database. */
const BREAK_LOCKS = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())`;

const gone = (pid: number) => until(`the end of ${pid}`, () => !isAlive(pid) || undefined);

describe('the owner of the database', () => {
  it('stops the database, which releases the lock', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const first = scratch.node('holder', [dataDir]);
    await first.address();
    const postmaster = postmasterOf(dataDir)!;
    const second = scratch.node('holder', [dataDir]);
    await second.line(new RegExp(`^Another server runs on .*d\\d+ \\(process ${first.pid}\\), waiting up to 20 s$`));
    expect(await first.stop()).toBe(0);
    expect(first.lines).toContain('RELEASED');
    await second.address();
    expect(isAlive(postmaster)).toBe(false); // the second server has its lock in a new database process
    expect(postmasterOf(dataDir)).not.toBe(postmaster);
    expect(await second.stop()).toBe(0);
    expect(postmasterOf(dataDir)).toBeUndefined();
  });

  it('takes over a database whose owner was killed', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const first = scratch.node('holder', [dataDir]);
    const address = await first.address();
    const postmaster = postmasterOf(dataDir)!;
    const second = scratch.node('holder', [dataDir]);
    await second.line(/^Another server runs/);
    await first.stop('SIGKILL');
    expect(await second.address()).toEqual(address);
    expect(postmasterOf(dataDir)).toBe(postmaster);
    expect(await second.stop()).toBe(0);
    await gone(postmaster);
  });

  it('uses the database that a killed owner left running', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const first = scratch.node('holder', [dataDir]);
    await first.address();
    const postmaster = postmasterOf(dataDir)!;
    await first.stop('SIGKILL');
    const second = scratch.node('holder', [dataDir]);
    await second.address();
    expect(postmasterOf(dataDir)).toBe(postmaster);
    expect(await second.stop()).toBe(0);
    await gone(postmaster);
  });

  it('starts again after the owner and the database were killed together', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const first = scratch.node('holder', [dataDir]);
    await ask(await first.address(), 'create table kept as select 1 as one');
    const postmaster = postmasterOf(dataDir)!;
    process.kill(postmaster, 'SIGKILL');
    await first.stop('SIGKILL');
    const second = scratch.node('holder', [dataDir]);
    expect(await ask(await second.address(), 'select one from kept')).toEqual([{ one: 1 }]);
    expect(postmasterOf(dataDir)).not.toBe(postmaster);
    expect(await second.stop()).toBe(0);
  });

  it('restarts a database that died, at the same address, and keeps the lock', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const owner = scratch.node('holder', [dataDir]);
    const address = await owner.address();
    process.kill(postmasterOf(dataDir)!, 'SIGKILL');
    await owner.line(/^The database is back$/);
    expect(await ask(address, 'select 1 as one')).toEqual([{ one: 1 }]);
    const rival = scratch.node('holder', [dataDir, '200']);
    expect(await rival.ended).toBe(1);
    expect(await owner.stop()).toBe(0);
    expect(postmasterOf(dataDir)).toBeUndefined();
  });

  it('ends when another server took over the database, and leaves the database running', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const owner = scratch.node('holder', [dataDir, '300']);
    const address = await owner.address();
    const rival = scratch.node('holder', [dataDir]);
    await rival.line(/^Another server runs/);
    owner.child.kill('SIGSTOP');
    await ask(address, BREAK_LOCKS);
    await rival.address();
    owner.child.kill('SIGCONT');
    await owner.line(/^LOST Another server runs on/);
    expect(await owner.ended).toBe(0);
    expect(await ask(address, 'select 1 as one')).toEqual([{ one: 1 }]); // the first owner did not stop it
    expect(await rival.stop()).toBe(0);
  });
});

describe('a second start', () => {
  it('gives up with a clear message', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const first = scratch.node('holder', [dataDir]);
    await first.address();
    const second = scratch.node('holder', [dataDir, '300']);
    expect(await second.ended).toBe(1);
    expect(second.text).toMatch(/^FAILED StartError: Another server runs on .*; gave up after 0\.3 s\. Stop it first/m);
    expect(isAlive(postmasterOf(dataDir)!)).toBe(true);
    expect(await first.stop()).toBe(0);
  });

  it('tells a command that has the database for itself from a server, and so does a second command', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const first = scratch.node('borrower', [dataDir, 'claim']);
    await first.address();
    const forItself = new RegExp(`^A command has .* for itself \\(process ${first.pid}\\), waiting`);
    const [server, second] = [scratch.node('holder', [dataDir]), scratch.node('borrower', [dataDir])];
    await Promise.all([server, second].map((waiting) => waiting.line(forItself)));
    const third = scratch.node('borrower', [dataDir, 'claim']);
    expect(await third.ended).toBe(1);
    expect(third.text).toMatch(new RegExp(`A command uses .* \\(process ${first.pid}\\)\\. Stop it first\\.`));
    expect(await first.stop()).toBe(0);
    await Promise.all([server.address(), second.address()]);
    expect(await second.stop()).toBe(0);
    expect(await server.stop()).toBe(0);
  });

  it('stops waiting at a signal', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const first = scratch.node('holder', [dataDir]);
    await first.address();
    const second = scratch.node('holder', [dataDir, '600000']);
    await second.line(/^Another server runs/);
    expect(await second.stop()).toBe(0);
    expect(isAlive(first.pid)).toBe(true);
    expect(await first.stop()).toBe(0);
  });

  it('at the same time on an empty folder creates one database with one owner', async () => {
    const dataDir = scratch.dataDir();
    const rivals = [scratch.node('holder', [dataDir]), scratch.node('holder', [dataDir])];
    const winner = await until('an owner', () => rivals.find((rival) => /^HELD/m.test(rival.text)));
    const loser = rivals.find((rival) => rival !== winner)!;
    await loser.line(/^Another server runs/);
    expect(await winner.stop()).toBe(0);
    await loser.address();
    expect(await loser.stop()).toBe(0);
    expect(postmasterOf(dataDir)).toBeUndefined();
  });
});

describe('a borrower', () => {
  it('uses the database of the owner and leaves it running', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const owner = scratch.node('holder', [dataDir]);
    const address = await owner.address();
    const borrower = scratch.node('borrower', [dataDir]);
    expect(await borrower.address()).toEqual(address);
    expect(await borrower.stop()).toBe(0);
    expect(await ask(address, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await owner.stop()).toBe(0);
  });

  it('starts a database that does not run, and the last borrower stops it', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const first = scratch.node('borrower', [dataDir]);
    const address = await first.address();
    const second = scratch.node('borrower', [dataDir]);
    await second.address();
    expect(await first.stop()).toBe(0);
    expect(await ask(address, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await second.stop()).toBe(0);
    expect(postmasterOf(dataDir)).toBeUndefined();
  });

  it('leaves its database to a server that took it over', async () => {
    const dataDir = await scratch.stoppedDatabase();
    const borrower = scratch.node('borrower', [dataDir]);
    const address = await borrower.address();
    const owner = scratch.node('holder', [dataDir]);
    await owner.address();
    expect(await borrower.stop()).toBe(0);
    expect(await ask(address, 'select 1 as one')).toEqual([{ one: 1 }]);
    const postmaster = postmasterOf(dataDir)!;
    expect(await owner.stop()).toBe(0);
    await gone(postmaster);
  });
});

describe('a server with DATABASE_URL', () => {
  const database = `hold_${process.pid}`;
  const urlOf = ({ host, port, user, password }: DatabaseAddress) =>
    `postgres://${user}:${password}@/${database}?host=${host}&port=${port}`;
  const holder = (url: string, waitMs = '20000') =>
    scratch.node('holder', [scratch.dataDir(), waitMs], { env: { DATABASE_URL: url } });

  beforeAll(() => ask(testDatabase, `create database ${database}`));
  afterAll(() => ask(testDatabase, `drop database ${database} with (force)`));

  it('waits for the lock in the same way, and leaves the database running', async () => {
    const first = holder(urlOf(testDatabase));
    const address = await first.address();
    const second = holder(urlOf(testDatabase));
    await second.line(/^Another server runs on the database hold_\d+ at .* \(process \d+\), waiting up to 20 s$/);
    const third = holder(urlOf(testDatabase), '200');
    expect(await third.ended).toBe(1);
    expect(await first.stop()).toBe(0);
    await second.address();
    expect(await second.stop()).toBe(0);
    expect(await ask(address, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('renews a broken connection together with its lock', async () => {
    const owner = holder(urlOf(testDatabase));
    const address = await owner.address();
    await ask(address, BREAK_LOCKS);
    await owner.line(/^The database is back$/);
    const rival = holder(urlOf(testDatabase), '200');
    expect(await rival.ended).toBe(1);
    expect(await owner.stop()).toBe(0);
  });

  it('waits for a database that does not answer, and then gives up', async () => {
    const server = holder('postgres://svc:x@127.0.0.1:1/svc', '300');
    expect(await server.ended).toBe(1);
    expect(server.lines[0]).toMatch(/^No answer from the database svc at 127\.0\.0\.1:1 \(.*\), waiting up to 0\.3 s$/);
    expect(server.lines.at(-1)).toMatch(/^FAILED StartError: No answer from .*; gave up after 0\.3 s$/);
  });

  it('refuses a database with an encoding other than UTF8', async () => {
    const name = `latin_${process.pid}`;
    await ask(
      testDatabase,
      `create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
    );
    const server = holder(urlOf(testDatabase).replace(database, name));
    expect(await server.ended).toBe(1);
    await ask(testDatabase, `drop database ${name} with (force)`);
    expect(server.lines).toEqual([
      expect.stringMatching(
        /^FAILED StartError: A database in UTF8 is needed; the database latin_\d+ at .* is in LATIN1\.$/,
      ),
    ]);
  });

  it('reports a refused login at once', async () => {
    const server = holder(urlOf({ ...testDatabase, password: 'wrong' }));
    expect(await server.ended).toBe(1);
    expect(server.lines).toEqual([
      expect.stringMatching(/^FAILED StartError: Refused by the database .*: password authentication failed/),
    ]);
  });
});
