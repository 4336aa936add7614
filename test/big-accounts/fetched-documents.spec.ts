import { makeStatuses } from '../support/fixtures/factories.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

const MANY = 500;
const READER = 'https://far.test/users/zoe';

const app = useApp({ people: ['alice', 'bob'] });

beforeEach(async () => {
  await app.sql(
    `insert into accounts (id, nickname, ap_id, domain) select 'r' || n, 'r' || n, 'https://far.test/' || n, 'far.test'
     from generate_series(1, $1) n`,
    [MANY],
  );
});

describe('a request of another server', () => {
  it('for pinned posts reads no posts of others', async () => {
    await makeStatuses(app, 'bob', MANY);
    const [pinned = ''] = await makeStatuses(app, 'alice', 1);
    await app.sql('insert into pins (account_id, status_id) values ($1, $2)', [app.world.id('alice'), pinned]);
    expect(await rowsRead(app, 'federation.featured', [app.world.id('alice'), 'svc.test', 40])).toBeLessThan(20);
  });

  it('with a signature reads no other accounts to find out whether the author blocks its sender', async () => {
    await app.sql('insert into remote_keys (key_id, owner_uri, public_pem) values ($1, $2, $3)', [
      `${READER}#main-key`,
      READER,
      '',
    ]);
    expect(await rowsRead(app, 'federation.is_refused', ['alice', '', [`${READER}#main-key`, READER]])).toBeLessThan(
      20,
    );
  });
});
