import { AccountDeletionService } from '../../src/accounts/index.js';
import { RetentionService } from '../../src/retention/index.js';
import { StatusErasureService } from '../../src/statuses/erasure/status-erasure.service.js';
import { type PlainStatusJson, StatusCounterRepairService } from '../../src/statuses/index.js';
import { makeFavourites, makeFollows } from '../support/fixtures/factories.js';
import { storeOld } from '../support/fixtures/retention.js';
import { expectCountersToMatchRows, ok, post, reblog } from '../support/fixtures/statuses.js';
import { countQueries } from '../support/queries.js';
import { useApp } from '../support/servers/app.js';
import type { Client } from '../support/fixtures/world.js';

const PATH = '/api/v1/statuses';
/** More than a post may have to be removed in one unit of work. */
const FANS = 1_100;

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;
let popular: PlainStatusJson;

const id = (nickname: string) => app.world.id(nickname);
const count = async (text: string, values: unknown[] = []) =>
  (await app.sql<{ count: number }>(`select count(*)::int from ${text}`, values))[0]!.count;

/** A post of alice that carol and very many others boosted and answered. */
beforeEach(async () => {
  [alice, bob] = await Promise.all([app.world.as('alice'), app.world.as('bob')]);
  await makeFollows(app, id('bob'), [id('alice'), id('carol')]);
  popular = await post(app, 'alice', 'harbour tea #tea @carol');
  await alice.post(`${PATH}/${popular.id}/pin`).expect(200);
  await app.sql(
    `insert into accounts (id, nickname, ap_id, domain)
     select 'f' || lpad(n::text, 17, '0'), 'f' || n, 'https://fans.test/' || n, 'fans.test' from generate_series(1, $1::int) n`,
    [FANS],
  );
  await app.sql(
    `insert into account_stats (account_id, statuses_count) select id, 2 from accounts where domain is not null`,
  );
  await app.sql(
    `insert into statuses (id, author_id, uri, visibility, reblog_of_id, in_reply_to_id, in_reply_to_account_id, in_reply_to_uri, local)
     select kind || id, id, ap_id || kind, 0, case kind when 'b' then $1 end, case kind when 'r' then $1 end,
       case kind when 'r' then $2 end, case kind when 'r' then $3 end, false
     from accounts, (values ('b'), ('r')) of (kind) where domain is not null`,
    [popular.id, id('alice'), popular.uri],
  );
  await app.sql('insert into status_stats (status_id) select id from statuses on conflict do nothing');
  await makeFavourites(
    app,
    (await app.sql<{ id: string }>('select id from accounts where domain is not null')).map((row) => row.id),
    popular.id,
  );
  await app.sql('update status_stats set reblogs = $2, replies = $2, favourites = $2 where status_id = $1', [
    popular.id,
    FANS,
  ]);
});

/** The number of boosts of the post that one transaction removes, at most. */
async function mostRemovedAtOnce(work: () => Promise<unknown>): Promise<number> {
  await app.sql('create table removals (by xid8 default pg_current_xact_id())');
  await app.sql(
    `create function note_removal() returns trigger language plpgsql as
     $$ begin if old.reblog_of_id is not null then insert into removals default values; end if; return null; end $$`,
  );
  await app.sql('create trigger noted after delete on statuses for each row execute function note_removal()');
  try {
    await work();
    const [most] = await app.sql<{ rows: number }>(
      'select count(*)::int as rows from removals group by by order by 1 desc limit 1',
    );
    return most?.rows ?? 0;
  } finally {
    await app.sql('drop trigger noted on statuses');
    await app.sql('drop function note_removal');
    await app.sql('drop table removals');
  }
}

const ids = async (client: Client, path: string, query = {}) =>
  (await ok<{ id: string }[]>(client.get(path, query))).map((row) => row.id);

it('a popular post is gone for everybody at once when it is deleted, and its boosts and replies are removed in parts', async () => {
  await reblog(app, 'carol', popular.id);
  for (const action of ['favourite', 'bookmark']) await bob.post(`${PATH}/${popular.id}/${action}`).expect(200);
  const answer = await post(app, 'bob', 'yes', { in_reply_to_id: popular.id, quote_id: popular.id });
  await app.drain();
  expect(await ids(bob, '/api/v1/timelines/home')).toEqual([answer.id, popular.id]);
  expect(await ids(alice, '/api/v1/notifications')).not.toEqual([]);

  const { statements } = await countQueries(() => ok(alice.delete(`${PATH}/${popular.id}`)));
  expect(statements.filter((name) => ['statuses.remove_boosts', 'statuses.remove'].includes(name))).toEqual([]);
  expect(await count('statuses where reblog_of_id = $1', [popular.id])).toBe(FANS + 1);

  for (const client of [alice, bob, app.world.anonymous])
    for (const path of ['', '/context', '/history', '/reblogged_by', '/favourited_by'])
      expect((await client.get(`${PATH}/${popular.id}${path}`)).status).toBeGreaterThanOrEqual(401);
  await alice.delete(`${PATH}/${popular.id}`).expect(404);
  for (const action of ['favourite', 'reblog']) await bob.post(`${PATH}/${popular.id}/${action}`).expect(404);
  for (const [client, path, query, left] of [
    [bob, '/api/v1/timelines/home', {}, [answer.id]],
    [bob, '/api/v1/timelines/tag/tea', {}, []],
    [bob, '/api/v1/favourites', {}, []],
    [bob, '/api/v1/bookmarks', {}, []],
    [alice, `/api/v1/accounts/${id('alice')}/statuses`, {}, []],
    [alice, `/api/v1/accounts/${id('alice')}/statuses`, { pinned: true }, []],
    [bob, `/api/v1/accounts/${id('carol')}/statuses`, {}, []],
  ] as const)
    expect([path, await ids(client, path, query)]).toEqual([path, left]);
  expect(await ids(bob, '/api/v1/timelines/public', { local: true })).toEqual([answer.id]);
  const found = await ok<{ statuses: object[] }>(alice.get('/api/v2/search', { q: 'harbour' }));
  expect(found.statuses).toEqual([]);
  expect(await ids(alice, '/api/v1/notifications', { types: ['favourite', 'reblog'] })).toEqual([]);
  expect(await ok(bob.get(`${PATH}/${answer.id}`))).toMatchObject({
    in_reply_to_id: null,
    quote: { quoted_status: null },
  });
  expect(await ok(bob.get(`${PATH}/${answer.id}/context`))).toEqual({ ancestors: [], descendants: [] });
  const document = app.http.get(new URL(popular.uri).pathname).set('accept', 'application/activity+json');
  expect((await document).status).toBe(410);
  expect(await ok(alice.get(`/api/v1/accounts/${id('alice')}`))).toMatchObject({ statuses_count: 0 });
  await expectCountersToMatchRows(app);
  await app.world.person('root', { admin: true });
  const staff = await app.world.as('root', 'read', 'admin:read');
  const listed = await ids(staff, '/api/v1/svc/admin/statuses', { godmode: true, local_only: true });
  expect(listed).toEqual([answer.id]);
  await staff.get(`/api/v1/svc/admin/statuses/${popular.id}`).expect(404);

  await app.drain();
  expect(
    await count(`statuses where id = $1 or reblog_of_id = $1 or in_reply_to_id = $1 or quote_of_id = $1`, [popular.id]),
  ).toBe(0);
  expect(await count(`statuses where in_reply_to_uri = $1`, [popular.uri])).toBe(FANS);
  expect(await ok(bob.get(`${PATH}/${answer.id}`))).toMatchObject({ quote: { state: 'deleted', quoted_status: null } });
  for (const table of ['favourites', 'bookmarks', 'pins']) expect([table, await count(table)]).toEqual([table, 0]);
  expect(await count(`jobs where name = 'statuses.remove-gradually'`)).toBe(0);
  expect(await app.sql('select uri from tombstones')).toEqual([{ uri: popular.uri }]);
  await expectCountersToMatchRows(app);
  expect(await app.get(StatusCounterRepairService).statuses({ fix: false })).toBe(0);
  const totals = await app.sql(
    `select visibility, sum(count)::int as posts from status_totals where domain = '' group by 1 having sum(count) <> 0`,
  );
  expect(totals).toEqual([{ visibility: 0, posts: 1 }]);
});

it('a popular post does not keep the erasure of its author from its end, and is removed in parts after that', async () => {
  await app.get(AccountDeletionService).delete(id('alice'));
  await app.get(StatusErasureService).erase({ accountId: id('alice') });
  expect(await count('statuses where author_id = $1', [id('alice')])).toBe(0);
  await bob.get(`${PATH}/${popular.id}`).expect(404);
  expect(await count('statuses where reblog_of_id = $1', [popular.id])).toBe(FANS);
  expect(await mostRemovedAtOnce(() => app.drain())).toBeLessThan(FANS / 2);
  expect(await count('statuses where id = $1 or reblog_of_id = $1', [popular.id])).toBe(0);
});

it('a popular post of another server is forgotten at once, and what refers to it is removed in parts', async () => {
  await app.world.remote('ann', 'far.test');
  const old = await storeOld(app, 'ann@far.test', 'popular');
  const boosts = 60; // of a hundred posts that share a unit of work, each may have 50
  await app.sql(
    `insert into statuses (id, author_id, uri, visibility, reblog_of_id, local)
     select '0' || substr(id, 2), id, ap_id || '/old', 0, $1, false from accounts where domain = 'fans.test' order by id limit $2`,
    [old.id, boosts],
  );
  await app.sql('update status_stats set reblogs = $2 where status_id = $1', [old.id, boosts]);
  // The servers of every second fan state how many posts they have.
  await app.sql(
    `update account_stats t set statuses_count = 3, counts_fetched_at = case right(t.account_id, 1)::int % 2 when 0 then now() end
     from statuses b where b.author_id = t.account_id and b.reblog_of_id = $1`,
    [old.id],
  );
  const fans = () =>
    app.sql(`select statuses_count as count, count(*)::int as fans from account_stats t join accounts a on a.id = t.account_id
             where a.domain = 'fans.test' group by 1 order by 1`);

  const { result, statements } = await countQueries(() => app.get(RetentionService).removeNow('posts', 30));
  expect(result.rows).toBe(1);
  expect(statements).toContain('statuses.hand_over');
  expect(await count('statuses where reblog_of_id = $1', [old.id])).toBe(boosts);
  expect(await count('statuses where uri = $1', [old.uri])).toBe(0);
  await bob.get(`${PATH}/${old.id}`).expect(404);

  const again = await storeOld(app, 'ann@far.test', 'popular');
  await app.drain();
  expect(await count('statuses where id = $1 or reblog_of_id = $1', [old.id])).toBe(0);
  expect(await ok(bob.get(`${PATH}/${again.id}`))).toMatchObject({ uri: old.uri });
  expect(await fans()).toEqual([
    { count: 2, fans: FANS - boosts / 2 },
    { count: 3, fans: boosts / 2 },
  ]);
  expect(await app.sql('select from tombstones')).toEqual([]);
  await expectCountersToMatchRows(app);
  const posts = await app.sql(
    `select domain, sum(count)::int as posts from status_totals where domain in ('', 'far.test') group by 1 having sum(count) <> 0 order by 1`,
  );
  expect(posts).toEqual([
    { domain: '', posts: 1 },
    { domain: 'far.test', posts: 1 },
  ]);
});
