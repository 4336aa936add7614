import { AppShape, RegisteredAppShape } from '../../../src/oauth/index.js';
import { useApp } from '../../support/servers/app.js';
import { type ClientKeys, OauthClient } from '../../support/fixtures/oauth.js';
import { checkShape } from '../../support/shape.js';

const app = useApp();
let oauth: OauthClient;
let client: ClientKeys;

beforeAll(() => {
  oauth = new OauthClient(app);
});
beforeEach(async () => {
  await app.world.person('alice');
  client = await oauth.register();
});

describe('registration of an app', () => {
  const valid = { client_name: 'An app', redirect_uris: 'https://app.example/callback' };
  const register = (values: object) => app.http.post('/api/v1/apps').send(values);

  it('returns its credentials', async () => {
    const body = (
      await register({
        ...valid,
        scopes: 'read write:statuses',
        website: 'https://app.example',
      }).expect(200)
    ).body as object;
    expect(checkShape(RegisteredAppShape, body)).toEqual([]);
    expect(body).toMatchObject({
      name: 'An app',
      website: 'https://app.example',
      scopes: ['read', 'write:statuses'],
      redirect_uri: 'https://app.example/callback',
      redirect_uris: ['https://app.example/callback'],
    });
  });

  it('accepts forms, lists of addresses and missing scopes', async () => {
    const redirect_uris = ['https://app.example/callback', 'app://callback'];
    const list = await register({ ...valid, redirect_uris, website: '' }).expect(200);
    expect(list.body).toMatchObject({ redirect_uris, scopes: ['read'], website: null });
    const form = await app.http
      .post('/api/v1/apps')
      .type('form')
      .send({ ...valid, redirect_uris: redirect_uris.join('\n') })
      .expect(200);
    expect(form.body).toMatchObject({ redirect_uris, redirect_uri: redirect_uris.join('\n') });
  });

  it('requires a name and a redirect URI', async () => {
    await register({ redirect_uris: valid.redirect_uris }).expect(400);
    await register({ client_name: valid.client_name }).expect(400, { error: 'redirect_uris is missing' });
    await register({ ...valid, redirect_uris: '' }).expect(422);
    await register({ ...valid, client_name: ' ' }).expect(422);
    await register({ ...valid, redirect_uris: { a: 'b' } }).expect(400);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'https://app.example/#fragment',
    'https://app.example/\r\nSet-Cookie: a=b',
    '/callback',
  ])('O2 H13 refuses the redirect URI %j', async (redirect_uris) => {
    for (const given of [redirect_uris, [redirect_uris], ['https://app.example/', redirect_uris]]) {
      const body = (await register({ ...valid, redirect_uris: given }).expect(422)).body as object;
      expect(body).toEqual({ error: expect.any(String) });
    }
  });

  it('O2 H17 refuses texts that are too long', async () => {
    const long = 'a'.repeat(60_000);
    await register({ ...valid, redirect_uris: `https://app.example/${long}` }).expect(422);
    await register({ ...valid, redirect_uris: [`https://app.example/${long}`] }).expect(422);
    await register({ ...valid, client_name: long }).expect(422);
    await register({ ...valid, website: `https://app.example/${long}` }).expect(422);
    expect(await app.sql('select from oauth_apps')).toHaveLength(1);
  });

  it.each([
    ['read write:everything', ['read']],
    ['read:collections write:collections read:lists profile', ['read:lists', 'profile']],
    [['follow', 'new'], ['follow']],
    ['', ['read']],
    ['everything', undefined],
    ['read:everything write:everything', undefined],
  ])('O7 drops unknown scopes: %j', async (scopes, kept) => {
    const { status, body } = await register({ ...valid, scopes });
    expect([status, (body as { scopes?: unknown }).scopes]).toEqual([kept ? 200 : 422, kept]);
  });

  it('can sign users in with all known scopes of its registration', async () => {
    const asked = 'read write:everything';
    const { access_token: token, scope } = await oauth.signIn(await oauth.register(asked), 'alice', { scope: asked });
    expect(scope).toBe('read');
    await app.http.get('/api/v1/apps/verify_credentials').set('authorization', `Bearer ${token}`).expect(200);
  });

  it('O7 refuses a website that is no web address', async () => {
    await register({ ...valid, website: 'javascript:alert(1)' }).expect(422);
  });

  it('can be read with a token of the app or of its user; all other tokens get 401', async () => {
    const verify = (token: string) =>
      app.http.get('/api/v1/apps/verify_credentials').set('authorization', `Bearer ${token}`);
    const own = await oauth.ofApp(client);
    const body = (await verify(own.access_token).expect(200)).body as object;
    expect(checkShape(AppShape, body)).toEqual([]);
    expect(JSON.stringify(body)).not.toContain(client.client_secret);
    await verify((await oauth.signIn(client, 'alice')).access_token).expect(200, body);
    await verify('unknown').expect(401);
    await verify((await oauth.ofApp(client, { scope: 'push' })).access_token).expect(401);
    await app.http.get('/api/v1/apps/verify_credentials').expect(401);
  });
});
