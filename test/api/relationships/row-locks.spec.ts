import { FollowsService } from '../../../src/accounts/index.js';
import { StatusRecountService } from '../../../src/statuses/counters/recount.service.js';
import { StatusErasureService } from '../../../src/statuses/erasure/status-erasure.service.js';
import { makeFavourites, makeStatuses } from '../../support/fixtures/factories.js';
import { holding, waitersOf } from '../../support/locks.js';
import { useApp } from '../../support/servers/app.js';

/* Jobs that change many rows of one account lock them in the order of their ids: two of them cannot deadlock. */

const app = useApp({ people: ['alice', 'bob', 'carol'] });

beforeEach(async () => {
  for (const name of ['alice', 'carol']) await app.world.follow('bob', name);
  await makeFavourites(app, app.world.id('bob'), await makeStatuses(app, 'alice', 2));
  await app.drain();
  // a changed row lies behind the others: a scan of the table reads the lower id last
  for (const table of ['follows', 'favourites'])
    await app.sql(`update ${table} set id = id where id = (select min(id) from ${table})`);
});

it.each<[work: string, table: string, state: string, run: (bob: string) => Promise<unknown>]>([
  ['a recount of follows', 'follows', 'deactivated', (accountId) => app.get(FollowsService).recount({ accountId })],
  ['the end of all follows', 'follows', 'deleted', (bob) => app.get(FollowsService).endAll(bob)],
  [
    'a recount of favourites',
    'favourites',
    'deactivated',
    (accountId) => app.get(StatusRecountService).recount({ accountId }),
  ],
  [
    'the erasure of favourites',
    'favourites',
    'deleted',
    (accountId) => app.get(StatusErasureService).erase({ accountId }),
  ],
])('D2 %s waits for the lowest row before it locks others', async (_work, table, state, run) => {
  await app.sql(
    `update accounts set deactivated_at = now(), deleted_at = case when $2 = 'deleted' then now() end where id = $1`,
    [app.world.id('bob'), state],
  );
  const [lowest, other] = await app.sql<{ id: string }>(`select id from ${table} order by id`);
  await holding(app, async (holder) => {
    await holder.query(`select from ${table} where id = $1 for update`, [lowest!.id]);
    const running = run(app.world.id('bob'));
    await waitersOf(holder, 1);
    const free = await app.sql(`select id from ${table} for update skip locked`);
    await holder.query('commit');
    await running;
    expect(free).toEqual([other]);
  });
  expect(await app.sql(`select id from ${table} where counted`)).toEqual([]);
});
