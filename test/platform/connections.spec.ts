import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { isDatabaseAway } from '../../src/common/errors/database-errors.js';
import { Database, dataSourceOptions, sql, UnitOfWork } from '../../src/platform/index.js';
import { makeDatabase } from '../support/servers/database.js';
import { type Platform, startPlatform } from '../support/servers/platform.js';

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** The message of a database that shuts down or whose main process was killed. */
function fatal(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/**
 * A proxy in front of a database. When armed, it cuts a connection in the packet that reports it ready; when silent, it
 * loses all answers, as if the machine had vanished.
 */
class DyingGate {
  armed = false;
  silent = false;
  deaths = 0;
  private readonly server: Server;

  constructor(database: string) {
    this.server = createServer((client) => {
      const inside = connect(database);
      client.pipe(inside);
      inside.on('data', (chunk) => {
        if (this.silent) return;
        const dies = this.armed && chunk.subarray(-READY_FOR_QUERY.length).equals(READY_FOR_QUERY);
        client.write(dies ? Buffer.concat([chunk, fatal()]) : chunk);
        if (!dies) return;
        this.deaths += 1;
        client.end();
        inside.destroy();
      });
      for (const [one, other] of [
        [client, inside],
        [inside, client],
      ] as const) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
  }

  listen(): Promise<number> {
    return new Promise((resolve) =>
      this.server.listen(0, '127.0.0.1', () => resolve((this.server.address() as AddressInfo).port)),
    );
  }

  close(): Promise<unknown> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}

describe('J1 a database connection', () => {
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  let gate: DyingGate;
  let source: DataSource;

  beforeAll(async () => {
    database = await makeDatabase();
    const { host, port } = database.address;
    gate = new DyingGate(join(host, `.s.PGSQL.${port}`));
    const address = { ...database.address, host: '127.0.0.1', port: await gate.listen() };
    const options = dataSourceOptions(address, { entities: [], migrations: [] }, 'own');
    const { query_timeout } = options.extra as { readonly query_timeout: number };
    const extra: unknown = { ...options.extra, query_timeout: query_timeout / 100 };
    source = await new DataSource({ ...options, extra }).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await gate.close();
    await database.drop();
  });

  it('is replaced when it dies while it is handed out, and the process survives', async () => {
    const holder = source.createQueryRunner();
    await holder.connect(); // makes the next runner open a new connection
    gate.armed = true;
    const unlucky = source.createQueryRunner();
    await expect(unlucky.connect().then(() => unlucky.query('select 1'))).rejects.toThrow();
    await unlucky.release();
    gate.armed = false;
    expect(gate.deaths).toBe(1);

    expect(await source.query('select 1 as one')).toEqual([{ one: 1 }]);
    await holder.release();
  });

  it('fails and is replaced when the machine of the database vanishes', async () => {
    const uow = new UnitOfWork(source);
    const db = new Database(source, uow);
    const statement = sql('test.one', 'select 1 as one');
    const run = [
      () => db.query('select 1'),
      () => db.rows(statement), // by a connection that reads share
      () => uow.run(() => Promise.all([db.query('select 1'), db.rows(statement)])),
    ];
    await Promise.all(run.map((each) => each()));
    gate.silent = true;
    const failed = await Promise.allSettled(run.map((each) => each()));
    gate.silent = false;
    expect(failed.map((each) => each.status === 'rejected' && isDatabaseAway(each.reason))).toEqual([true, true, true]);
    await Promise.all([...run, ...run].map((each) => each()));
  });
});

describe('reads of one moment', () => {
  const ownPid = sql<{ pid: number }>('test.own_pid', 'select pg_backend_pid() as pid');
  const failing = sql('test.failing', 'select 1 / 0');
  const ending = sql('test.ending', 'select pg_terminate_backend(pg_backend_pid())');
  let platform: Platform;
  let db: Database;

  beforeAll(async () => {
    platform = await startPlatform([]);
    db = platform.get(Database);
  });
  afterAll(() => platform.close());

  it('share a connection, and each succeeds or fails alone', async () => {
    const [first, failed, third] = await Promise.allSettled([db.rows(ownPid), db.rows(failing), db.rows(ownPid)]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    expect(first).toMatchObject({ status: 'fulfilled' });
    expect(third).toEqual(first);
    expect(db.pool.idleCount).toBe(db.pool.totalCount);
  });

  it('do not wait for a write that waits for a lock', async () => {
    const uow = platform.get(UnitOfWork);
    const write = sql('test.write', 'update jobs set queue = queue');
    await db.query(`insert into jobs (name, queue) values ('test', 'test')`);
    const waiting = await uow.run(async () => {
      await db.run(write);
      const blocked = uow.outside(() => db.run(write));
      expect(await uow.outside(() => db.rows(ownPid))).toHaveLength(1);
      return { blocked };
    });
    expect(await waiting.blocked).toBe(1);
  });

  it('that lose their connection fail, and later ones get another', async () => {
    await Promise.allSettled([db.rows(ending), db.rows(ownPid)]);
    expect(await db.rows(ownPid)).toHaveLength(1);
  });
});

/** A database with settings of an operator, and connections of the server to it. */
async function setUp(settings: readonly string[]) {
  const database = await makeDatabase();
  const options = dataSourceOptions(database.address, { entities: [], migrations: [] });
  const operator = await new DataSource(options).initialize();
  for (const setting of settings) await operator.query(`alter database ${database.address.database} set ${setting}`);
  await operator.destroy();
  const source = await new DataSource(options).initialize();
  const drop = async () => {
    await source.destroy();
    await database.drop();
  };
  return { source, address: database.address, drop };
}

describe('a database with settings for other programs', () => {
  it('returns times and bytes in the usual format', async () => {
    const { source, drop } = await setUp([
      `DateStyle = 'German, DMY'`,
      `TimeZone = 'Asia/Kathmandu'`,
      `bytea_output = 'escape'`,
      'standard_conforming_strings = off',
    ]);
    const read = `select timestamptz '2026-05-01T10:20:30.1Z' as time, date '2026-05-01' as day, '\\x00ff'::bytea as bytes`;
    expect(await source.query(read)).toEqual([
      { time: '2026-05-01T10:20:30.100Z', day: '2026-05-01', bytes: Buffer.from([0, 255]) },
    ]);
    await drop();
  });

  it.each(['serializable', 'repeatable read'])(
    'lets units that change the same row run one after the other despite %s',
    async (level) => {
      const { source, drop } = await setUp([`default_transaction_isolation = '${level}'`]);
      await source.query('create table counts (n int); insert into counts values (0)');
      const [first, second] = [source.createQueryRunner(), source.createQueryRunner()];
      await first.query('begin');
      await second.query('begin');
      await first.query('select from counts');
      await second.query('select from counts');
      await first.query('update counts set n = n + 1');
      await first.query('commit');
      await second.query('update counts set n = n + 1');
      await second.query('commit');
      expect(await source.query('select n from counts')).toEqual([{ n: 2 }]);
      await first.release();
      await second.release();
      await drop();
    },
  );

  it('accepts writes and applies only the limits of the server', async () => {
    const { source, drop } = await setUp([
      'default_transaction_read_only = on',
      `statement_timeout = '200ms'`,
      `lock_timeout = '1ms'`,
      `idle_in_transaction_session_timeout = '1ms'`,
      `idle_session_timeout = '1h'`,
    ]);
    await source.query('create table notes as select 1 as id');
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout'];
    const read = 'select name, setting from pg_settings where name = any($1)';
    const bounds = await source.query<{ name: string; setting: string }[]>(read, [names]);
    expect(Object.fromEntries(bounds.map(({ name, setting }) => [name, setting]))).toEqual({
      statement_timeout: '15000',
      lock_timeout: '0',
      idle_in_transaction_session_timeout: '20000',
      idle_session_timeout: '0',
    });
    await drop();
  });

  it('stores new tables in the schema of the operator', async () => {
    const { source, drop } = await setUp(['search_path = social, public']);
    await source.query('create schema social; create table social.notes (); create table placed ()');
    expect(
      await source.query(`select 'placed'::regclass::text as seen, to_regclass('social.placed') is not null as there`),
    ).toEqual([{ seen: 'placed', there: true }]);
    await drop();
  });
});
