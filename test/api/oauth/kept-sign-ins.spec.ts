import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { UsersService } from '../../../src/accounts/index.js';
import type { Auth } from '../../../src/common/index.js';
import { ResolvedTokens } from '../../../src/oauth/tokens/resolved-tokens.js';
import { DatabaseSignals, ReadCaches } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import type { Client } from '../../support/fixtures/world.js';
import { countQueries } from '../../support/queries.js';
import { useApp } from '../../support/servers/app.js';

const WHO = '/api/v1/accounts/verify_credentials';
const ADMIN = '/api/v1/svc/admin/users';
const ROUNDS = 100;

const app = useApp();
let alice: Client;

beforeEach(async () => {
  await app.world.person('alice', { admin: true });
  await app.world.person('root', { admin: true });
  alice = await app.world.as('alice', 'read', 'write', 'admin');
  await alice.get(WHO).expect(200);
});

const id = () => app.world.id('alice');

describe('a cached sign-in', () => {
  it('costs no statement', () =>
    // The reset before this test reaches each connection at its own time.
    eventually(async () => {
      const { statements } = await countQueries(() => alice.get(WHO).expect(200));
      expect(statements).not.toContain('oauth.resolve');
    }));

  it.each<[string, () => unknown, string, number]>([
    ['its token is revoked', () => app.world.anonymous.post('/oauth/revoke', { token: alice.token }), WHO, 401],
    ['its session is ended', () => app.sql('delete from oauth_tokens where account_id = $1', [id()]), WHO, 401],
    ['its token expires early', () => app.sql('update oauth_tokens set expires_at = now()'), WHO, 401],
    ['its token allows less', () => app.sql(`update oauth_tokens set scopes = '{push}'`), WHO, 403],
    ['its owner is deactivated', () => app.get(UsersService).setActive(id(), false), WHO, 401],
    ['its owner is no administrator', () => app.sql('update users set is_admin = false'), ADMIN, 403],
    ['its owner is not approved any more', () => app.sql('update users set is_approved = false'), WHO, 401],
    ['its owner needs a new password', () => app.sql('update users set password_reset_required = true'), WHO, 401],
    ['its owner is gone', () => app.sql('delete from users'), WHO, 401],
  ])('O10 is refused in the very next request after %s', async (_what, change, path, status) => {
    await alice.get(path).expect(200);
    await change();
    await alice.get(path).expect(status);
  });

  it(`O10 is never used after its end, in ${ROUNDS} rounds with parallel requests`, async () => {
    let late = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const signIn = await app.world.as('alice', 'read', 'write', `round${round}`);
      const before = Array.from({ length: 4 }, () => signIn.get(WHO));
      const end = app.world.anonymous.post('/oauth/revoke', { token: signIn.token });
      await Promise.all([end, ...before]);
      if ((await signIn.get(WHO)).status !== 401) late += 1;
    }
    expect(late).toBe(0);
  });

  it('O10 ends soon after another program has changed the database', async () => {
    const other = new pg.Client(app.address);
    await other.connect();
    await other.query('delete from oauth_tokens');
    await other.end();
    await eventually(async () => expect((await alice.get(WHO)).status).toBe(401));
  });

  it('is read again when another sign-in ended during the reading', async () => {
    const tokens = new ResolvedTokens(app.get(ReadCaches), app.get(DatabaseSignals));
    tokens.onModuleInit();
    const hash = randomBytes(32);
    let count = 0;
    const read = async () => {
      count += 1;
      await app.sql('update oauth_tokens set expires_at = now()');
      return { auth: { accountId: 'a' } as Auth, expiresAtMs: Date.now() + 60_000 };
    };
    await tokens.find(hash, read);
    await tokens.find(hash, read);
    expect(count).toBe(2);
  });
});
