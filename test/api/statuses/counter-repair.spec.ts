import { AccountCounterRepairService } from '../../../src/accounts/index.js';
import { Worker } from '../../../src/platform/index.js';
import { StatusCounterRepairService } from '../../../src/statuses/index.js';
import { StatusCounterRepairJobs } from '../../../src/statuses/counters/counter-repair.jobs.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';

describe('the repair of counters', () => {
  const app = useApp({ people: ['alice', 'bob'] });

  const countsOf = (nickname: string) =>
    app.sql(
      `select statuses_count as statuses, followers_count as followers, following_count as following
       from account_stats where account_id = $1`,
      [app.world.id(nickname)],
    );
  const repairAll = () => {
    const [accounts, statuses] = [app.get(AccountCounterRepairService), app.get(StatusCounterRepairService)];
    return Promise.all([
      accounts.follows({ fix: true }),
      statuses.posts({ fix: true }),
      statuses.statuses({ fix: true }),
    ]);
  };

  it('corrects wrong counters every night', async () => {
    await app.world.follow('bob', 'alice');
    const [post] = await makeStatuses(app, 'alice', 2);
    await app.sql('update account_stats set followers_count = 9, following_count = 9');
    await app.sql('update status_stats set replies = 4, reblogs = 4, favourites = 4 where status_id = $1', [post]);
    await app.get(Worker).enqueueRecurring();
    await app.drain();
    expect(await countsOf('alice')).toEqual([{ statuses: 2, followers: 1, following: 0 }]);
    expect(await countsOf('bob')).toEqual([{ statuses: 0, followers: 0, following: 1 }]);
    expect(await app.sql('select replies, reblogs, favourites from status_stats where status_id = $1', [post])).toEqual(
      [{ replies: 0, reblogs: 0, favourites: 0 }],
    );
  });

  it('corrects the counters of posts in jobs of 50,000, each after the last one, in a queue without other work', async () => {
    const posts = await makeStatuses(app, 'alice', 3);
    // Counters of posts that are gone are compared fastest, and differ from nothing.
    await app.sql(`
      do $$ begin
        set local session_replication_role = replica;
        insert into status_stats (status_id) select '0' || lpad(n::text, 17, '0') from generate_series(1, 50000) n;
      end $$`);
    await app.sql('update status_stats set replies = 4 where status_id = any($1::text[])', [posts]);
    const jobs = app.get(StatusCounterRepairJobs);
    await jobs.repairCounters();
    const waiting = () =>
      app.sql(`select queue, payload->>'after' as after from jobs where name = 'statuses.repair-counters-after'`);
    expect(await waiting()).toEqual([{ queue: 'upkeep', after: '' }]);
    await jobs.repairAfter({ after: posts[0]! });
    const wrong = () =>
      app.sql('select status_id as id from status_stats where replies > 0 and status_id > $1 order by id', ['1']);
    expect(await wrong()).toEqual([{ id: posts[0] }]);
    await jobs.repairAfter({ after: '' });
    expect(await waiting()).toEqual([{ queue: 'upkeep', after: `0${'50000'.padStart(17, '0')}` }]);
    expect(await wrong()).toEqual([{ id: posts[0] }]);
    await app.drain();
    expect(await wrong()).toEqual([]);
  });

  it('compares only the newest posts where it is asked to', async () => {
    await makeStatuses(app, 'alice', 3);
    await app.sql('update status_stats set replies = 4');
    const statuses = app.get(StatusCounterRepairService);
    expect(await statuses.statuses({ fix: false }, 2)).toBe(2);
    expect(await statuses.statuses({ fix: false }, 3)).toBe(3);
  });

  it('does not count direct posts', async () => {
    const alice = await app.world.as('alice');
    await alice.post('/api/v1/statuses', { status: 'for all' }).expect(200);
    await alice.post('/api/v1/statuses', { status: '@bob for you', visibility: 'direct' }).expect(200);
    expect(await repairAll()).toEqual([0, 0, 0]);
    expect(await countsOf('alice')).toEqual([{ statuses: 1, followers: 0, following: 0 }]);
  });

  it('yields correct counters when users write while two repairs run', async () => {
    const [post] = await makeStatuses(app, 'alice', 1);
    await app.sql('update account_stats set statuses_count = 50, followers_count = 50');
    await app.sql('update status_stats set replies = 50, favourites = 50');
    const [alice, bob] = [await app.world.as('alice'), await app.world.as('bob')];
    const written = Array.from({ length: 8 }, () => [
      alice.post('/api/v1/statuses', { status: 'one more' }).expect(200),
      bob.post('/api/v1/statuses', { status: 'an answer', in_reply_to_id: post }).expect(200),
    ]).flat();
    const acted = [
      bob.post(`/api/v1/statuses/${post}/favourite`).expect(200),
      bob.post(`/api/v1/accounts/${app.world.id('alice')}/follow`).expect(200),
    ];
    await Promise.all([...written, ...acted, repairAll(), repairAll()]);
    expect(await countsOf('alice')).toEqual([{ statuses: 9, followers: 1, following: 0 }]);
    expect(await countsOf('bob')).toEqual([{ statuses: 8, followers: 0, following: 1 }]);
    expect(await app.sql('select replies, favourites from status_stats where status_id = $1', [post])).toEqual([
      { replies: 8, favourites: 1 },
    ]);
    expect(await repairAll()).toEqual([0, 0, 0]);
  });
});
