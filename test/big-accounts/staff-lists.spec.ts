import { ModeratedAccountRepository } from '../../src/accounts/moderation/moderated-account.repository.js';
import { AccountDeletionService } from '../../src/accounts/index.js';
import { MAX_LISTED } from '../../src/common/index.js';
import { HostBlocksService } from '../../src/federation/index.js';
import { ModeratedStatusesRepository } from '../../src/statuses/moderation/moderated-statuses.repository.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { ok } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';
import { wordsOf } from '../support/pages.js';
import { rowsAsked, rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

const ADMIN = '/api/v1/svc/admin';
const LOUD = 'loud.test';
const ACCOUNTS = MAX_LISTED + 100;
/** The first account wrote most of them, then each of the accounts one. */
const POSTS = ACCOUNTS + 2 * MAX_LISTED;
const SIZE = 50;
const filter = { everyVisibility: false, withReblogs: false };
const accountId = (n: number) => `loud${String(n).padStart(14, '0')}`;

const app = useApp({ once: ['alice'] });
let root: Client;

beforeAll(async () => {
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin');
  await app.sql(
    `insert into accounts (id, nickname, domain, ap_id)
     select 'loud' || lpad(n::text, 14, '0'), 'l' || n, $2, 'https://' || $2 || '/' || n from generate_series(1, $1::int) n`,
    [ACCOUNTS, LOUD],
  );
  await app.sql('insert into account_stats (account_id) select id from accounts on conflict do nothing');
  await app.sql(
    `insert into statuses (id, author_id, uri, visibility, local)
     select 'post' || lpad(n::text, 14, '0'), 'loud' || lpad(greatest(n - $2, 1)::text, 14, '0'), 'https://loud.test/posts/' || n, 0, false
     from generate_series(1, $1::int) n`,
    [POSTS, POSTS - ACCOUNTS],
  );
  await app.sql('insert into status_totals (domain, visibility, slot, count) values ($1, 0, 0, $2)', [LOUD, POSTS]);
});

interface Listed {
  readonly count?: number;
  readonly total?: number;
  readonly activities?: readonly { id: string }[];
}

const list = (path: string, query: object) => ok<Listed>(root.get(`${ADMIN}/${path}`, { page_size: SIZE, ...query }));

describe('lists for the staff of what other servers have', () => {
  it('end their counts at 10,000, and grow with the pages behind that', async () => {
    expect((await list('users', { filters: 'external' })).count).toBe(MAX_LISTED);
    expect((await list('users', { filters: 'external,active' })).count).toBe(MAX_LISTED);
    expect((await list('users', { filters: 'external', page: MAX_LISTED / SIZE + 1 })).count).toBe(
      MAX_LISTED + SIZE + 1,
    );
    for (const path of [`instances/${LOUD}/statuses`, `users/${accountId(1)}/statuses`])
      expect((await list(path, {})).total).toBe(MAX_LISTED);
  });

  it('show the newest posts of a server with many accounts, and do not ask each of them', async () => {
    const { activities = [] } = await list(`instances/${LOUD}/statuses`, { page_size: 2 });
    const newest = [POSTS, POSTS - 1].map((n) => `post${String(n).padStart(14, '0')}`);
    expect(activities.map(({ id }) => id)).toEqual(newest);
    const page = await rowsAsked(app, (db) => new ModeratedStatusesRepository(db).pageOfServer(LOUD, filter, 2, 0));
    expect(page).toBeLessThan(ACCOUNTS / 2);
  });

  it('show the posts from here without reading those of other servers', async () => {
    const page = await rowsAsked(app, (db) => new ModeratedStatusesRepository(db).page(filter, true, SIZE, 0));
    expect(page).toBeLessThan(100);
  });

  it('count no more than so many rows', async () => {
    const accounts = await rowsAsked(app, (db) => new ModeratedAccountRepository(db).count({ filters: ['external'] }));
    expect(accounts).toBeLessThanOrEqual(MAX_LISTED + 10);
  });
});

it('pages of the staff say that there may be more', async () => {
  const visit = await new BrowserVisit(app).signIn('root');
  const words = async (path: string, query: Record<string, string>) =>
    wordsOf(await visit.get(`/app/staff/${path}`, query));
  expect(await words('posts', { server: LOUD })).toContain('Page 1 of 500 or more');
  expect(await words('accounts', { q: LOUD })).toContain('Found: 10,000 or more');
  expect(await words('blocks/preview', { host: LOUD })).toContain('Known accounts there 10,000 or more');
});

describe('the preview of a block', () => {
  it('ends its counts at 10,000, and reads a bounded number of rows', async () => {
    expect(await app.get(HostBlocksService).preview(LOUD)).toMatchObject({
      hosts: [LOUD],
      accounts: MAX_LISTED,
      posts: MAX_LISTED,
      followed: 0,
      people: [],
    });
    expect(await rowsRead(app, 'host-blocks.exchange', [[LOUD]])).toBeLessThan(2.5 * MAX_LISTED);
  });

  it('finds the names of servers without reading their accounts', async () => {
    await app.sql(
      `insert into accounts (id, nickname, domain, ap_id) values
       ('vanity000000000001', 'v', 'vanity.test', 'https://Apart.test/v'), ('vanity000000000002', 'w', 'vanity.test', 'https://vanity.test/w')`,
    );
    expect((await app.get(HostBlocksService).preview('*.test')).hosts).toEqual(['apart.test', LOUD, 'vanity.test']);
    expect(await rowsRead(app, 'host-blocks.known', [])).toBeLessThan(100);
  });

  it('passes over accounts that were deleted, as the deletion of a server does', async () => {
    await app.sql(
      `insert into accounts (id, nickname, domain, ap_id, deactivated_at, deleted_at)
       select 'gone' || lpad(n::text, 14, '0'), 'g' || n, 'gone.off.test', 'https://' || host || '/' || n, at, at
       from (select n, case when n % 2 = 0 then 'gone.off.test' else 'left.off.test' end as host, case when n < 5000 then now() end as at
             from generate_series(1, 5001) n) made`,
    );
    for (const [server, accounts] of [
      ['gone.off.test', 2],
      ['left.off.test', 1],
    ] as const) {
      expect(await app.get(HostBlocksService).preview(server)).toMatchObject({ accounts });
      expect(await app.get(AccountDeletionService).listOfServer(server, 10)).toHaveLength(accounts);
      expect(await rowsRead(app, 'host-blocks.exchange', [[server]])).toBeLessThan(100);
      expect(await rowsRead(app, 'accounts.ids_of_server', [server, 1])).toBeLessThan(100);
    }
    expect(await app.get(HostBlocksService).preview('*.off.test')).toMatchObject({ accounts: 2 });
  });
});
