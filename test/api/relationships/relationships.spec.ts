import {
  BlocksService,
  FollowsService,
  type RelationshipJson,
  RelationshipShape,
} from '../../../src/accounts/index.js';
import { holding, waitersOf } from '../../support/locks.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  [alice, bob] = [await app.world.as('alice'), await app.world.as('bob')];
});

const id = (nickname: string) => app.world.id(nickname);

async function act(client: Client, action: string, target = 'bob', values = {}): Promise<RelationshipJson> {
  const body = (await client.post(`/api/v1/accounts/${target}/${action}`, values).expect(200)).body as unknown;
  expect(checkShape(RelationshipShape, body)).toEqual([]);
  return body as RelationshipJson;
}

async function related(client: Client, ...nicknames: string[]): Promise<RelationshipJson[]> {
  const body = (await client.get('/api/v1/accounts/relationships', { 'id[]': nicknames.map(id) }).expect(200))
    .body as unknown;
  for (const one of body as unknown[]) expect(checkShape(RelationshipShape, one)).toEqual([]);
  return body as RelationshipJson[];
}

/** Compares counters with the rows they count. */
async function requireTrueCounters(): Promise<void> {
  const wrong = await app.sql(
    `select * from account_stats s
     where followers_count <> (select count(*) from follows where followee_id = s.account_id and state = 1)
        or following_count <> (select count(*) from follows where follower_id = s.account_id and state = 1)`,
  );
  expect(wrong).toEqual([]);
}

async function counts(nickname: string): Promise<[followers: number, following: number]> {
  const row = (await app.world.account(nickname))!;
  return [row.followersCount, row.followingCount];
}

const expire = (table: 'blocks' | 'mutes') => app.sql(`update ${table} set expires_at = now() - interval '1 second'`);

describe('a follow', () => {
  it('of an unlocked account is accepted at once', async () => {
    const relationship = await act(alice, 'follow');
    expect(relationship).toEqual({
      id: id('bob'),
      following: true,
      followed_by: false,
      blocking: false,
      blocked_by: false,
      block_expires_at: null,
      muting: false,
      muting_notifications: false,
      muting_expires_at: null,
      requested: false,
      requested_by: false,
      domain_blocking: false,
      showing_reblogs: true,
      notifying: false,
      subscribing: false,
      endorsed: false,
      note: '',
      languages: null,
    });
    expect(await related(bob, 'alice')).toMatchObject([{ following: false, followed_by: true }]);
    expect([await counts('alice'), await counts('bob')]).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('of a locked or remote account waits', async () => {
    await app.world.person('lara', { locked: true });
    await app.world.remote('zoe', 'b.example');
    for (const target of ['lara', 'zoe@b.example']) {
      expect(await act(alice, 'follow', target)).toMatchObject({ following: false, requested: true });
      expect(await counts(target)).toEqual([0, 0]);
    }
    expect(await related(await app.world.as('lara'), 'alice')).toMatchObject([
      { requested_by: true, followed_by: false },
    ]);
    await app.get(FollowsService).accept(id('lara'), id('alice'));
    expect(await related(alice, 'lara')).toMatchObject([{ following: true, requested: false }]);
    await requireTrueCounters();
  });

  it('that waits is accepted by a second request after the account was unlocked', async () => {
    await app.world.person('lara', { locked: true });
    await act(alice, 'follow', 'lara', { notify: true });
    const lara = await app.world.as('lara');
    await lara.patch('/api/v1/accounts/update_credentials', { locked: false }).expect(200);
    expect(await act(alice, 'follow', 'lara')).toMatchObject({ following: true, requested: false, notifying: true });
    expect((await lara.get('/api/v1/follow_requests').expect(200)).body).toEqual([]);
    await act(alice, 'follow', 'lara');
    await requireTrueCounters();
  });

  it('made again changes only the given options', async () => {
    expect(await act(alice, 'follow', 'bob', { reblogs: false })).toMatchObject({
      showing_reblogs: false,
      notifying: false,
    });
    expect(await act(alice, 'follow', 'bob', { notify: true })).toMatchObject({
      showing_reblogs: false,
      notifying: true,
      subscribing: true,
    });
    expect(await act(alice, 'follow', 'bob', { reblogs: 'true', notify: '0' })).toMatchObject({
      showing_reblogs: true,
      notifying: false,
    });
    expect(await counts('bob')).toEqual([1, 0]);
  });

  it.each([null, ''])('ignores an option that is %j', async (empty) => {
    const options = { reblogs: empty, notify: empty };
    expect(await act(alice, 'follow', 'bob', options)).toMatchObject({ showing_reblogs: true, notifying: false });
    await act(alice, 'follow', 'bob', { reblogs: false, notify: true });
    expect(await act(alice, 'follow', 'bob', options)).toMatchObject({ showing_reblogs: false, notifying: true });
  });

  it('accepts an id or a nickname', async () => {
    expect((await act(alice, 'follow', id('bob'))).id).toBe(id('bob'));
    expect((await act(alice, 'follow', 'BOB@svc.test')).id).toBe(id('bob'));
    await alice.post('/api/v1/accounts/nobody/follow').expect(404, { error: "Can't find user" });
    await alice.post('/api/v1/accounts/zoe@b.example/follow').expect(404);
  });

  it('of oneself is refused', async () => {
    await alice.post('/api/v1/accounts/alice/follow').expect(400, { error: 'Can not follow yourself' });
    await alice.post('/api/v1/accounts/alice/unfollow').expect(400, { error: 'Can not unfollow yourself' });
    await alice
      .post('/api/v1/accounts/alice/remove_from_followers')
      .expect(400, { error: 'Can not unfollow yourself' });
  });

  it('V10 is refused where either blocks the other', async () => {
    await act(bob, 'block', 'alice');
    await alice.post('/api/v1/accounts/bob/follow').expect(403, { error: 'Could not follow user: bob blocked you.' });
    await bob
      .post('/api/v1/accounts/alice/follow')
      .expect(403, { error: 'Could not follow user: you have blocked alice.' });
    expect(await related(alice, 'bob')).toMatchObject([{ following: false, blocked_by: true }]);
    await expire('blocks');
    expect(await act(alice, 'follow')).toMatchObject({ following: true, blocked_by: false });
  });

  it('ends by unfollow, once', async () => {
    await act(alice, 'follow');
    expect(await act(alice, 'unfollow')).toMatchObject({ following: false, requested: false });
    for (let times = 0; times < 2; times += 1) {
      await alice.post('/api/v1/accounts/bob/unfollow').expect(400, { error: 'Not subscribed!' });
      expect([await counts('alice'), await counts('bob')]).toEqual([
        [0, 0],
        [0, 0],
      ]);
    }
  });

  it('that waits can be withdrawn', async () => {
    await app.world.person('lara', { locked: true });
    await act(alice, 'follow', 'lara');
    expect(await act(alice, 'unfollow', 'lara')).toMatchObject({ requested: false });
    expect(await app.sql('select 1 from follows')).toEqual([]);
    await requireTrueCounters();
  });

  it('can be removed by the followee', async () => {
    await act(alice, 'follow');
    for (let times = 0; times < 2; times += 1) {
      expect(await act(bob, 'remove_from_followers', 'alice')).toMatchObject({ followed_by: false });
    }
    expect(await counts('bob')).toEqual([0, 0]);
  });
});

describe('races', () => {
  const many = <T>(times: number, work: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: times }, (_, n) => work(n)));

  it('D3 D4 20 concurrent follows create one follow', async () => {
    const answers = await many(20, () => alice.post('/api/v1/accounts/bob/follow'));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await app.sql('select follower_id from follows')).toEqual([{ follower_id: id('alice') }]);
    expect([await counts('alice'), await counts('bob')]).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('D4 20 concurrent unfollows end one follow', async () => {
    await act(alice, 'follow');
    const answers = await many(20, () => alice.post('/api/v1/accounts/bob/unfollow'));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(400)]);
    expect([await counts('alice'), await counts('bob')]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('two accounts that follow each other at the same time do not deadlock', async () => {
    await app.world.person('carol');
    const people = ['alice', 'bob', 'carol'];
    const pairs = people.flatMap((a) => people.filter((b) => b !== a).map((b) => [a, b] as const));
    await many(4, () => Promise.all(pairs.map(([a, b]) => app.world.follow(a, b))));
    for (const name of people) expect(await counts(name)).toEqual([2, 2]);
  });

  it('a block and a follow at once never leave both', async () => {
    const [blocks, follows] = [app.get(BlocksService), app.get(FollowsService)];
    for (let round = 0; round < 10; round += 1) {
      await Promise.allSettled([
        follows.follow(id('alice'), id('bob')),
        blocks.block(id('bob'), id('alice')),
        follows.follow(id('bob'), id('alice')),
      ]);
      expect(await app.sql('select * from follows')).toEqual([]);
      await requireTrueCounters();
      await blocks.unblock(id('bob'), id('alice'));
    }
  });

  it('mixed follows, unfollows, removals and blocks keep the counters right', async () => {
    const [blocks, follows] = [app.get(BlocksService), app.get(FollowsService)];
    const [a, b] = [id('alice'), id('bob')];
    const acts: (() => Promise<unknown>)[] = [
      () => follows.follow(a, b),
      () => follows.follow(b, a),
      () => follows.unfollow(a, b),
      () => follows.removeFollower(a, b),
      () => blocks.block(a, b),
      () => blocks.unblock(a, b),
    ];
    await many(30, (n) => acts[n % acts.length]!().catch(() => undefined));
    await requireTrueCounters();
  });

  it('D4 counters never fall below 0', async () => {
    await act(alice, 'follow');
    await app.sql('update account_stats set followers_count = 0, following_count = 0');
    await act(alice, 'unfollow');
    expect([await counts('alice'), await counts('bob')]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('an acceptance and a withdrawal at once leave no wrong count', async () => {
    await app.world.person('lara', { locked: true });
    const follows = app.get(FollowsService);
    for (let round = 0; round < 5; round += 1) {
      await follows.follow(id('alice'), id('lara'));
      await Promise.allSettled([
        follows.accept(id('lara'), id('alice')),
        follows.unfollow(id('alice'), id('lara')),
        follows.reject(id('lara'), id('alice')),
      ]);
      await requireTrueCounters();
      await follows.unfollow(id('alice'), id('lara'));
    }
  });
});

describe('a block', () => {
  it('ends the follows in both directions', async () => {
    await act(alice, 'follow');
    await act(bob, 'follow', 'alice');
    expect(await act(alice, 'block')).toMatchObject({ blocking: true, following: false, followed_by: false });
    expect(await related(bob, 'alice')).toMatchObject([{ blocked_by: true, blocking: false, following: false }]);
    expect([await counts('alice'), await counts('bob')]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(await act(alice, 'unblock')).toMatchObject({ blocking: false, following: false });
    expect(await act(alice, 'unblock')).toMatchObject({ blocking: false });
  });

  it('can have a duration, after which it has no effect', async () => {
    const { block_expires_at } = await act(alice, 'block', 'bob', { duration: 3600 });
    expect(Math.abs(Date.parse(block_expires_at!) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(await act(alice, 'block', 'bob', { duration: 0 })).toMatchObject({ blocking: true, block_expires_at: null });
    await expire('blocks');
    expect(await related(alice, 'bob')).toMatchObject([{ blocking: false, block_expires_at: null }]);
    expect(await related(bob, 'alice')).toMatchObject([{ blocked_by: false }]);
    expect(await act(alice, 'block')).toMatchObject({ blocking: true, block_expires_at: null });
  });

  it('of oneself is refused, and so is an invalid duration', async () => {
    await alice.post('/api/v1/accounts/alice/block').expect(403, { error: 'Can not block yourself' });
    await alice.post('/api/v1/accounts/bob/block', { duration: 'long' }).expect(400);
    for (const duration of [-1, 1e15]) await alice.post('/api/v1/accounts/bob/block', { duration }).expect(422);
    expect(await app.sql('select 1 from blocks')).toEqual([]);
  });
});

describe('a mute', () => {
  it('hides notifications too by default, and keeps follows', async () => {
    await act(alice, 'follow');
    expect(await act(alice, 'mute')).toMatchObject({ muting: true, muting_notifications: true, following: true });
    expect(await act(alice, 'mute', 'bob', { notifications: false })).toMatchObject({
      muting: true,
      muting_notifications: false,
    });
    expect(await related(bob, 'alice')).toMatchObject([{ muting: false, followed_by: true, blocked_by: false }]);
    expect(await act(alice, 'unmute')).toMatchObject({ muting: false, muting_notifications: false });
    expect(await act(alice, 'unmute')).toMatchObject({ muting: false });
    await alice.post('/api/v1/accounts/alice/mute').expect(403, { error: 'Can not mute yourself' });
  });

  it('can have a duration under either name', async () => {
    for (const name of ['duration', 'expires_in']) {
      const { muting_expires_at } = await act(alice, 'mute', 'bob', { [name]: '600' });
      expect(Math.abs(Date.parse(muting_expires_at!) - Date.now() - 600_000)).toBeLessThan(60_000);
    }
    await expire('mutes');
    expect(await related(alice, 'bob')).toMatchObject([{ muting: false, muting_notifications: false }]);
  });
});

describe('the job that ends durations', () => {
  it('J10 removes expired rows and nothing else', async () => {
    await app.world.person('carol');
    for (const action of ['block', 'mute']) {
      await act(alice, action, 'bob', { duration: 600 });
      await act(alice, action, 'carol', { duration: 600 });
      await act(bob, action, 'carol');
      await app.sql(
        `update ${action}s set expires_at = now() - interval '1 day' where target_id = $1 and expires_at is not null`,
        [id('bob')],
      );
    }
    await app.get(BlocksService).endExpired();
    for (const table of ['blocks', 'mutes']) {
      const left = await app.sql<{ target_id: string }>(`select target_id from ${table}`);
      expect(left.map(({ target_id }) => target_id)).toEqual([id('carol'), id('carol')]);
    }
  });
});

it.each(['follow', 'block', 'mute', 'note'])(
  'a %s of an account that is removed at that moment is 404',
  async (action) => {
    const { id: zoe } = await app.world.remote('zoe', 'b.example');
    await holding(app, async (holder) => {
      await holder.query('delete from accounts where id = $1', [zoe]);
      const acting = alice.post(`/api/v1/accounts/${zoe}/${action}`, { comment: 'a friend' }).expect(404);
      const acted = acting.then((response) => response);
      await waitersOf(holder, 1);
      await holder.query('commit');
      await acted;
    });
  },
);
