import { generateKeyPairSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import supertest from 'supertest';
import { AccountActivated } from '../../src/accounts/index.js';
import { Settings, SettingsService } from '../../src/config/index.js';
import { EMOJI_CHANGED, EmojiChanged } from '../../src/emoji/index.js';
import { RemoteKeys } from '../../src/federation/signatures/remote-keys.js';
import { RULES_CHANGED, STAFF_CHANGED } from '../../src/instance/model/instance.channels.js';
import { RulesChanged } from '../../src/instance/model/instance.events.js';
import { Bus, Database, Events, hashToken, SIGN_INS, UnitOfWork } from '../../src/platform/index.js';
import { ANSWER_MS } from '../../src/platform/database/data-source.js';
import { RedisConnections } from '../../src/platform/redis/redis.js';
import { createApp } from '../../src/server.js';
import { Scratch } from '../process/scratch.js';
import { eventually } from '../support/eventually.js';
import { World } from '../support/fixtures/world.js';
import { countQueries } from '../support/queries.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { urlOf } from '../support/servers/ctl.js';
import { describeWithRedis, RedisServer } from '../support/servers/redis.js';
import { staleRounds } from '../support/stale-rounds.js';

/* ADR 25: several servers of one database cache what they read, and send each other the subjects of changes. */

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const ROUNDS = 500;
const WHO = '/api/v1/accounts/verify_credentials';
const RENAME = 'update accounts set display_name = $2, version = version + 1 where id = $1';
const nameIn = ({ body }: supertest.Response) => (body as { display_name?: string }).display_name;

describeWithRedis('one of several servers', () => {
  const scratch = new Scratch();
  let redis: RedisServer;
  let app: TestApp;
  let second: NestExpressApplication;
  let elsewhere: World;
  let erinToken: string;
  let frankToken: string;

  beforeAll(async () => {
    redis = await RedisServer.start(scratch);
    app = await startApp({ REDIS_URL: redis.url, DATABASE_URL: 'postgres://postgres@localhost/svc' });
    second = await createApp(app.env, app.address);
    elsewhere = new World(second, supertest(second.getHttpServer()));
    await app.world.persons('erin', 'frank');
    [erinToken, frankToken] = (await Promise.all([app.world.as('erin'), app.world.as('frank')])).map(
      ({ token }) => token,
    ) as [string, string];
    await bothUseCaches();
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    await second.close();
    await app.close();
    await scratch.remove();
  });

  /** The clients of a server in a process of its own. */
  async function startProcess(): Promise<World> {
    const program = scratch.run(process.execPath, [MAIN], {
      env: {
        BASE_URL: app.env.baseUrl,
        PORT: '0',
        ROLE: 'web',
        DATA_DIR: app.env.dataDir,
        DATABASE_URL: urlOf(app.address),
        REDIS_URL: redis.url,
        SECRET_KEY: 'ab'.repeat(32),
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      },
    });
    const [, port] = / Listening: \S*:(\d+)/.exec(await program.line(/ Listening: /))!;
    return new World(app.nest, supertest(`http://127.0.0.1:${port}`));
  }

  /** The statements of a read on each server after a first one. */
  async function warmReads(): Promise<string[]> {
    const statements: string[] = [];
    for (const server of [app.world, elsewhere]) {
      await server.client(frankToken).get(WHO).expect(200);
      statements.push(...(await countQueries(() => server.client(frankToken).get(WHO).expect(200))).statements);
    }
    return statements;
  }

  const bothUseCaches = () => eventually(async () => expect(await warmReads()).toEqual([]));

  /** Ends all connections to the database, of both servers. */
  async function endConnections(): Promise<void> {
    const admin = new pg.Client(app.address);
    await admin.connect();
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await admin.end();
  }

  /** Counts the writes that go on without an answer of every server; an answer may take long on a busy machine. */
  function countGivenUp(): () => number {
    const timers = setTimeout;
    let count = 0;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, ms?: number) => {
      if (ms !== ANSWER_MS) return timers(run, ms);
      const giveUp = () => {
        count += 1;
        run();
      };
      return timers(giveUp, 5 * ANSWER_MS);
    });
    return () => count;
  }

  const rename = (name: string) => app.sql(RENAME, [app.world.id('erin'), name]);

  /** Changes Erin's name on the first server; the second must show it in the next answer. */
  async function expectNameSeen(name: string): Promise<void> {
    const values = { display_name: name };
    await app.world.client(erinToken).patch('/api/v1/accounts/update_credentials', values).expect(200);
    expect(nameIn(await elsewhere.client(erinToken).get(WHO))).toBe(name);
  }

  it('answers from memory', () => bothUseCaches());

  it(`O10 V1 never serves stale data, in ${ROUNDS} rounds of changes and reads, also in another process`, async () => {
    const another = await startProcess();
    expect(await staleRounds(app, [another, elsewhere, app.world], ROUNDS)).toEqual([]);
  }, 120_000);

  it.each<readonly [what: string, write: (work: () => Promise<unknown>) => Promise<unknown>]>([
    ['statement', (work) => work()],
    ['unit of work', (work) => app.get(UnitOfWork).run(work)],
  ])('ends a %s only after the other servers have the change', async (_what, write) => {
    const [asked, received] = [Promise.withResolvers<undefined>(), Promise.withResolvers<boolean>()];
    const publish = jest.spyOn(app.get(Bus), 'publishToOthers');
    publish.mockImplementationOnce(() => (asked.resolve(undefined), received.promise));
    let hasEnded = false;
    const end = write(() => rename('Held')).then(() => (hasEnded = true));
    await asked.promise;
    await second.get(Database).query('select 1'); // as long as another answer takes
    expect(hasEnded).toBe(false);
    received.resolve(true);
    await end;
  });

  it('receives a change through PostgreSQL when Redis refuses it', async () => {
    await bothUseCaches();
    await elsewhere.client(erinToken).get(WHO).expect(200);
    jest.spyOn(app.get(Bus), 'publishToOthers').mockResolvedValueOnce(false);
    await rename('Notified');
    expect(nameIn(await elsewhere.client(erinToken).get(WHO))).toBe('Notified');
  });

  it('O10 ends a write without Redis only after the other servers have the change through PostgreSQL', async () => {
    await bothUseCaches();
    await elsewhere.client(erinToken).get(WHO).expect(200);
    const { pool } = second.get(Database);
    const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    await Promise.all(clients.map((client) => client.query('begin'))); // a transaction hears nothing until its end
    jest.spyOn(app.get(Bus), 'publishToOthers').mockResolvedValueOnce(false);
    let hasEnded = false;
    const end = rename('Late').then(() => (hasEnded = true));
    for (let round = 0; round < 30; round += 1) await app.sql('select 1'); // longer than the write takes by itself
    const endedEarly = hasEnded;
    await Promise.all(clients.map((client) => client.query('rollback').then(() => client.release())));
    await end;
    expect(endedEarly).toBe(false);
    expect(nameIn(await elsewhere.client(erinToken).get(WHO))).toBe('Late');
  });

  it('answers changes of other servers while all its own connections wait for answers', async () => {
    const servers = [app.nest, second];
    const size = app.get(Database).pool.options.max;
    const all = Promise.withResolvers<boolean>();
    let committed = 0;
    for (const server of servers)
      jest.spyOn(server.get(Bus), 'publishToOthers').mockImplementation(() => {
        committed += 1;
        if (committed === servers.length * size) all.resolve(false);
        return all.promise;
      });
    const givenUp = countGivenUp();
    const values = [app.world.id('erin'), 'Both'];
    await Promise.all(
      servers.flatMap((server) =>
        Array.from({ length: size }, () => server.get(Database).pool.query({ text: RENAME, values })),
      ),
    );
    expect(committed).toBe(servers.length * size);
    expect(givenUp()).toBe(0);
  });

  it('fails a write whose change reached no other server', async () => {
    jest.spyOn(app.get(Bus), 'publishToOthers').mockImplementationOnce(async () => {
      await endConnections();
      return false;
    });
    await expect(rename('Unpublished')).rejects.toThrow(/terminating connection/);
  });

  it('publishes nothing when an idle connection ends', async () => {
    await bothUseCaches();
    const publish = jest.spyOn(app.get(Bus), 'publishToOthers');
    await endConnections();
    await eventually(() => expect(app.get(Database).pool.totalCount).toBe(0));
    expect(publish).not.toHaveBeenCalled();
  });

  it('begins a request after it has received all earlier changes', async () => {
    await bothUseCaches();
    await elsewhere.client(erinToken).get(WHO).expect(200);
    const [asked, arrived] = [Promise.withResolvers<undefined>(), Promise.withResolvers<boolean>()];
    jest.spyOn(second.get(Bus), 'catchUp').mockImplementationOnce(() => (asked.resolve(undefined), arrived.promise));
    const answer = elsewhere.client(erinToken).get(WHO).then(nameIn);
    await asked.promise;
    await rename('Changed');
    arrived.resolve(await second.get(Bus).catchUp());
    expect(await answer).toBe('Changed');
  });

  it('O10 drops sign-ins that end on another server', async () => {
    await bothUseCaches();
    const publish = jest.spyOn(app.get(Bus), 'publishToOthers');
    const { token } = await app.world.as('frank', 'read', 'follow');
    await elsewhere.client(token).get(WHO).expect(200);
    await app.sql('delete from oauth_tokens where token_hash = $1', [hashToken(token)]);
    expect(publish).toHaveBeenLastCalledWith('platform.changed', expect.arrayContaining([SIGN_INS]));
    await bothUseCaches();
    await app.get(Bus).publishToOthers('platform.changed', [SIGN_INS]);
    const again = await countQueries(() => elsewhere.client(frankToken).get(WHO).expect(200));
    expect(again.statements).toContain('oauth.resolve');
  });

  it('invalidates all values when it may have missed messages', async () => {
    for (const name of ['Lost', 'Lost again', 'Lost once more']) {
      await bothUseCaches();
      await elsewhere.client(erinToken).get(WHO).expect(200);
      await redis.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await expectNameSeen(name);
      await bothUseCaches();
      expect(nameIn(await elsewhere.client(erinToken).get(WHO))).toBe(name);
    }
  });

  it('invalidates values that a server of an earlier version changes', async () => {
    await elsewhere.client(erinToken).get(WHO).expect(200);
    const earlier = new pg.Client({ ...app.address, options: '-c svc.changes=none' });
    await earlier.connect();
    await earlier.query(RENAME, [app.world.id('erin'), 'Earlier']);
    await earlier.end();
    await eventually(async () => {
      expect(nameIn(await elsewhere.client(erinToken).get(WHO))).toBe('Earlier');
    });
  });

  it('follows changed settings, emoji, rules and staff without Redis', async () => {
    await bothUseCaches();
    const followed: string[] = [];
    for (const channel of [EMOJI_CHANGED, RULES_CHANGED, STAFF_CHANGED])
      second.get(Bus).subscribe(channel, () => void followed.push(channel));
    await redis.kill();
    await app.get(SettingsService).update([{ path: 'instance.name', value: 'Without Redis' }]);
    await app.get(UnitOfWork).run(() => {
      for (const event of [new EmojiChanged(), new RulesChanged(), new AccountActivated(app.world.id('erin'), true)])
        app.get(Events).emit(event);
      return Promise.resolve();
    });
    await eventually(() => {
      expect(second.get(Settings).get('instance.name')).toBe('Without Redis');
      expect(new Set(followed)).toEqual(new Set([EMOJI_CHANGED, RULES_CHANGED, STAFF_CHANGED]));
    });
    expect(followed).toHaveLength(3);
    await redis.startAgain();
    await bothUseCaches();
  });

  it('forgets a key of a remote actor that another server has replaced', async () => {
    const [first, other] = [app.get(RemoteKeys), second.get(RemoteKeys, { strict: false })];
    const owner = { uri: 'https://peer.test/mo', inbox: 'https://peer.test/mo/inbox' };
    const keyId = `${owner.uri}#main-key`;
    const pemIn = async (keys: RemoteKeys) => {
      const found = await keys.find(keyId);
      return typeof found === 'object' && found.key.export({ type: 'spki', format: 'pem' });
    };
    const pems = [1, 2].map(() => {
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      return publicKey.export({ type: 'spki', format: 'pem' }).toString();
    });
    await bothUseCaches();
    for (const pem of pems) {
      await first.store(owner, [{ keyId, pem }]);
      await eventually(async () => expect(await pemIn(other)).toBe(pem));
    }
  });

  it('bypasses its caches while Redis does not answer', async () => {
    await bothUseCaches();
    await redis.pause();
    expect(await warmReads()).not.toEqual([]);
    await expectNameSeen('While Redis hangs');
    expect(app.get(RedisConnections).isReady).toBe(false); // so the next write does not wait for it
    await redis.resume();
    await bothUseCaches();
    await expectNameSeen('After it hung');
    await redis.kill();
    await expectNameSeen('Without Redis');
    expect(await warmReads()).not.toEqual([]);
    await redis.startAgain();
    await bothUseCaches();
    await expectNameSeen('With a new Redis');
  });
});
