import { DomainBlocksService, FollowsService } from '../../../src/accounts/index.js';
import { declaredStatements } from '../../../src/platform/index.js';
import { rowsRead } from '../../support/rows-read.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const id = (nickname: string) => app.world.id(nickname);
const PATH = '/api/v1/domain_blocks';
const listed = async (client = alice, query = {}) => (await client.get(PATH, query).expect(200)).body as unknown;
const follow = (follower: string, followee: string) => app.get(FollowsService).follow(id(follower), id(followee));

describe('blocked domains', () => {
  it('are added and removed, by query or body, in any spelling', async () => {
    expect((await alice.post(PATH, { domain: ' B.Example ' }).expect(200)).body).toEqual({});
    await alice.post(`${PATH}?domain=c.example`).expect(200);
    await alice.post(PATH, { domain: 'bücher.example' }).expect(200);
    await alice.post(PATH, { domain: 'b.example' }).expect(200);
    expect(await listed()).toEqual(['xn--bcher-kva.example', 'c.example', 'b.example']);
    expect(await listed(await app.world.as('bob'))).toEqual([]);
    expect((await alice.delete(PATH, { domain: 'C.EXAMPLE' }).expect(200)).body).toEqual({});
    await alice.delete(`${PATH}?domain=xn--bcher-kva.example`).expect(200);
    await alice.delete(PATH, { domain: 'never.example' }).expect(200);
    expect(await listed()).toEqual(['b.example']);
  });

  it('are refused when the domain is invalid', async () => {
    for (const domain of ['no domain', 'http://b.example/', '@b.example', '..']) {
      await alice.post(PATH, { domain }).expect(400);
    }
    await alice.post(PATH).expect(400);
    await alice.delete(PATH).expect(400);
    expect(await listed()).toEqual([]);
  });

  it('are paged', async () => {
    for (let n = 1; n <= 3; n += 1) await alice.post(PATH, { domain: `n${n}.example` }).expect(200);
    const answer = await alice.get(`${PATH}?limit=2`).expect(200);
    expect(answer.body).toEqual(['n3.example', 'n2.example']);
    const next = /<https:\/\/svc\.test([^>]+max_id=\d+)>; rel="next"/.exec(answer.get('link')!)![1]!;
    expect((await alice.get(next).expect(200)).body).toEqual(['n1.example']);
    expect(await listed(alice, { offset: 2 })).toEqual(['n1.example']);
  });

  it('can be previewed with the follows that they would end', async () => {
    for (const name of ['zoe', 'yan']) await app.world.remote(name, 'b.example');
    await app.world.remote('xi', 'c.example');
    const rows = [
      ['alice', 'zoe@b.example', 1],
      ['alice', 'yan@b.example', 0],
      ['alice', 'xi@c.example', 1],
      ['zoe@b.example', 'alice', 1],
      ['yan@b.example', 'alice', 1],
      ['zoe@b.example', 'bob', 1],
    ] as const;
    for (const [follower, followee, state] of rows) {
      const values = [id(follower), id(followee), state];
      await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, $3)', values);
    }
    const preview = (domain: string) => alice.get(`${PATH}/preview`, { domain });
    await preview(' B.Example').expect(200, { following_count: 1, followers_count: 2 });
    await preview('never.example').expect(200, { following_count: 0, followers_count: 0 });
    for (const domain of ['no domain', '']) await preview(domain).expect(400);
    expect(await listed()).toEqual([]);
  });

  it('are stored once when added 20 times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => alice.post(PATH, { domain: 'b.example' })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await listed()).toEqual(['b.example']);
  });
});

describe('a blocked domain', () => {
  beforeEach(async () => {
    await app.world.remote('zoe', 'b.example');
    await app.world.remote('yan', 'b.example');
    await app.world.remote('xia', 'c.example');
  });

  const relationship = async (name: string) =>
    ((await alice.get('/api/v1/accounts/relationships', { id: id(name) }).expect(200)).body as unknown[])[0];
  const block = async () => {
    await alice.post(PATH, { domain: 'b.example' }).expect(200);
    await app.drain();
  };

  it('hides no local account when it is that of this server', async () => {
    await alice.post(PATH, { domain: 'svc.test' }).expect(200);
    expect(await relationship('bob')).toMatchObject({ domain_blocking: false });
  });

  it('loses its followers and requests; other followers stay', async () => {
    for (const name of ['zoe@b.example', 'xia@c.example']) {
      await follow(name, 'alice');
      await follow(name, 'bob');
    }
    await app.sql('update accounts set locked = true where id = $1', [id('alice')]);
    await follow('yan@b.example', 'alice');
    await block();
    const rows = await app.sql<{ follower_id: string; followee_id: string }>(
      'select follower_id, followee_id from follows order by id',
    );
    expect(rows.map((row) => [row.follower_id, row.followee_id])).toEqual([
      [id('zoe@b.example'), id('bob')],
      [id('xia@c.example'), id('alice')],
      [id('xia@c.example'), id('bob')],
    ]);
    const wrong = await app.sql(
      `select 1 from account_stats s
       where followers_count <> (select count(*) from follows where followee_id = s.account_id and state = 1)
          or following_count <> (select count(*) from follows where follower_id = s.account_id and state = 1)`,
    );
    expect(wrong).toEqual([]);
  });

  it('loses its followees with an Undo to their server, and gets no new follows', async () => {
    for (const name of ['zoe@b.example', 'xia@c.example']) await follow('alice', name);
    await app.drain();
    await block();
    expect(await relationship('zoe@b.example')).toMatchObject({ requested: false, domain_blocking: true });
    expect(await relationship('xia@c.example')).toMatchObject({ requested: true });
    expect(await app.sql(`select from activities where type = 'Undo'`)).toHaveLength(1);
    await alice
      .post('/api/v1/accounts/yan@b.example/follow')
      .expect(403, { error: 'Could not follow user: you have blocked b.example.' });
    await expect(follow('yan@b.example', 'alice')).rejects.toThrow('alice blocked you');
    await follow('yan@b.example', 'bob');
    await alice.delete(PATH, { domain: 'b.example' }).expect(200);
    expect(await relationship('yan@b.example')).toMatchObject({ domain_blocking: false });
    await alice.post('/api/v1/accounts/yan@b.example/follow').expect(200);
  });

  it('keeps no follower that follows at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      await Promise.allSettled([
        follow('zoe@b.example', 'alice'),
        alice.post(PATH, { domain: 'b.example' }),
        follow('yan@b.example', 'alice'),
      ]);
      await app.drain();
      expect(await app.sql('select 1 from follows')).toEqual([]);
      await alice.delete(PATH, { domain: 'b.example' }).expect(200);
    }
  });

  it('keeps its followers once it is unblocked', async () => {
    await follow('zoe@b.example', 'alice');
    await alice.post(PATH, { domain: 'b.example' }).expect(200);
    await app.get(DomainBlocksService).unblock(id('alice'), 'b.example');
    await app.drain();
    expect(await relationship('zoe@b.example')).toMatchObject({ followed_by: true });
  });

  it('is hidden from timelines and notifications', async () => {
    const [hidden] = await makeStatuses(app, 'zoe@b.example', 1);
    const [shown] = await makeStatuses(app, 'xia@c.example', 1);
    await app.sql('update statuses set local = false');
    const known = async () =>
      ((await alice.get('/api/v1/timelines/public').expect(200)).body as { id: string }[]).map((one) => one.id);
    await follow('zoe@b.example', 'alice');
    await app.drain();
    const told = async () => (await alice.get('/api/v1/notifications').expect(200)).body as unknown[];
    expect(await known()).toEqual([shown, hidden]);
    expect(await told()).toHaveLength(1);
    await block();
    expect(await known()).toEqual([shown]);
    expect(await told()).toEqual([]);
  });
});

describe('a domain, for an account with many follows', () => {
  /** More than one step of the job reads. */
  const MANY = 600;

  /** Accounts of two servers by turns that alice follows, and that follow her; some of the follows wait. */
  beforeEach(async () => {
    await app.sql(
      `insert into accounts (id, nickname, ap_id, domain)
       select 'r' || n, 'r' || n, 'https://' || domain || '/r' || n, domain
       from generate_series(1, $1::int) n, lateral (select case n % 2 when 0 then 'b.example' else 'c.example' end) of (domain)`,
      [MANY * 2],
    );
    await app.sql(`insert into account_stats (account_id) select id from accounts where domain is not null`);
    for (const [follower, followee, state] of [
      [`'r' || n`, '$2', 'case when n <= 20 then 0 else 1 end'],
      ['$2', `'r' || n`, 'case when n <= 20 then 0 else 1 end'],
    ])
      await app.sql(
        `insert into follows (follower_id, followee_id, state)
         select ${follower}, ${followee}, ${state} from generate_series(1, $1::int) n`,
        [MANY * 2, id('alice')],
      );
  });

  it('loses all of them when it is blocked, step by step', async () => {
    await alice.post(PATH, { domain: 'b.example' }).expect(200);
    await app.get(DomainBlocksService).endFollows({ accountId: id('alice'), domain: 'b.example' });
    const left = await app.sql(
      `select a.domain, f.followee_id = $1 as isFollower, count(*)::int from follows f
       join accounts a on a.id in (f.follower_id, f.followee_id) where a.domain is not null group by 1, 2 order by 1, 2`,
      [id('alice')],
    );
    const of = (isfollower: boolean) => ({ domain: 'c.example', isfollower, count: MANY });
    expect(left).toEqual([of(false), of(true)]);
  });

  it('is counted, and searched for, in parts', async () => {
    const me = id('alice');
    await alice
      .get(`${PATH}/preview`, { domain: 'b.example' })
      .expect(200, { following_count: MANY - 10, followers_count: MANY - 10 });
    expect(await rowsRead(app, 'follows.count_with_server', [me, 'b.example', 30])).toBeLessThan(400);
    for (const [kind, first] of [
      ['requests', '0'],
      ['followers', '0'],
      ['followees', ''],
    ])
      expect(await rowsRead(app, `follows.${kind}_with_server`, [me, 'never.example', first!, 10])).toBeLessThan(30);
  });

  it('is counted by its accounts where these are few, and the follows are many', async () => {
    await app.sql(
      `update accounts set domain = 'few.example', ap_id = 'https://few.example/' || id where id in ('r100', 'r102')`,
    );
    const count = declaredStatements().get('follows.count_with_server')!;
    const [row] = await app.sql(count, [id('alice'), 'few.example', 30]);
    expect(row).toEqual({ followingCount: 2, followersCount: 2 });
  });
});
