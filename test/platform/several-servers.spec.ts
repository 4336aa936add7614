import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import supertest from 'supertest';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Bus, Database, hashToken, SIGN_INS, UnitOfWork } from '../../src/platform/index.js';
import { createApp } from '../../src/server.js';
import { Scratch } from '../process/scratch.js';
import { eventually } from '../support/eventually.js';
import { World } from '../support/fixtures/world.js';
import { countQueries } from '../support/queries.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { describeWithRedis, RedisServer } from '../support/servers/redis.js';
import { staleRounds } from '../support/stale-rounds.js';

/* ADR 25: servers of one database cache what they read, and tell each other what they change. */

const ROUNDS = 500;
const WHO = '/api/v1/accounts/verify_credentials';
const RENAME = 'update accounts set display_name = $2, version = version + 1 where id = $1';
const nameIn = ({ body }: supertest.Response) => (body as { display_name?: string }).display_name;

describeWithRedis('two servers of one database', () => {
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
  afterAll(async () => {
    await second.close();
    await app.close();
    await scratch.remove();
  });

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

  const rename = (name: string) => app.sql(RENAME, [app.world.id('erin'), name]);

  /** Changes Erin's name on the first server; the second must show it in the next answer. */
  async function expectNameSeen(name: string): Promise<void> {
    const values = { display_name: name };
    await app.world.client(erinToken).patch('/api/v1/accounts/update_credentials', values).expect(200);
    expect(nameIn(await elsewhere.client(erinToken).get(WHO))).toBe(name);
  }

  it('answer from memory', () => bothUseCaches());

  it(`O10 V1 never answer what a server has changed before, in ${ROUNDS} rounds of changes`, async () => {
    expect(await staleRounds(app, [elsewhere, app.world], ROUNDS)).toEqual([]);
  }, 120_000);

  it.each<readonly [what: string, write: (work: () => Promise<unknown>) => Promise<unknown>]>([
    ['statement', (work) => work()],
    ['unit of work', (work) => app.get(UnitOfWork).run(work)],
  ])('hold the end of a %s until the others know of the change', async (_what, write) => {
    const [asked, know] = [Promise.withResolvers<undefined>(), Promise.withResolvers<boolean>()];
    const told = vi.spyOn(app.get(Bus), 'tellOthers');
    told.mockImplementationOnce(() => (asked.resolve(undefined), know.promise));
    let hasEnded = false;
    const end = write(() => rename('Held')).then(() => (hasEnded = true));
    await asked.promise;
    await second.get(Database).query('select 1'); // as long as another answer takes
    expect(hasEnded).toBe(false);
    know.resolve(true);
    await end;
    told.mockRestore();
  });

  it('learn of a change from the database when Redis does not take it', async () => {
    await bothUseCaches();
    await elsewhere.client(erinToken).get(WHO).expect(200);
    const told = vi.spyOn(app.get(Bus), 'tellOthers').mockResolvedValueOnce(false);
    await rename('Notified');
    await eventually(async () => expect(nameIn(await elsewhere.client(erinToken).get(WHO))).toBe('Notified'));
    told.mockRestore();
  });

  it('begin a request when all earlier changes have arrived', async () => {
    await bothUseCaches();
    await elsewhere.client(erinToken).get(WHO).expect(200);
    const [asked, arrived] = [Promise.withResolvers<undefined>(), Promise.withResolvers<boolean>()];
    vi.spyOn(second.get(Bus), 'caughtUp').mockImplementationOnce(() => (asked.resolve(undefined), arrived.promise));
    const answer = elsewhere.client(erinToken).get(WHO).then(nameIn);
    await asked.promise;
    await rename('Changed');
    arrived.resolve(await second.get(Bus).caughtUp());
    expect(await answer).toBe('Changed');
  });

  it('O10 tell each other that a sign-in has ended', async () => {
    await bothUseCaches();
    const told = vi.spyOn(app.get(Bus), 'tellOthers');
    const { token } = await app.world.as('frank', 'read', 'follow');
    await elsewhere.client(token).get(WHO).expect(200);
    await app.sql('delete from oauth_tokens where token_hash = $1', [hashToken(token)]);
    expect(told).toHaveBeenLastCalledWith('platform.changed', expect.arrayContaining([SIGN_INS]));
    told.mockRestore();
    await bothUseCaches();
    await app.get(Bus).tellOthers('platform.changed', [SIGN_INS]);
    const again = await countQueries(() => elsewhere.client(frankToken).get(WHO).expect(200));
    expect(again.statements).toContain('oauth.resolve');
  });

  it('forget everything when messages may be lost', async () => {
    for (const name of ['Lost', 'Lost again', 'Lost once more']) {
      await bothUseCaches();
      await elsewhere.client(erinToken).get(WHO).expect(200);
      await redis.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await expectNameSeen(name);
      await bothUseCaches();
      expect(nameIn(await elsewhere.client(erinToken).get(WHO))).toBe(name);
    }
  });

  it('forget what an earlier version has changed, which tells nobody', async () => {
    await elsewhere.client(erinToken).get(WHO).expect(200);
    const earlier = new pg.Client({ ...app.address, options: '-c svc.changes=none' });
    await earlier.connect();
    await earlier.query(RENAME, [app.world.id('erin'), 'Earlier']);
    await earlier.end();
    await eventually(async () => {
      expect(nameIn(await elsewhere.client(erinToken).get(WHO))).toBe('Earlier');
    });
  });

  it('ask the database while Redis does not answer, and use memory again when it does', async () => {
    await bothUseCaches();
    await redis.pause();
    expect(await warmReads()).not.toEqual([]);
    await expectNameSeen('While Redis hangs');
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
