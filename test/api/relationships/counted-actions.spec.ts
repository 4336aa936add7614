import { AccountDeletionService, FollowsService, UsersService } from '../../../src/accounts/index.js';
import { CountedActions1764000226210 } from '../../../src/migrations/timelines/1764000226210-counted-actions.js';
import { StatusCounterRepairService } from '../../../src/statuses/index.js';
import { InteractionsService } from '../../../src/statuses/interactions/interactions.service.js';
import { StatusRecountService } from '../../../src/statuses/counters/recount.service.js';
import { expectCountersToMatchRows, ok } from '../../support/fixtures/statuses.js';
import { holding, waitersOf } from '../../support/locks.js';
import { useApp } from '../../support/servers/app.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let post: string;

beforeEach(async () => {
  post = (await ok<{ id: string }>((await app.world.as('alice')).post('/api/v1/statuses', { status: 'tea' }))).id;
});

const act = async (name: string, ...actions: readonly string[]) => {
  const client = await app.world.as(name);
  for (const action of actions) await ok(client.post(`/api/v1/statuses/${post}/${action}`));
};
async function setActive(name: string, active: boolean): Promise<void> {
  await app.get(UsersService).setActive(app.world.id(name), active);
  await app.drain();
}
/** The numbers of favourites, boosts and reactions; the lists and the repair must agree. */
async function numbers(): Promise<[number, number, number]> {
  const alice = await app.world.as('alice');
  interface Shown {
    readonly favourites_count: number;
    readonly reblogs_count: number;
    readonly emoji_reactions: readonly { readonly count: number }[];
  }
  const shown = await ok<Shown>(alice.get(`/api/v1/statuses/${post}`));
  const [favouriters, rebloggers, reactions] = await Promise.all([
    ok<unknown[]>(alice.get(`/api/v1/statuses/${post}/favourited_by`)),
    ok<unknown[]>(alice.get(`/api/v1/statuses/${post}/reblogged_by`)),
    ok<{ count: number }[]>(alice.get(`/api/v1/svc/statuses/${post}/reactions`)),
  ]);
  expect([shown.favourites_count, shown.reblogs_count]).toEqual([favouriters.length, rebloggers.length]);
  expect(shown.emoji_reactions.map(({ count }) => count)).toEqual(reactions.map(({ count }) => count));
  expect(await app.get(StatusCounterRepairService).statuses({ fix: false })).toBe(0);
  await expectCountersToMatchRows(app);
  return [shown.favourites_count, shown.reblogs_count, shown.emoji_reactions[0]?.count ?? 0];
}

it('An action that is committed after the deactivation of its account counts no longer than an hour', async () => {
  const [bob, alice] = [app.world.id('bob'), app.world.id('alice')];
  await holding(app, async (holder) => {
    await holder.query('select from status_stats where status_id = $1 for update', [post]);
    await holder.query('select from account_stats where account_id = $1 for update', [alice]);
    const [interactions, follows] = [app.get(InteractionsService), app.get(FollowsService)];
    const acting = [interactions.favourite(post, bob), interactions.reblog(post, bob), follows.follow(bob, alice)];
    await waitersOf(holder, 3);
    await setActive('bob', false);
    await holder.query('commit');
    await Promise.all(acting);
  });
  await app.sql(`update jobs set run_at = now() where name like '%-late-%'`);
  await app.drain();
  expect(await numbers()).toEqual([0, 0, 0]);
  expect(await app.sql('select followers_count as n from account_stats where account_id = $1', [alice])).toEqual([
    { n: 0 },
  ]);
});

describe('The numbers of favourites, boosts and reactions', () => {
  beforeEach(async () => {
    for (const name of ['bob', 'carol']) {
      await act(name, 'favourite', 'reblog');
      const client = await app.world.as(name);
      await ok(client.put(`/api/v1/svc/statuses/${post}/reactions/${encodeURIComponent('🍵')}`));
    }
    await app.drain();
  });

  it('leave out accounts while they are deactivated', async () => {
    expect(await numbers()).toEqual([2, 2, 2]);
    await setActive('bob', false);
    expect(await numbers()).toEqual([1, 1, 1]);
    await setActive('carol', false);
    expect(await numbers()).toEqual([0, 0, 0]);
    await setActive('bob', true);
    expect(await numbers()).toEqual([1, 1, 1]);
    await setActive('carol', true);
    expect(await numbers()).toEqual([2, 2, 2]);
  });

  it.each([
    ['active', true],
    ['deactivated', false],
  ])('are right when the account is deleted while it is %s', async (_which, active) => {
    await setActive('bob', active);
    await app.get(AccountDeletionService).delete(app.world.id('bob'));
    await app.drain();
    expect(await numbers()).toEqual([1, 1, 1]);
    const left = await app.sql('select from favourites where account_id = $1', [app.world.id('bob')]);
    expect(left).toEqual([]);
  });

  it('are right when a favourite and a boost end after a return', async () => {
    await setActive('bob', false);
    await setActive('bob', true);
    await act('bob', 'unfavourite', 'unreblog');
    expect(await numbers()).toEqual([1, 1, 2]);
  });

  it('are right when the post is deleted meanwhile', async () => {
    await setActive('bob', false);
    await ok((await app.world.as('alice')).delete(`/api/v1/statuses/${post}`));
    await setActive('bob', true);
    await expectCountersToMatchRows(app);
  });

  it('keep the counts that another server states', async () => {
    await app.sql('update status_stats set remote_favourites = 10, remote_reblogs = 20 where status_id = $1', [post]);
    const stated = () =>
      app.sql('select remote_favourites as f, remote_reblogs as b from status_stats where status_id = $1', [post]);
    await setActive('bob', false);
    expect(await stated()).toEqual([{ f: 10, b: 20 }]);
    await setActive('bob', true);
    expect(await stated()).toEqual([{ f: 10, b: 20 }]);
  });

  it('are changed in several units of work, and once when a job runs twice', async () => {
    const [alice, bob] = [app.world.id('alice'), app.world.id('bob')];
    await app.sql(
      `with made as (
         insert into statuses (id, author_id, uri, visibility, content_html, content_text, local)
         select 'M' || n, $1, 'https://svc.test/objects/m' || n, 0, '', '', true from generate_series(1001, 1250) n returning id),
       counts as (insert into status_stats (status_id, favourites, reblogs) select id, 1, 1 from made),
       liked as (insert into favourites (account_id, status_id) select $2, id from made)
       insert into statuses (id, author_id, uri, visibility, content_html, content_text, local, reblog_of_id)
       select 'N' || id, $2, 'https://svc.test/activities/' || id, 0, '', '', true, id from made`,
      [alice, bob],
    );
    const counted = async () =>
      app.sql(`select sum(favourites)::int as f, sum(reblogs)::int as b from status_stats where status_id ~ '^M'`);
    await setActive('bob', false);
    await app.get(StatusRecountService).recount({ accountId: bob });
    expect(await counted()).toEqual([{ f: 0, b: 0 }]);
    await setActive('bob', true);
    await app.get(StatusRecountService).recount({ accountId: bob });
    expect(await counted()).toEqual([{ f: 250, b: 250 }]);
    expect(await app.get(StatusCounterRepairService).statuses({ fix: false })).toBe(0);
  });

  it('leave out accounts that were deactivated before the update', async () => {
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('bob')]);
    await app.sql('alter table favourites drop column counted');
    const { statements } = new CountedActions1764000226210() as unknown as { statements: string };
    await app.sql(statements);
    const stats = () => app.sql('select favourites, reblogs from status_stats where status_id = $1', [post]);
    expect(await stats()).toEqual([{ favourites: 1, reblogs: 1 }]);
    await setActive('bob', true);
    expect(await stats()).toEqual([{ favourites: 2, reblogs: 2 }]);
  });
});
