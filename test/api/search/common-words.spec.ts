import type { ResultsJson } from '../../../src/search/index.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/*
 * PostgreSQL may count the changes of a session only seconds after their commit, and after an `analyze`. Each test has
 * its own database, and changes too few rows that way to make a word common.
 */
const COUNT = 4_600;
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
afterEach(() => app.close());

async function found(q: string): Promise<string[]> {
  const answer = await app.world.anonymous.get('/api/v2/search', { q }).expect(200);
  return (answer.body as ResultsJson).statuses.map(({ id }) => id);
}
const addLinks = () => app.sql('update statuses set flags = 4 where id = any($1::text[])', [[lost, old]]);

it('a search is limited to thousands of posts for a word that became common since the last statistics', async () => {
  await app.sql(`update statuses set content_text = 'none'`);
  await app.sql('analyze statuses');
  await app.sql(`do $$ begin
    for n in 1..3 loop update statuses set content_text = 'news'; end loop;
    perform pg_stat_force_next_flush();
  end $$`);
  await addLinks();
  expect(await found('news has:link')).toEqual([old]);
  await app.sql('analyze statuses');
  expect(await found('news has:link')).toEqual([old, lost]);
});

it('a search is limited to thousands of posts for common words and common phrases', async () => {
  await addLinks();
  await app.sql('analyze statuses');
  await app.sql(`update pg_class set reltuples = 1000000 where oid = 'statuses'::regclass`);
  expect(await found('common has:link')).toEqual([old]);
  expect(await found('"common word" has:link')).toEqual([old]);
  await app.sql('analyze statuses');
  expect(await found('common has:link')).toEqual([old, lost]);
});
