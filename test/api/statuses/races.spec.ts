import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import supertest from 'supertest';
import { createApp } from '../../../src/server.js';
import { PreviewCardsService } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeFavourites, makeStatuses } from '../../support/fixtures/factories.js';
import { holding, waitersOf } from '../../support/locks.js';
import { expectCountersToMatchRows } from '../../support/fixtures/statuses.js';

const PEOPLE = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'];
const PATH = '/api/v1/statuses';

/** A second server on the same database. */
let second: NestExpressApplication;
afterAll(() => second.close()); // before its database is dropped
const app = useApp({ people: PEOPLE });

beforeAll(async () => {
  second = await createApp(app.env, app.address);
});

describe('D3 one Idempotency-Key', () => {
  const keyed = async (nest: NestExpressApplication, key = 'k', status = 'tea') =>
    supertest(nest.getHttpServer())
      .post(PATH)
      .auth((await app.world.as('alice')).token, { type: 'bearer' })
      .set('idempotency-key', key)
      .send({ status });
  const ids = (answers: readonly supertest.Response[]) => answers.map(({ body }) => (body as { id?: string }).id);
  const stored = () => app.sql<{ id: string }>('select id from statuses');

  it('D3 creates one post from twenty concurrent requests to two servers, and all of them return it', async () => {
    await app.world.as('alice');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => keyed(turn % 2 === 0 ? app.nest : second)),
    );
    const [post, ...others] = await stored();
    expect(others).toEqual([]);
    expect(ids(answers)).toEqual(answers.map(() => post!.id));
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19);
    expect(await app.sql('select from jobs where name = $1', ['feeds.fan-out'])).toHaveLength(1);
    await expectCountersToMatchRows(app);
  });

  /** Sends requests while another transaction holds the key, then ends that transaction. */
  async function whileHeld(ref: string | null, end: 'commit' | 'rollback'): Promise<supertest.Response[]> {
    const holder = new pg.Client(app.address);
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query(`insert into idempotency_keys (account_id, key, route, ref) values ($1, 'k', $2, $3)`, [
        app.world.id('alice'),
        `POST ${PATH}`,
        ref,
      ]);
      const answers = Promise.all([keyed(app.nest), keyed(second), keyed(app.nest)]);
      await waitersOf(holder, 3);
      await holder.query(end);
      return await answers;
    } finally {
      await holder.end();
    }
  }

  it('D3 waits for the request in flight, and returns the post of that request', async () => {
    const [made] = await makeStatuses(app, 'alice', 1);
    const answers = await whileHeld(made!, 'commit');
    expect(ids(answers)).toEqual([made, made, made]);
    expect(await stored()).toHaveLength(1);
  });

  it('D3 waits for the request in flight, and creates the post when that request fails', async () => {
    const answers = await whileHeld(null, 'rollback');
    const [post, ...others] = await stored();
    expect(others).toEqual([]);
    expect(ids(answers)).toEqual(answers.map(() => post!.id));
  });
});

describe('D4 counters', () => {
  const accountCounters = () =>
    app.sql(
      `select a.nickname, s.followers_count, s.following_count,
         (select count(*)::int from follows f where f.followee_id = a.id and f.state = 1) as followers,
         (select count(*)::int from follows f where f.follower_id = a.id and f.state = 1) as following
       from accounts a join account_stats s on s.account_id = a.id
       where (s.followers_count, s.following_count) is distinct from (
         (select count(*)::int from follows f where f.followee_id = a.id and f.state = 1),
         (select count(*)::int from follows f where f.follower_id = a.id and f.state = 1))`,
    );

  it('D2 are locked in one order: deleting a post while a favourite of it is removed causes no deadlock', async () => {
    const [post] = (await makeStatuses(app, 'alice', 1)) as [string];
    await makeFavourites(app, app.world.id('bob'), post);
    const taker = new pg.Client(app.address);
    await taker.connect();
    try {
      await taker.query(`set deadlock_timeout = '10ms'`); // in a deadlock, this connection would fail first
      await taker.query('begin');
      await taker.query('delete from favourites where status_id = $1', [post]);
      const deleted = (await app.world.as('alice')).delete(`${PATH}/${post}`).expect(200);
      await Promise.all([
        deleted.then(),
        waitersOf(taker, 1)
          .then(() => taker.query('update status_stats set favourites = favourites - 1 where status_id = $1', [post]))
          .finally(() => taker.query('commit')),
      ]);
    } finally {
      await taker.end();
    }
    expect(await app.sql('select from statuses')).toEqual([]);
  });

  it('D4 are exact after all kinds of actions ran concurrently, and no request or job failed', async () => {
    const posts = await makeStatuses(app, PEOPLE, 12);
    await app.sql('update account_stats set statuses_count = 2 where account_id in (select author_id from statuses)');
    const clients = await Promise.all(PEOPLE.map((name) => app.world.as(name)));
    const at = <T>(list: readonly T[], index: number) => list[index % list.length]!;
    const actions = (turn: number): [method: 'post' | 'delete', path: string, body?: object][] => {
      const [post, other] = [at(posts, turn), at(posts, turn * 5 + 3)];
      const person = `/api/v1/accounts/${app.world.id(at(PEOPLE, turn * 7 + 1))}`;
      return [
        ['post', PATH, { status: `number ${turn} @bob #tea` }],
        ['post', PATH, { status: 'an answer', in_reply_to_id: post }],
        ['post', `${PATH}/${post}/favourite`],
        ['post', `${PATH}/${other}/reblog`],
        ['post', `${person}/follow`],
        ['post', `${PATH}/${post}/unfavourite`],
        ['post', `${PATH}/${post}/unreblog`],
        ['post', `${person}/${turn % 3 === 0 ? 'block' : 'unfollow'}`],
        ['post', `${person}/unblock`],
        ['delete', `${PATH}/${at(posts, turn * 11)}`],
      ];
    };
    /** Sends the actions of a turn one after the other: all of them at once would overload a slow machine. */
    const take = async (turn: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (const [action, [method, path, body]] of actions(turn).entries())
        statuses.push((await at(clients, turn + action)[method](path, { ...body })).status);
      return statuses;
    };
    const statuses = (await Promise.all(Array.from({ length: 24 }, (_, turn) => take(turn)))).flat();
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(100);
    await expectCountersToMatchRows(app);
    expect(await accountCounters()).toEqual([]);

    await app.drain();
    expect(await app.sql('select name, last_error from jobs where attempts > 0')).toEqual([]);
    await expectCountersToMatchRows(app);
  });
});

it('the card of a page that a post links to while unused cards are removed stays', async () => {
  const [id] = await makeStatuses(app, 'alice', 1);
  const url = 'https://pages.example/';
  const preview = { url, title: 'Tea', fetched: true };
  await app.sql(`insert into cards (url, preview, fetched_at) values ($1, $2, now() - interval '2 days')`, [
    url,
    JSON.stringify(preview),
  ]);
  await holding(app, async (holder) => {
    await holder.query('select from cards for share');
    await holder.query('insert into status_cards (status_id, card_id, revision) select $1, id, revision from cards', [
      id,
    ]);
    const purging = app.get(PreviewCardsService).purge();
    await Promise.race([waitersOf(holder, 1), purging]);
    await holder.query('commit');
    await purging;
  });
  expect(await app.sql('select status_id from status_cards')).toEqual([{ status_id: id }]);
});

it('an edit that mentions an account which retention removes meanwhile is refused, and succeeds when it is sent again', async () => {
  const [id] = await makeStatuses(app, 'alice', 1);
  const tom = await app.world.remote('tom', 'far.test');
  const alice = await app.world.as('alice');
  const edit = () => alice.put(`${PATH}/${id}`, { status: 'hello @tom@far.test' });
  await holding(app, async (holder) => {
    await holder.query('delete from accounts where id = $1', [tom.id]);
    const edited = edit().expect(404);
    await Promise.all([edited.then(), waitersOf(holder, 1).then(() => holder.query('commit'))]);
  });
  await edit().expect(200);
});
