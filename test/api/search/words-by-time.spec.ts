import type { ResultsJson } from '../../../src/search/index.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { countQueries } from '../../support/queries.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Posts of which `seldom` is in 230, 30 of these among the newest 4,000: many of a million, and no common word of today. */
const COUNT = 4_600;
const YOUNG = 4_000;
let app: TestApp;
let used: string[];

beforeEach(async () => {
  app = await startApp();
  await app.world.persons('bob');
  await app.sql('alter table statuses set (autovacuum_enabled = false)');
  const ids = await makeStatuses(app, 'bob', COUNT);
  const old = ids.slice(0, 200);
  const young = ids.slice(-YOUNG).filter((_, at) => at % 130 === 129 && at < 30 * 130);
  used = [...old, ...young];
  await app.sql(`update statuses set content_text = 'seldom' where id = any($1::text[])`, [used]);
  await app.sql('analyze statuses');
  await app.sql(`update pg_class set reltuples = 1000000 where oid = 'statuses'::regclass`);
});
afterEach(async () => {
  await app.sql('analyze statuses');
  await app.close();
});

/** The found posts, and how many statements look for them. */
async function find(
  query: Record<string, string | number | undefined>,
): Promise<{ ids: string[]; statements: number }> {
  const { statements, result } = await countQueries(() =>
    app.world.anonymous.get('/api/v2/search', { q: 'seldom', type: 'statuses', ...query }).expect(200),
  );
  const ids = (result.body as ResultsJson).statuses.map(({ id }) => id);
  return { ids, statements: statements.filter((name) => name.startsWith('search.statuses_words')).length };
}

it('a search for a word with many uses reads a part of time, and all of it where this has too few posts for the page', async () => {
  const newest = used.toReversed();
  expect(await find({ limit: 1 })).toEqual({ ids: newest.slice(0, 1), statements: 1 });
  expect(await find({ limit: 40 })).toEqual({ ids: newest.slice(0, 40), statements: 1 });
  expect(await find({ limit: 20, offset: 25 })).toEqual({ ids: newest.slice(25, 45), statements: 1 });
});

it('a search for a word with many uses reads all of time where the reader may not see what a part of it has', async () => {
  const [shown, ...hidden] = used.slice(-3);
  await app.sql('update statuses set visibility = 2 where id = any($1::text[])', [hidden]);
  expect(await find({ limit: 1 })).toEqual({ ids: [shown], statements: 2 });
});

it('a search among millions of posts finds all posts with a word that is not known to have many uses', async () => {
  await app.sql(`update pg_class set reltuples = 20000000 where oid = 'statuses'::regclass`);
  const ids = await makeStatuses(app, 'bob', 3, { text: 'samovar' });
  for (const limit of [2, 40]) {
    const expected = { ids: ids.toReversed().slice(0, limit), statements: 1 };
    expect(await find({ q: 'samovar', limit })).toEqual(expected);
  }
});

it('a search for a word with fewer uses now than at other times fills its page from a larger part of time', async () => {
  await app.sql(`update statuses set content_text = 'none' where id = $1`, [used.pop()]);
  expect(await find({ limit: 1 })).toEqual({ ids: used.slice(-1), statements: 1 });
});

it('a search for a word with many uses is paged through from both ends, and leaves out no post', async () => {
  const down: string[] = [];
  const up: string[] = [];
  for (let last: string | undefined; ; last = down.at(-1)) {
    const { ids } = await find({ limit: 20, max_id: last });
    if (ids.length === 0) break;
    down.push(...ids);
  }
  expect(down).toEqual(used.toReversed());
  for (let last = '0'; ; last = up.at(-1)!) {
    const { ids } = await find({ limit: 20, min_id: last });
    if (ids.length === 0) break;
    up.push(...ids.toReversed());
  }
  expect(up).toEqual(used);
});
