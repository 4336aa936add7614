import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import supertest from 'supertest';
import { DataSource } from 'typeorm';
import { migrate } from '../../src/migrate.js';
import {
  Database,
  type Env,
  Metrics,
  ReadCaches,
  readEnv,
  Replicas,
  sql,
  UnitOfWork,
} from '../../src/platform/index.js';
import { EmbeddedPostgres } from '../../src/platform/embedded/embedded.js';
import { Replica } from '../../src/platform/replicas/replica.js';
import type { ConnectionOptions } from '../../src/platform/replicas/replica-session.js';
import { createApp } from '../../src/server.js';
import { copyToFollow } from '../process/replica-copy.js';
import { ask, Scratch } from '../process/scratch.js';
import { eventually } from '../support/eventually.js';
import { type Client, World } from '../support/fixtures/world.js';
import { urlOf } from '../support/servers/ctl.js';
import { ReplicaServer } from '../support/servers/replica.js';

/* ADR 35: replicas answer searches and public pages, and nothing that they may not know yet. */

const PUBLIC = '/api/v1/timelines/public';

/** Waits on a replica only, until something ends it. */
const slow = sql<{ rows: number }>(
  'test.replica_slow',
  `select count(*)::int as rows from locked_out
   where (select true from (select case when pg_is_in_recovery() then pg_sleep(60) end) waited)`,
  { replica: () => [] },
);

describe('a server with a replica', () => {
  const scratch = new Scratch();
  let primary: EmbeddedPostgres;
  let replica: ReplicaServer;
  let app: NestExpressApplication;
  let world: World;
  let alice: Client;
  let bob: Client;
  let carol: Client;

  beforeAll(async () => {
    const dataDir = scratch.dataDir();
    primary = await EmbeddedPostgres.startOrJoin({ dataDir, settings: { fsync: 'off' } });
    await migrate(primary.address);
    const client = new pg.Client(primary.address);
    await client.connect();
    await client.query('create table locked_out as select 1 as row');
    const copy = scratch.dataDir();
    await copyToFollow(client, dataDir, copy);
    await client.end();
    replica = new ReplicaServer(primary.address, copy, join(scratch.root, 't', 'r'));
    await replica.start();
    app = await createApp(envOf(urlOf(replica.address)), primary.address);
    await app.listen(0, '127.0.0.1');
    world = new World(app, supertest(app.getHttpServer()));
    await world.persons('alice', 'bob', 'carol');
    [alice, bob, carol] = await Promise.all([world.as('alice'), world.as('bob'), world.as('carol')]);
  }, 60_000);

  afterAll(async () => {
    await app.close();
    await replica.stop();
    await primary.stop();
    await scratch.remove();
  });

  function envOf(replicas: string): Env {
    return readEnv({
      BASE_URL: 'https://svc.test',
      PORT: '0',
      DATA_DIR: scratch.dataDir(),
      SECRET_KEY: 'ab'.repeat(32),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      DATABASE_URL: urlOf(primary.address),
      DATABASE_REPLICA_URL: replicas,
    });
  }

  const only = () => app.get(Replicas, { strict: false }).all[0]!;
  const answered = () => only().counts.answered;
  const write = async (client: Client, status: string) =>
    ((await client.post('/api/v1/statuses', { status }).expect(200)).body as { id: string }).id;
  const idsIn = ({ body }: supertest.Response) => {
    const found = (Array.isArray(body) ? body : (body as { statuses: unknown[] }).statuses) as { id: string }[];
    return found.map(({ id }) => id);
  };
  const page = async (client: Client, query = {}) => idsIn(await client.get(PUBLIC, query).expect(200));
  const find = async (client: Client, q: string) =>
    idsIn(await client.get('/api/v2/search', { q, type: 'statuses' }).expect(200));

  /** Repeats a read until the replica has answered it. */
  function byReplica<T>(read: () => Promise<T>): Promise<T> {
    return eventually(async () => {
      const before = answered();
      const result = await read();
      expect(answered()).toBe(before + 1);
      return result;
    });
  }

  async function withoutReplay(work: () => Promise<void>): Promise<void> {
    const replay = (action: string) => eventually(() => ask(replica.address, `select pg_wal_replay_${action}()`));
    await replay('pause'); // recovery may cancel the statement
    try {
      await work();
    } finally {
      await replay('resume');
    }
  }

  it('lets it answer searches, public pages and pages of accounts, with what was just written', async () => {
    const id = await write(bob, 'plums and #figs');
    const pageOf = (path: string, limit: number) => async () =>
      idsIn(await world.anonymous.get(path, { limit }).expect(200));
    expect(await byReplica(() => find(alice, 'plums'))).toEqual([id]);
    let limit = 20; // another one each time: the page is not in memory
    expect(await byReplica(() => pageOf(PUBLIC, (limit += 1))())).toEqual([id]);
    limit = 20;
    expect(await byReplica(() => pageOf(`/api/v1/accounts/${world.id('bob')}/statuses`, (limit += 1))())).toEqual([id]);
    expect(await byReplica(pageOf('/api/v1/timelines/tag/figs', 20))).toEqual([id]);
    const accounts = await byReplica(() => alice.get('/api/v2/search', { q: 'bob', type: 'accounts' }).expect(200));
    expect(accounts.body).toMatchObject({ accounts: [{ id: world.id('bob') }] });
    const tags = await byReplica(() => alice.get('/api/v2/search', { q: 'figs', type: 'hashtags' }).expect(200));
    expect(tags.body).toMatchObject({ hashtags: [{ name: 'figs' }] });
    const { text } = await app.get(Metrics, { strict: false }).render();
    expect(text).toContain('svc_db_replica_usable{replica="1"} 1');
    expect(text).toContain(`svc_db_replica_answered_total{replica="1"} ${answered()}`);
    const ready = await world.anonymous.get('/health/ready').expect(200);
    expect(ready.body).toEqual({ status: 'ok', replicas: ['ok'] });
  });

  it('shows no older answer than the primary, however far it is behind', async () => {
    const [gone, hidden, other] = [
      await write(bob, 'pears gone'),
      await write(bob, 'pears hidden'),
      await write(bob, 'pears'),
    ] as const;
    await byReplica(() => find(alice, 'pears'));
    await withoutReplay(async () => {
      await alice.post(`/api/v1/accounts/${world.id('bob')}/block`).expect(200);
      expect(await find(alice, 'pears')).toEqual([]);
      const own = await write(carol, 'pears of mine');
      expect(await find(carol, 'pears')).toEqual([own, other, hidden, gone]);
      expect(await page(carol)).toContain(own);
      expect(await page(world.anonymous, { limit: 30 })).toContain(own);
      expect(idsIn(await world.anonymous.get(`/api/v1/accounts/${world.id('carol')}/statuses`))).toEqual([own]);
      await bob.delete(`/api/v1/statuses/${gone}`).expect(200);
      expect(await find(world.anonymous, 'pears')).not.toContain(gone);
      expect(await find(world.anonymous, 'pears hidden')).toEqual([hidden]);
      await app.get(Database, { strict: false }).query('update statuses set visibility = 2 where id = $1', [hidden]);
      expect(await find(world.anonymous, 'pears hidden')).toEqual([]);
    });
    await alice.post(`/api/v1/accounts/${world.id('bob')}/unblock`).expect(200);
    expect(await byReplica(() => find(alice, 'pears'))).toContain(other);
  });

  it('lets it answer others while a change concerns one viewer', async () => {
    await byReplica(() => find(world.anonymous, 'plums'));
    await withoutReplay(async () => {
      await alice.post(`/api/v1/accounts/${world.id('bob')}/mute`).expect(200);
      const before = answered();
      await find(alice, 'plums');
      expect(answered()).toBe(before);
      await find(world.anonymous, 'plums');
      expect(answered()).toBe(before + 1);
    });
  });

  it('finds an account by its handle that the replica does not have yet', async () => {
    await byReplica(() => find(world.anonymous, 'plums'));
    await withoutReplay(async () => {
      await world.persons('dave');
      const search = { q: '@dave@svc.test', type: 'accounts' };
      const { body } = await world.anonymous.get('/api/v2/search', search).expect(200);
      expect(body).toMatchObject({ accounts: [{ id: world.id('dave') }] });
    });
  });

  it('reads from the primary inside a unit of work', async () => {
    await byReplica(() => find(world.anonymous, 'plums'));
    const before = { ...only().counts };
    const db = app.get(Database, { strict: false });
    await app.get(UnitOfWork, { strict: false }).run(() => db.rows(slow));
    expect(only().counts).toEqual(before);
  });

  it('reads from the primary while it may not know the changes of other servers', async () => {
    await byReplica(() => find(world.anonymous, 'plums'));
    const before = { ...only().counts };
    const changes = app.get(ReadCaches, { strict: false }).changes!;
    const { isComplete } = changes;
    changes.isComplete = () => false;
    try {
      expect(await find(world.anonymous, 'plums')).toHaveLength(1);
    } finally {
      changes.isComplete = isComplete;
    }
    expect(only().counts).toEqual(before);
  });

  it('repeats a read on the primary when recovery cancels it', async () => {
    await byReplica(() => find(world.anonymous, 'plums'));
    const { failed } = only().counts;
    const read = app.get(Database, { strict: false }).rows(slow);
    await eventually(async () => {
      const waiting = await ask(replica.address, `select from pg_stat_activity where wait_event = 'PgSleep'`);
      expect(waiting).toHaveLength(1);
    });
    await ask(primary.address, 'truncate locked_out');
    expect(await read).toEqual([{ rows: 0 }]);
    expect(only().counts.failed).toBe(failed + 1);
  });

  it('goes on while it hangs or is stopped, and uses it again', async () => {
    await byReplica(() => find(world.anonymous, 'plums'));
    await replica.signal('SIGSTOP');
    const inWork = find(world.anonymous, 'plums');
    await eventually(() => expect(only().state).toBe('unavailable'));
    expect(await inWork).toHaveLength(1);
    await replica.signal('SIGCONT');
    await eventually(() => expect(only().state).toBe('ok'));
    await replica.stop();
    expect(await find(world.anonymous, 'plums')).toHaveLength(1);
    await eventually(() => expect(only().state).toBe('unavailable'));
    await replica.start();
    await byReplica(() => find(world.anonymous, 'plums'));
  });

  it('closes a connection that opens while it ends', async () => {
    await byReplica(() => find(world.anonymous, 'plums'));
    const ending = new Replica(replica.address, app.get(DataSource).options.extra as ConnectionOptions);
    const opening = ending.follow(only().moment!);
    ending.close();
    await opening;
    expect(ending.state).toBe('unavailable');
  });

  it('leaves out a server that is no replica, or no longer one, and a login that may read nothing', async () => {
    await ask(primary.address, `create role stranger login password 'stranger'`);
    const stranger = { ...replica.address, user: 'stranger', password: 'stranger' };
    await eventually(() => ask(stranger, 'select 1'));
    const env = { ...envOf([replica.address, primary.address, stranger].map(urlOf).join()), role: 'worker' as const };
    const db = app.get(Database, { strict: false });
    expect(await new Replicas(app.get(DataSource), db, env).problems()).toEqual([
      expect.stringContaining(`${primary.address.host}:${primary.address.port}`),
      expect.stringContaining('permission denied'),
    ]);
    await byReplica(() => find(world.anonymous, 'plums'));
    await replica.promote();
    const id = await write(bob, 'the last plums');
    expect(await find(world.anonymous, 'last')).toEqual([id]);
    await eventually(() => expect(only().state).toBe('unavailable'));
    expect(await find(world.anonymous, 'last')).toEqual([id]);
  });
});
