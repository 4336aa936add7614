import type { AccountJson } from '../../src/accounts/index.js';
import { SettingsService } from '../../src/config/index.js';
import { makeFans, makeFollows } from '../support/fixtures/factories.js';
import { ok } from '../support/fixtures/statuses.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

const FOLLOWEES = 300;
/** The search ranks as many accounts of each kind. */
const RANKED = 500;

const app = useApp({ once: ['alice', 'bob', 'zedd'] });
const values = (text: string) => {
  const patterns = [text, null, [`${text}%`, `% ${text}%`]];
  return [app.world.id('alice'), ...patterns, false, '', 20, 0, true, true];
};

beforeAll(async () => {
  const followees = await makeFans(app, FOLLOWEES);
  await makeFollows(app, app.world.id('alice'), [...followees, app.world.id('bob')]);
  await app.sql(
    `with crowd as (insert into accounts (id, nickname, display_name, ap_id)
       select 'c' || lpad(n::text, 19, '0'), 'bo' || n, 'Bo', 'https://svc.test/c/' || n from generate_series(1, $1) n returning id)
     insert into account_stats (account_id, followers_count) select id, 9 from crowd`,
    [RANKED],
  );
});

describe('a search of an account that follows many', () => {
  it('looks at the names of followees only where more accounts match than are ranked', async () => {
    const [few, many] = [
      await rowsRead(app, 'search.accounts', values('ali')),
      await rowsRead(app, 'search.accounts', values('bo')),
    ];
    expect(few).toBeLessThan(FOLLOWEES + 50); // once, to tell which of the found ones are followed
    expect(many).toBeGreaterThan(2 * FOLLOWEES);
  });

  it('finds the followed account first, however many others match', async () => {
    const alice = await app.world.as('alice');
    const found = await ok<AccountJson[]>(alice.get('/api/v1/accounts/search', { q: 'bo', limit: 3 }));
    expect(found.map(({ acct }) => acct)).toEqual(['bob', 'bo500', 'bo499']);
  });
});

it('accounts that a visitor may not find leave room for the others', async () => {
  await app.sql(
    `with crowd as (insert into accounts (id, nickname, domain, ap_id)
       select 'z' || lpad(n::text, 19, '0'), 'zed' || n, 'far.test', 'https://far.test/' || n from generate_series(1, $1) n
       returning id)
     insert into account_stats (account_id) select id from crowd`,
    [RANKED],
  );
  await app
    .get(SettingsService)
    .update([{ path: 'restrict_unauthenticated.profiles', value: { local: false, remote: true } }]);
  const found = await ok<AccountJson[]>(app.world.anonymous.get('/api/v1/accounts/search', { q: 'zed', limit: 3 }));
  expect(found.map(({ acct }) => acct)).toEqual(['zedd']);
});
