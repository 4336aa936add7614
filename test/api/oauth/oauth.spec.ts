import { UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { TokenShape, TokensService } from '../../../src/oauth/index.js';
import { PasswordsService } from '../../../src/sign-in/index.js';
import { useApp } from '../../support/servers/app.js';
import { holding, waitersOf } from '../../support/locks.js';
import { type ClientKeys, OauthClient, type TokenAnswer } from '../../support/fixtures/oauth.js';
import { checkShape } from '../../support/shape.js';
import { PASSWORD } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob'] });
let oauth: OauthClient;
let client: ClientKeys;

beforeAll(() => {
  oauth = new OauthClient(app);
});
beforeEach(async () => {
  client = await oauth.register();
});

const invalid = (error: string, error_description: unknown = 'Invalid credentials') => ({ error, error_description });
const INVALID_SCOPE = invalid('invalid_scope', 'The scope is unknown or not one of the app');
const basic = ({ client_id, client_secret }: ClientKeys) =>
  `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const password = (username = 'alice', given = PASSWORD) => ({ grant_type: 'password', username, password: given });
const tokenCount = async () => (await app.sql<{ n: number }>('select count(*)::int as n from oauth_tokens'))[0]!.n;

describe('a token for a password', () => {
  it('has all fields that apps read', async () => {
    const answer = await oauth.token(client, password()).expect(200);
    const body = answer.body as TokenAnswer;
    expect(checkShape(TokenShape, body)).toEqual([]);
    expect(body).toMatchObject({
      scope: 'read write follow push',
      expires_in: 3_155_760_000,
      me: 'https://svc.test/users/alice',
    });
    expect(Math.abs(body.created_at - Date.now() / 1000)).toBeLessThan(60);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await oauth.statusOf(body.access_token)).toBe(200);
  });

  it('is issued for a nickname in any case, an e-mail address or the parameter `name`', async () => {
    await oauth.token(client, password('ALICE')).expect(200);
    await oauth.token(client, password('Alice@mail.test')).expect(200);
    await oauth.token(client, { grant_type: 'password', name: 'alice', password: PASSWORD }).expect(200);
  });

  it('is issued to an app with HTTP Basic, and for a JSON body', async () => {
    const body = (await app.http.post('/oauth/token').set('authorization', basic(client)).send(password()).expect(200))
      .body as object;
    expect(body).toMatchObject({ me: 'https://svc.test/users/alice' });
    await app.http
      .post('/oauth/token')
      .send({ ...client, ...password() })
      .expect(200);
  });

  it('H1 H2 is refused for client credentials that are no valid text', async () => {
    for (const bytes of ['a\0b:c', 'a:b\0c', '\xff\xfe:\xff', '%00:%00', '%ED%A0%80:x']) {
      const authorization = `Basic ${Buffer.from(bytes, 'latin1').toString('base64')}`;
      const request = app.http.post('/oauth/token').set({ authorization }).type('form');
      await request.send({ grant_type: 'client_credentials' }).expect(401, invalid('invalid_client'));
      await app.http.post('/oauth/revoke').set({ authorization }).type('form').send({ token: 'x' }).expect(200);
    }
  });

  it('is valid as long as the settings say', async () => {
    const settings = app.get(SettingsService);
    await settings.update([{ path: 'oauth.token_expires_in', value: 3600 }]);
    const body = (await oauth.token(client, password()).expect(200)).body as object;
    await settings.reset('oauth.token_expires_in');
    expect(body).toMatchObject({ expires_in: 3600 });
    const token = (body as TokenAnswer).access_token;
    expect(await oauth.statusOf(token)).toBe(200);
    await app.sql(`update oauth_tokens set expires_at = now() - interval '1 second'`);
    expect(await oauth.statusOf(token)).toBe(401);
  });

  it('O4 requires the right app and its secret', async () => {
    const other = await oauth.register();
    const wrong = [
      { ...client, client_secret: 'wrong' },
      { ...client, client_secret: '' },
      { ...client, client_secret: other.client_secret },
      { ...client, client_id: 'unknown' },
    ];
    for (const keys of wrong) await oauth.token(keys, password()).expect(401, invalid('invalid_client'));
    await app.http
      .post('/oauth/token')
      .send({ client_id: client.client_id, ...password() })
      .expect(401);
    await app.http.post('/oauth/token').send(password()).expect(401, invalid('invalid_client'));
    expect(await tokenCount()).toBe(0);
  });

  it('O12 is refused with the same answer for a wrong password and an unknown user', async () => {
    const refused = invalid('invalid_grant');
    await oauth.token(client, password('alice', 'wrong')).expect(400, refused);
    await oauth.token(client, password('nobody', 'wrong')).expect(400, refused);
    await oauth.token(client, password('nobody@mail.test', 'wrong')).expect(400, refused);
  });

  it.each([
    ['account_is_disabled', 'Your account is currently disabled', 'accounts set deactivated_at = now()'],
    ['password_reset_required', 'Password reset is required', 'users set password_reset_required = true'],
    ['missing_confirmed_email', 'Your login is missing a confirmed e-mail address', 'users set is_confirmed = false'],
    ['awaiting_approval', 'Your account is awaiting approval.', 'users set is_approved = false'],
  ])('is refused as %s only after the right password', async (identifier, error, change) => {
    const { refresh_token, access_token } = await oauth.signIn(client, 'alice');
    await app.sql(`update ${change}`);
    const body = (await oauth.token(client, password()).expect(403)).body as object;
    expect(body).toEqual({ error, identifier });
    await oauth.token(client, password('alice', 'wrong')).expect(400, invalid('invalid_grant'));
    await oauth.refresh(client, refresh_token).expect(403, body);
    expect(await oauth.statusOf(access_token)).toBe(401);
  });

  it('O10 is refused for a password that is changed during the request', async () => {
    await holding(app, async (holder) => {
      await holder.query('update users set password_hash = $2 where account_id = $1', [app.world.id('alice'), 'other']);
      const answer = oauth.token(client, password()).then((response) => response);
      await waitersOf(holder, 1);
      await holder.query('commit');
      expect(await answer).toMatchObject({ status: 400, body: invalid('invalid_grant') });
    });
    expect(await tokenCount()).toBe(0);
  });
});

describe('scopes of a token', () => {
  it('O7 are limited to those of the app', async () => {
    const narrow = await oauth.register('read write:statuses');
    expect((await oauth.signIn(narrow, 'alice')).scope).toBe('read write:statuses');
    expect((await oauth.signIn(narrow, 'alice', { scope: 'read:accounts' })).scope).toBe('read:accounts');
    for (const scope of ['write', 'push', 'read:everything', 'admin:read']) {
      await oauth.token(narrow, { ...password(), scope }).expect(400, INVALID_SCOPE);
    }
  });

  it('O7 include admin scopes for administrators only', async () => {
    await app.world.person('root', { admin: true });
    const wide = await oauth.register('read write follow push admin');
    expect((await oauth.signIn(wide, 'root')).scope).toBe('read write follow push admin');
    expect((await oauth.signIn(wide, 'alice')).scope).toBe('read write follow push');
    expect((await oauth.signIn(wide, 'alice', { scope: 'read admin:write' })).scope).toBe('read');
    await oauth.token(wide, { ...password(), scope: 'admin:read' }).expect(400, INVALID_SCOPE);
    expect((await oauth.ofApp(wide)).scope).toBe('read write follow push');
  });

  it('O8 are checked on each request', async () => {
    const { access_token } = await oauth.signIn(client, 'alice', { scope: 'push read:lists' });
    const post = app.http.post('/api/v1/statuses').set(bearer(access_token)).send({ status: 'hello' });
    await post.expect(403, { error: 'Insufficient permissions: write:statuses.' });
    await app.http
      .get('/api/v1/timelines/home')
      .set(bearer(access_token))
      .expect(403, { error: 'Insufficient permissions: read:statuses.' });
  });

  it('leave the caller anonymous where signing in is optional and the scope is missing', async () => {
    const alice = await app.world.as('alice');
    const posted = await alice.post('/api/v1/statuses', { status: 'mine', visibility: 'private' }).expect(200);
    const path = `/api/v1/statuses/${(posted.body as { id: string }).id}`;
    const read = async (scope: string) =>
      app.http.get(path).set(bearer((await oauth.signIn(client, 'alice', { scope })).access_token));
    expect((await read('read:statuses')).status).toBe(200);
    expect((await read('push')).status).toBe(404);
  });
});

describe('credentials of a request', () => {
  const path = '/api/v1/accounts/verify_credentials';

  it('may be a token in the header or in the query, but not in both', async () => {
    const { access_token } = await oauth.signIn(client, 'alice');
    await app.http.get(path).set(bearer(access_token)).expect(200);
    await app.http.get(path).query({ access_token }).expect(200);
    await app.http.get(path).query({ access_token }).set(bearer(access_token)).expect(401);
  });

  it.each([
    { authorization: 'Bearer unknown' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer a b' },
    { authorization: 'nonsense' },
    {},
  ])('are refused with a challenge: %j', async (headers) => {
    const answer = await app.http.get(path).set(headers).expect(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.body).toEqual({ error: 'Invalid credentials.' });
  });

  it('that are wrong are refused where signing in is optional, and ignored on public routes', async () => {
    await app.http.get('/api/v1/timelines/public').expect(200);
    await app.http.get('/api/v1/timelines/public').set(bearer('unknown')).expect(401);
    await app.http
      .get('/api/v1/timelines/public')
      .query({ access_token: ['a', 'b'] })
      .expect(401);
    await app.http.get('/api/v1/instance').set(bearer('unknown')).expect(200);
  });

  it('O9 of an app alone show public data, but no data of users', async () => {
    await (await app.world.as('alice')).post('/api/v1/statuses', { status: 'open', visibility: 'public' }).expect(200);
    await (
      await app.world.as('alice')
    )
      .post('/api/v1/statuses', { status: 'closed', visibility: 'private' })
      .expect(200);
    const { access_token, ...rest } = await oauth.ofApp(client);
    expect(checkShape(TokenShape, { access_token, ...rest })).toEqual([]);
    expect(rest).not.toHaveProperty('me');
    for (const owned of [path, '/api/v1/timelines/home']) {
      await app.http
        .get(owned)
        .set(bearer(access_token))
        .expect(401, { error: 'This API requires an authenticated user' });
    }
    await app.http.post('/api/v1/statuses').set(bearer(access_token)).send({ status: 'mine' }).expect(401);
    const body = (await app.http.get('/api/v1/timelines/public').set(bearer(access_token)).expect(200)).body as object;
    expect((body as { content: string }[]).map(({ content }) => content)).toEqual([expect.stringContaining('open')]);
  });
});

describe('a refresh token', () => {
  it('O6 is exchanged for new tokens once, and the old ones end', async () => {
    const old = await oauth.signIn(client, 'alice', { scope: 'read' });
    const body = (await oauth.refresh(client, old.refresh_token).expect(200)).body as object;
    const renewed = body as TokenAnswer;
    expect(checkShape(TokenShape, renewed)).toEqual([]);
    expect(renewed).toMatchObject({ scope: 'read', me: 'https://svc.test/users/alice' });
    expect(await oauth.statusOf(old.access_token)).toBe(401);
    expect(await oauth.statusOf(renewed.access_token)).toBe(200);
    await oauth.refresh(client, renewed.refresh_token).expect(200);
  });

  it('O6 that is used again ends the sign-in for both holders', async () => {
    const first = await oauth.signIn(client, 'alice');
    const elsewhere = await oauth.signIn(client, 'alice');
    const second = (await oauth.refresh(client, first.refresh_token).expect(200)).body as TokenAnswer;
    const third = (await oauth.refresh(client, second.refresh_token).expect(200)).body as TokenAnswer;
    await oauth.refresh(client, first.refresh_token).expect(400, invalid('invalid_grant'));
    expect(await oauth.statusOf(third.access_token)).toBe(401);
    await oauth.refresh(client, third.refresh_token).expect(400, invalid('invalid_grant'));
    expect(await oauth.statusOf(elsewhere.access_token)).toBe(200);
  });

  it('O6 is refused for another app or for more scopes, and stays valid', async () => {
    const { refresh_token, access_token } = await oauth.signIn(client, 'alice', { scope: 'read' });
    await oauth.refresh(await oauth.register(), refresh_token).expect(400, invalid('invalid_grant'));
    await oauth.refresh(client, refresh_token, { scope: 'read write' }).expect(400, INVALID_SCOPE);
    await oauth.refresh(client, access_token).expect(400, invalid('invalid_grant'));
    expect(await oauth.statusOf(access_token)).toBe(200);
    await oauth.refresh(client, refresh_token, { scope: 'read:accounts' }).expect(200);
  });

  it('O6 used by twelve simultaneous requests succeeds at most once', async () => {
    const { refresh_token } = await oauth.signIn(client, 'alice');
    const answers = await Promise.all(Array.from({ length: 12 }, () => oauth.refresh(client, refresh_token)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    expect(statuses.every((status) => status === 200 || status === 400)).toBe(true);
    expect(await tokenCount()).toBe(0);
  });

  it('outlives its access token by 90 days', async () => {
    const { refresh_token, access_token } = await oauth.signIn(client, 'alice');
    await app.sql(`update oauth_tokens set expires_at = now() - interval '89 days'`);
    expect(await oauth.statusOf(access_token)).toBe(401);
    await app.get(TokensService).purge();
    const renewed = (await oauth.refresh(client, refresh_token).expect(200)).body as TokenAnswer;
    await app.sql(`update oauth_tokens set expires_at = now() - interval '91 days'`);
    await oauth.refresh(client, renewed.refresh_token).expect(400, invalid('invalid_grant'));
    await app.get(TokensService).purge();
    expect(await tokenCount()).toBe(0);
    expect(await app.sql('select from oauth_spent_refresh_tokens')).toEqual([]);
  });
});

describe('revocation', () => {
  it('O10 ends the access token and its refresh token at once', async () => {
    for (const by of ['access_token', 'refresh_token'] as const) {
      const token = await oauth.signIn(client, 'alice');
      const { headers } = await oauth.revoke({ ...client, token: token[by] }).expect(200, {});
      expect(headers['cache-control']).toBe('no-store');
      expect(await oauth.statusOf(token.access_token)).toBe(401);
      await oauth.refresh(client, token.refresh_token).expect(400, invalid('invalid_grant'));
    }
  });

  it('O10 by deactivation of the account takes effect with the next request', async () => {
    const { access_token } = await oauth.signIn(client, 'alice');
    await app.get(UsersService).setActive(app.world.id('alice'), false);
    expect(await oauth.statusOf(access_token)).toBe(401);
    await app.get(UsersService).setActive(app.world.id('alice'), true);
    expect(await oauth.statusOf(access_token)).toBe(200);
  });

  it('O10 of all sign-ins follows a password reset', async () => {
    const mine = await oauth.signIn(client, 'alice');
    const other = await oauth.signIn(client, 'bob');
    await app.get(PasswordsService).reset(app.world.id('alice'), 'another one');
    expect(await oauth.statusOf(mine.access_token)).toBe(401);
    await oauth.refresh(client, mine.refresh_token).expect(400, invalid('invalid_grant'));
    expect(await oauth.statusOf(other.access_token)).toBe(200);
    const again = await oauth.signIn(client, 'alice', { password: 'another one' });
    expect(await oauth.statusOf(again.access_token)).toBe(200);
    await expect(app.get(PasswordsService).reset(app.world.id('alice'), '')).rejects.toThrow("can't be blank");
    expect(await oauth.statusOf(again.access_token)).toBe(200);
  });

  it('O11 with the credentials of another app changes nothing', async () => {
    const { access_token: token } = await oauth.signIn(client, 'alice');
    await oauth.revoke({ ...(await oauth.register()), token }).expect(200, {});
    await oauth.revoke({ client_id: (await oauth.register()).client_id, token }).expect(200, {});
    await oauth.revoke({ ...client, client_secret: 'wrong', token }).expect(200, {});
    expect(await oauth.statusOf(token)).toBe(200);
    await app.http.post('/oauth/revoke').set('authorization', basic(client)).send({ token }).expect(200, {});
    expect(await oauth.statusOf(token)).toBe(401);
  });

  it('works for any holder of the token, reveals nothing about unknown tokens, and requires a token', async () => {
    const { access_token: token } = await oauth.signIn(client, 'alice');
    await oauth.revoke({ token }).expect(200, {});
    expect(await oauth.statusOf(token)).toBe(401);
    await oauth.revoke({ token }).expect(200, {});
    await oauth.revoke({ ...client }).expect(400, invalid('invalid_request', 'token is missing'));
  });
});

describe('the database', () => {
  it('O22 stores tokens as hashes', async () => {
    const { access_token, refresh_token } = await oauth.signIn(client, 'alice');
    const renewed = (await oauth.refresh(client, refresh_token).expect(200)).body as TokenAnswer;
    const rows = await app.sql<object>(
      'select t::text, s::text from oauth_tokens t left join oauth_spent_refresh_tokens s on s.token_id = t.id',
    );
    expect(rows).toHaveLength(1);
    const stored = JSON.stringify(rows);
    for (const secret of [access_token, refresh_token, renewed.access_token, renewed.refresh_token]) {
      expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});

describe('the metadata of the authorization server', () => {
  it('lists endpoints and grant types', async () => {
    const body = (await app.http.get('/.well-known/oauth-authorization-server').expect(200)).body as object;
    expect(body).toMatchObject({
      issuer: 'https://svc.test',
      token_endpoint: 'https://svc.test/oauth/token',
      revocation_endpoint: 'https://svc.test/oauth/revoke',
      userinfo_endpoint: 'https://svc.test/oauth/userinfo',
      app_registration_endpoint: 'https://svc.test/api/v1/apps',
      grant_types_supported: ['authorization_code', 'password', 'client_credentials', 'refresh_token'],
    });
    expect((body as { scopes_supported: string[] }).scopes_supported).toContain('write:statuses');
  });
});
