import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../src/app.module.js';
import { declaredStatements } from '../../src/platform/index.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { makeFans } from '../support/fixtures/factories.js';

const DOCUMENTS = 'docs/sql/';

describe('Plans of statements', () => {
  it('are kept of every list that has pages', async () => {
    const files = await readdir(DOCUMENTS);
    const texts = await Promise.all(files.map((file) => readFile(DOCUMENTS + file, 'utf8')));
    const kept = new Set(texts.flatMap((text) => [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name)));
    const lists = [...declaredStatements().keys()].filter((name) => name.endsWith('.older'));
    expect(lists.length).toBeGreaterThan(20);
    expect(lists.filter((name) => !kept.has(name))).toEqual([]);
  });
});

describe('One pair of accounts', () => {
  let app: TestApp;

  // Somebody whom all follow, and who follows some; for everybody else there is one row, as on a server with many fans.
  beforeAll(async () => {
    app = await startApp();
    const fans = await makeFans(app, 1_000);
    for (const [table, owner, other] of [
      ['follows', 'follower_id', 'followee_id'],
      ['blocks', 'account_id', 'target_id'],
      ['mutes', 'account_id', 'target_id'],
    ] as const) {
      await app.sql(
        `insert into ${table} (${owner}, ${other})
         select fan, $2 from unnest($1::text[]) fan where fan <> $2 union select $2, fan from unnest(($1::text[])[2:101]) fan`,
        [fans, fans[0]],
      );
      await app.sql(`analyze ${table}`);
    }
  });
  afterAll(() => app.close());

  it.each([
    ['follows', 'follower_id = $1 and followee_id = $2 and state = 1'],
    ['blocks', 'account_id = $1 and target_id = $2'],
    ['mutes', 'account_id = $1 and target_id = $2'],
  ])('is looked up in %s by an index of pairs, not among all that one of them has', async (table, where) => {
    const rows = await app.sql<{ 'QUERY PLAN': string }>(`explain (generic_plan) select from ${table} where ${where}`);
    const conditions = rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Index Cond'));
    expect(conditions).toEqual([expect.stringMatching(/\$1.* AND .*\$2|\$2.* AND .*\$1/)]);
  });
});
