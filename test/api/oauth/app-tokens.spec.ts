import { SettingsService } from '../../../src/config/index.js';
import { Worker } from '../../../src/platform/index.js';
import { type TestApp, useApp } from '../../support/servers/app.js';
import { OauthClient, type TokenAnswer } from '../../support/fixtures/oauth.js';

const appCount = async (app: TestApp) => (await app.sql('select from oauth_apps')).length;
const tokens = (app: TestApp) =>
  app.sql<{ scopes: string[] }>(
    `select scopes from oauth_tokens where account_id is null and expires_at > now() + interval '1 hour'`,
  );

describe('O26 the token of an app', () => {
  const app = useApp();
  const oauth = new OauthClient(app);

  const statusOf = async ({ access_token }: TokenAnswer) => {
    const path = '/api/v1/apps/verify_credentials';
    return (await app.http.get(path).set('authorization', `Bearer ${access_token}`)).status;
  };
  const advance = (table: string, columns: readonly string[], time: string) =>
    app.sql(`update ${table} set ${columns.map((column) => `${column} = ${column} - interval '${time}'`).join(', ')}`);

  it('has no refresh token and ends after 30 days at most', async () => {
    const client = await oauth.register();
    const token = await oauth.ofApp(client);
    expect(token).toMatchObject({ expires_in: 2_592_000 });
    expect(token).not.toHaveProperty('refresh_token');
    await advance('oauth_tokens', ['expires_at'], '30 days');
    expect(await statusOf(token)).toBe(401);
    await app.sql(`update oauth_tokens set refresh_hash = token_hash`); // tokens of earlier releases had refresh tokens
    await oauth.refresh(client, token.access_token).expect(400);
  });

  it('expires an hour after a newer one with the same scopes, in any order, is issued', async () => {
    const client = await oauth.register();
    const earlier = await oauth.ofApp(client, { scope: 'read push' });
    const narrow = await oauth.ofApp(client, { scope: 'read' });
    const elsewhere = await oauth.ofApp(await oauth.register(), { scope: 'read push' });
    const newer = await oauth.ofApp(client, { scope: 'push read' });
    expect(await statusOf(earlier)).toBe(200);
    await advance('oauth_tokens', ['expires_at'], '61 minutes');
    expect(await Promise.all([earlier, newer, narrow, elsewhere].map(statusOf))).toEqual([401, 200, 200, 200]);
  });

  it('is the only one when several are requested at once', async () => {
    const client = await oauth.register();
    await Promise.all(Array.from({ length: 8 }, () => oauth.ofApp(client)));
    expect(await tokens(app)).toHaveLength(1);
  });

  it('does not affect the sign-ins of users', async () => {
    await app.world.person('alice');
    const client = await oauth.register();
    const { access_token } = await oauth.signIn(client, 'alice');
    await oauth.ofApp(client);
    await advance('oauth_tokens', ['expires_at'], '61 minutes');
    expect(await oauth.statusOf(access_token)).toBe(200);
  });

  it('is removed after it expires, and the app 60 days after its last token unless a user signed in with it', async () => {
    await app.world.person('alice');
    const used = await oauth.register();
    const { access_token } = await oauth.signIn(used, 'alice');
    await oauth.revoke({ token: access_token });
    const [unused, trusted] = [await oauth.register(), await oauth.register()];
    await app.sql('update oauth_apps set trusted = true where client_id = $1', [trusted.client_id]);
    await oauth.ofApp(unused);

    await advance('oauth_tokens', ['expires_at'], '31 days');
    await advance('oauth_apps', ['created_at', 'used_at'], '59 days');
    await upkeep();
    expect([await app.sql('select from oauth_tokens'), await appCount(app)]).toEqual([[], 3]);
    await oauth.ofApp(unused);

    await advance('oauth_apps', ['used_at'], '59 days');
    await upkeep();
    expect(await appCount(app)).toBe(3);
    await advance('oauth_apps', ['used_at'], '2 days');
    await upkeep();
    expect([await app.sql('select from oauth_tokens'), await appCount(app)]).toEqual([[], 2]);
    await oauth.token(unused, { grant_type: 'client_credentials' }).expect(401);
    await oauth.signIn(used, 'alice');
  });

  async function upkeep(): Promise<void> {
    await app.sql(`delete from jobs where name = 'oauth.purge'`);
    await app.get(Worker).enqueueRecurring();
    await app.drain();
  }
});

describe('O26 creating app tokens', () => {
  const app = useApp({ once: [], env: { RATE_LIMITS: 'auth-only', TRUSTED_PROXIES: '127.0.0.1,::1' } });
  const oauth = new OauthClient(app);
  beforeAll(async () => {
    await app.get(SettingsService).update([{ path: 'rate_limit.app_tokens', value: [3_600_000, 3] }]);
  });

  let last = 0;
  const newAddress = () => `198.51.100.${(last += 1)}`;
  const create = (client: object, address: string) =>
    app.http
      .post('/oauth/token')
      .set('x-forwarded-for', address)
      .send({ ...client, grant_type: 'client_credentials' });

  it('is limited for each app over all addresses', async () => {
    const client = await oauth.register();
    for (let i = 0; i < 3; i += 1) await create(client, newAddress()).expect(200);
    const { headers } = await create(client, newAddress()).expect(429, { error: 'Throttled' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await create({ ...client, client_secret: 'wrong' }, newAddress()).expect(401);
  });

  it('is limited for each address over all apps', async () => {
    const address = newAddress();
    for (let i = 0; i < 3; i += 1) await create(await oauth.register(), address).expect(200);
    const client = await oauth.register();
    await create(client, address).expect(429);
    await create(client, newAddress()).expect(200);
  });
});
