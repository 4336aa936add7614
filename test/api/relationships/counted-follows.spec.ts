import {
  AccountCounterRepairService,
  type AccountJson,
  FollowsService,
  UsersService,
} from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });

beforeEach(async () => {
  for (const [follower, followee] of [
    ['bob', 'alice'],
    ['carol', 'alice'],
    ['alice', 'bob'],
    ['bob', 'carol'],
  ])
    await app.world.follow(follower!, followee!);
  await app.drain();
});

const id = (name: string) => app.world.id(name);
async function setActive(name: string, active: boolean): Promise<void> {
  await app.get(UsersService).setActive(id(name), active);
  await app.drain();
}
/** The numbers of followers and follows; the lists and the repair must agree. */
async function numbers(name: string): Promise<[number, number]> {
  const viewer = await app.world.as(name);
  const { body } = await viewer.get(`/api/v1/accounts/${id(name)}`).expect(200);
  const { followers_count, following_count } = body as AccountJson;
  for (const [list, count] of Object.entries({ followers: followers_count, following: following_count }))
    expect((await viewer.get(`/api/v1/accounts/${id(name)}/${list}`).expect(200)).body).toHaveLength(count);
  expect(await app.get(AccountCounterRepairService).follows({ fix: false })).toBe(0);
  return [followers_count, following_count];
}

describe('The numbers of followers and follows', () => {
  it('leave out accounts while they are deactivated', async () => {
    expect([await numbers('alice'), await numbers('carol')]).toEqual([
      [2, 1],
      [1, 1],
    ]);
    await setActive('bob', false);
    expect([await numbers('alice'), await numbers('carol')]).toEqual([
      [1, 0],
      [0, 1],
    ]);
    await setActive('bob', true);
    expect([await numbers('alice'), await numbers('bob'), await numbers('carol')]).toEqual([
      [2, 1],
      [1, 2],
      [1, 1],
    ]);
  });

  it('count a follow again only when both accounts are active', async () => {
    await setActive('bob', false);
    await setActive('carol', false);
    expect(await numbers('alice')).toEqual([0, 0]);
    await setActive('bob', true);
    expect([await numbers('alice'), await numbers('bob')]).toEqual([
      [1, 1],
      [1, 1],
    ]);
    await setActive('carol', true);
    expect([await numbers('alice'), await numbers('bob')]).toEqual([
      [2, 1],
      [1, 2],
    ]);
  });

  it.each([
    ['ends', () => app.get(FollowsService).unfollow(id('alice'), id('bob')), [1, 0], [2, 0]],
    ['is removed', () => app.get(FollowsService).removeFollower(id('alice'), id('bob')), [1, 0], [1, 1]],
  ])('are right when a follow %s meanwhile', async (_, act, meanwhile, after) => {
    await setActive('bob', false);
    await act();
    await app.drain();
    expect(await numbers('alice')).toEqual(meanwhile);
    await setActive('bob', true);
    expect(await numbers('alice')).toEqual(after);
  });

  it('leave out a deactivated follower that a move adds', async () => {
    await app.world.person('dora');
    await setActive('carol', false);
    await app.sql('update accounts set moved_to_id = $2 where id = $1', [id('alice'), id('dora')]);
    await app.get(FollowsService).moveFollowers(id('alice'), id('dora'));
    await app.drain();
    expect(await numbers('dora')).toEqual([1, 0]);
    await setActive('carol', true);
    expect(await numbers('dora')).toEqual([2, 0]);
  });

  it('are changed in several units of work, and once when a job runs twice', async () => {
    await app.sql(`with made as (
        insert into accounts (id, nickname, ap_id, inbox_url)
        select 'M' || n, 'm' || n, 'https://svc.test/users/m' || n, '' from generate_series(1001, 1250) n returning id),
      counts as (insert into account_stats (account_id, followers_count) select id, 1 from made)
      insert into follows (follower_id, followee_id, state) select '${id('bob')}', id, 1 from made`);
    await app.sql('update account_stats set following_count = following_count + 250 where account_id = $1', [
      id('bob'),
    ]);
    const counted = async () =>
      (
        await app.sql<{ n: number }>(`select sum(followers_count)::int as n from account_stats where account_id ~ '^M'`)
      )[0]!.n;
    await setActive('bob', false);
    await app.get(FollowsService).recount({ accountId: id('bob') });
    expect(await counted()).toBe(0);
    await setActive('bob', true);
    await app.get(FollowsService).recount({ accountId: id('bob') });
    expect(await counted()).toBe(250);
    expect(await app.get(AccountCounterRepairService).follows({ fix: false })).toBe(0);
  });
});
