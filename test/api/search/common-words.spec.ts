import type { ResultsJson } from '../../../src/search/index.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** More than are searched for a common word: `lost` is beyond these, and `old` among the last of them. */
const COUNT = 20_600;
let app: TestApp;
let lost: string;
let old: string;

beforeEach(async () => {
  app = await startApp();
  await app.world.persons('bob');
  await app.sql('alter table statuses set (autovacuum_enabled = false)');
  const ids = await makeStatuses(app, 'bob', COUNT, { text: 'common word' });
  [lost, old] = [ids[0]!, ids[1_000]!];
});
afterEach(async () => {
  await app.sql('analyze statuses'); // the next user of the database must not get the numbers that a test wrote
  await app.close();
});

async function found(q: string): Promise<string[]> {
  const answer = await app.world.anonymous.get('/api/v2/search', { q }).expect(200);
  return (answer.body as ResultsJson).statuses.map(({ id }) => id);
}
/** Gives both posts a link, and a word that no other has. */
const markBoth = () =>
  app.sql(`update statuses set flags = 4, content_text = content_text || ' seldom' where id = any($1::text[])`, [
    [lost, old],
  ]);

it('a search is limited to thousands of posts for a word that became common since the last statistics', async () => {
  await app.sql(`update statuses set content_text = 'none'`);
  await app.sql('analyze statuses');
  await app.sql(`do $$ begin
    update statuses set content_text = 'news';
    perform pg_stat_force_next_flush();
  end $$`);
  await markBoth();
  expect(await found('news has:link')).toEqual([old]);
  expect(await found('seldom has:link')).toEqual([old, lost]);
});

it('a search is limited to thousands of posts for common words, common phrases and excluded words', async () => {
  await markBoth();
  await app.sql('analyze statuses');
  expect(await found('common has:link')).toEqual([old]);
  expect(await found('"common word" has:link')).toEqual([old]);
  expect(await found('-none has:link')).toEqual([old]);
  expect(await found('seldom has:link')).toEqual([old, lost]);
});

it('a search for a rare word with common ones finds the posts that have all of them, however old', async () => {
  await markBoth();
  await app.sql('analyze statuses');
  for (const words of ['common seldom', 'seldom "common word"', 'word seldom common -none', 'seldom (common)'])
    expect(await found(words)).toEqual([old, lost]);
  for (const words of ['seldom -common', 'seldom "word common"', 'seldom common none'])
    expect(await found(words)).toEqual([]);
  expect(await found('seldom or common')).toHaveLength(20);
});

it('a search for a common word fills pages by offset where one in 450 of the newest posts has the word', async () => {
  await app.sql(`update statuses set content_text = 'rare' where id in (
    select id from (select id, row_number() over (order by id desc) as n from statuses) s where n % 450 = 0)`);
  await app.sql('analyze statuses');
  await app.sql(`update pg_class set reltuples = 10000000 where oid = 'statuses'::regclass`);
  const page = async (offset: number) => {
    const query = { q: 'rare', type: 'statuses', limit: 20, offset };
    return (await app.world.anonymous.get('/api/v2/search', query).expect(200)).body as ResultsJson;
  };
  expect((await page(0)).statuses).toHaveLength(20);
  expect((await page(20)).statuses).toHaveLength(20);
});
