import { readdir, readFile } from 'node:fs/promises';
import '../../src/app.module.js';
import { ModeratedAccountRepository } from '../../src/accounts/moderation/moderated-account.repository.js';
import { ModerationLogRepository } from '../../src/admin/log/moderation-log.repository.js';
import { type Database, declaredStatements, UnitOfWork } from '../../src/platform/index.js';
import { useApp } from '../support/servers/app.js';
import { makeFans } from '../support/fixtures/factories.js';

const DOCUMENTS = 'docs/sql/';

describe('Plans of statements', () => {
  it('are documented for every list with pages', async () => {
    const files = await readdir(DOCUMENTS);
    const texts = await Promise.all(files.map((file) => readFile(DOCUMENTS + file, 'utf8')));
    const kept = new Set(texts.flatMap((text) => [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name)));
    const lists = [...declaredStatements().keys()].filter((name) => name.endsWith('.older'));
    expect(lists.length).toBeGreaterThan(20);
    expect(lists.filter((name) => !kept.has(name))).toEqual([]);
  });
});

describe('One pair of accounts', () => {
  const app = useApp({ once: [] });

  // All accounts follow one, which follows some of them; the others have one row each, as on a server with a popular account.
  beforeAll(async () => {
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

  it.each([
    ['follows', 'follower_id = $1 and followee_id = $2 and state = 1'],
    ['blocks', 'account_id = $1 and target_id = $2'],
    ['mutes', 'account_id = $1 and target_id = $2'],
  ])('is looked up in %s by an index of pairs, not among all rows of one account', async (table, where) => {
    const rows = await app.sql<{ 'QUERY PLAN': string }>(`explain (generic_plan) select from ${table} where ${where}`);
    const conditions = rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Index Cond'));
    expect(conditions).toEqual([expect.stringMatching(/\$1.* AND .*\$2|\$2.* AND .*\$1/)]);
  });
});

describe('A far page for administrators', () => {
  const SIZE = 20;
  const FAR = 999 * SIZE;
  const app = useApp({ once: [] });

  beforeAll(async () => {
    await app.sql(
      `insert into accounts (id, nickname, domain, ap_id, note_html)
       select 'a' || lpad(n::text, 6, '0'), 'p' || n, case when n % 9 = 0 then 'far.test' end, 'https://x.test/' || n,
         repeat('x', 200) from generate_series(1, 25000) n`,
    );
    await app.sql(`insert into users (account_id, password_hash) select id, '' from accounts where domain is null`);
    await app.sql('analyze users');
    await app.sql(
      `insert into moderation_log (action, data, message)
       select 'approve', '{}', 'person ' || n || repeat('x', 200) from generate_series(1, 25000) n`,
    );
    // Without a checkpoint the vacuum might not treat the new rows as visible to all transactions.
    await app.sql('checkpoint');
    for (const table of ['accounts', 'moderation_log']) await app.sql(`vacuum analyze ${table}`);
  });

  /** The plan of the first statement that a repository sends. */
  async function planOf(ask: (db: Database) => unknown): Promise<string> {
    const sent: [string, readonly unknown[]][] = [];
    const db = {
      query: (...statement: [string, readonly unknown[]]) => Promise.resolve(sent.push(statement) ? [] : []),
    };
    await ask(db as unknown as Database);
    const [text, values] = sent[0]!;
    const rows = await app.sql<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it.each([
    [
      'accounts',
      'accounts_known',
      [0, FAR].map((at) => (db: Database) => new ModeratedAccountRepository(db).page({}, SIZE, at)),
    ],
    [
      'local accounts',
      'accounts_here',
      [0, FAR].map((at) => (db: Database) => new ModeratedAccountRepository(db).page({ filters: ['local'] }, SIZE, at)),
    ],
    [
      'the moderation log',
      'moderation_log_pkey',
      [0, FAR].map((at) => (db: Database) => new ModerationLogRepository(db, app.get(UnitOfWork)).page({}, SIZE, at)),
    ],
  ])('of %s reads only the index %s for the rows before it', async (_list, index, pages) => {
    for (const page of pages) {
      const plan = await planOf(page);
      expect(plan).toContain(`Index Only Scan Backward using ${index}`);
      expect(plan).not.toMatch(/Seq Scan on (accounts|users|moderation_log)/);
    }
  });
});
