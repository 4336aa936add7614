import type { Test } from 'supertest';
import { UsersService } from '../../../src/accounts/index.js';
import { enableMfa } from '../../support/fixtures/mfa.js';
import { type ClientKeys, OauthClient } from '../../support/fixtures/oauth.js';
import { PASSWORD } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

const OWN = 'https://svc.test';
const WHO = '/api/v1/accounts/verify_credentials';

const app = useApp({ people: ['alice', 'bob'] });
let oauth: OauthClient;
let client: ClientKeys;

beforeAll(() => {
  oauth = new OauthClient(app);
});
beforeEach(async () => {
  client = await oauth.register();
});

type Headers = Readonly<Record<string, string>>;

const basic = (login: string, password = PASSWORD): Headers => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});
const who = async (headers: Headers, query: Headers = {}) => {
  const answer = await app.http.get(WHO).query(query).set(headers);
  return answer.status === 200 ? (answer.body as { username: string }).username : answer.status;
};
const post = (headers: Headers) => app.http.post('/api/v1/statuses').set(headers).send({ status: 'hello' });
const cookieOf = async (person: string, scope = 'read write') =>
  ({ cookie: `other=1; _svc_key=${(await oauth.signIn(client, person, { scope })).access_token}` }) as const;

describe('the cookie', () => {
  it('signs in with the token of the password grant', async () => {
    const login = { grant_type: 'password', username: 'alice', password: PASSWORD };
    const answer = await oauth.token(client, login).expect(200);
    const [cookie] = answer.headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/^_svc_key=[\w-]{43}; Max-Age=\d+; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
    expect(await who({ cookie: cookie!.split(';')[0]! })).toBe('alice');
  });

  it('O19 is not set for other sites and other grants', async () => {
    const login = { grant_type: 'password', username: 'alice', password: PASSWORD };
    const { refresh_token } = await oauth.signIn(client, 'alice');
    const answers = [
      await oauth.token(client, login).set('origin', 'https://evil.example').expect(200),
      await oauth.token(client, login).set('sec-fetch-site', 'cross-site').expect(200),
      await oauth.refresh(client, refresh_token).expect(200),
      await oauth.token(client, { grant_type: 'client_credentials' }).expect(200),
    ];
    for (const { headers } of answers) expect(headers).not.toHaveProperty('set-cookie');
  });

  it.each<[string, Headers, number]>([
    ['of our own page', { origin: OWN }, 200],
    ['of our own page without its origin', { 'sec-fetch-site': 'same-origin' }, 200],
    ['of another site', { origin: 'https://evil.example' }, 401],
    ['of another host that pretends', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, 401],
    ['of a page without an origin', { origin: 'null' }, 401],
    ['of a neighbour', { 'sec-fetch-site': 'same-site' }, 401],
    ['of nobody', {}, 401],
  ])('O18 allows or refuses changes by a request %s: %j', async (_what, headers, status) => {
    await post({ ...(await cookieOf('alice')), ...headers }).expect(status);
  });

  it('O18 does not sign in reading requests of other sites, whose links could renew recovery codes', async () => {
    const cookie = await cookieOf('alice');
    expect(await who(cookie)).toBe('alice');
    expect(await who({ ...cookie, 'sec-fetch-site': 'none' })).toBe('alice');
    expect(await who({ ...cookie, 'sec-fetch-site': 'cross-site' })).toBe(401);
  });

  it('has the scopes of its token, and ends with it', async () => {
    const cookie = await cookieOf('alice', 'read');
    await post({ ...cookie, origin: OWN }).expect(403);
    await app.sql('delete from oauth_tokens');
    expect(await who(cookie)).toBe(401);
    await app.http.get('/api/v1/timelines/public').set(cookie).expect(200);
  });
});

describe('HTTP Basic', () => {
  it('signs in with a nickname or an e-mail address, with all rights of the user', async () => {
    expect(await who(basic('alice'))).toBe('alice');
    expect(await who(basic('Alice@mail.test'))).toBe('alice');
    await post(basic('alice')).expect(200);
    await app.http.get('/api/oauth_tokens').set(basic('alice')).expect(200);
  });

  it('accepts passwords with colons, signs and UTF-8', async () => {
    const password = 'a:b+c%20 dö';
    await app.get(UsersService).setPassword(app.world.id('alice'), password);
    expect(await who(basic('alice', password))).toBe('alice');
  });

  it.each<[string, Headers]>([
    ['a wrong password', basic('alice', 'wrong')],
    ['an unknown name', basic('nobody')],
    ['no password', basic('alice', '')],
    ['no name', basic('')],
    ['a character that no text has', basic('alice\0')],
  ])('O12 refuses %s with the same 401', async (_what, headers) => {
    await app.http.get(WHO).set(headers).expect(401, { error: 'Invalid credentials.' });
    await app.http.get('/api/v1/timelines/public').set(headers).expect(401);
  });

  it('O15 refuses accounts with a second factor, and accounts that may not sign in', async () => {
    await enableMfa(app, 'alice');
    const error = 'Two-factor authentication enabled, you must use a access token.';
    for (const path of [WHO, '/api/v1/timelines/public', '/api/v1/svc/admin/users']) {
      await app.http.get(path).set(basic('alice')).expect(403, { error });
    }
    expect(await who(basic('alice', 'wrong'))).toBe(401);
    await app.get(UsersService).setActive(app.world.id('bob'), false);
    expect(await who(basic('bob'))).toBe(401);
  });

  it('opens no push subscription and no stream, which would outlive the password', async () => {
    await app.http.get('/api/v1/push/subscription').set(basic('alice')).expect(401);
    await app.http.get('/api/v1/streaming/user').set(basic('alice')).expect(401);
  });

  it('O10 changes the password, which ends all sign-ins', async () => {
    const { access_token } = await oauth.signIn(client, 'alice');
    const change = { password: PASSWORD, new_password: 'a new password', new_password_confirmation: 'a new password' };
    await app.http.post('/api/svc/change_password').set(basic('alice')).send(change).expect(200, { status: 'success' });
    expect(await oauth.statusOf(access_token)).toBe(401);
    expect([await who(basic('alice')), await who(basic('alice', 'a new password'))]).toEqual([401, 'alice']);
  });
});

it('credentials are used in this order: bearer header, parameter, cookie, password', async () => {
  await app.world.person('carol');
  const bearer = { authorization: `Bearer ${(await app.world.as('carol')).token}` };
  const parameter = { access_token: (await app.world.as('bob')).token };
  const cookie = await cookieOf('alice');
  expect(await who({ ...cookie, ...bearer })).toBe('carol');
  expect(await who({ ...cookie, ...basic('carol') }, parameter)).toBe('bob');
  expect(await who({ ...cookie, ...basic('carol') })).toBe('alice');
  expect(await who({ cookie: '_svc_key=old', ...basic('carol') })).toBe('carol');
  expect(await who({ ...cookie, authorization: 'Bearer wrong' })).toBe(401);
});

it('A1 administration accepts the passwords of administrators only', async () => {
  await app.world.person('root', { admin: true });
  const importFrom = (login: string) => app.http.get('/api/v1/svc/emoji/packs/import').set(basic(login));
  await importFrom('alice').expect(403, { error: 'User is not an admin.' });
  await importFrom('root').expect(200);
});

describe('a token in the body', () => {
  const SETTINGS = '/api/v1/svc/settings/fe';
  const post = () => app.http.post('/api/v1/statuses');
  const send: [string, (fields: Record<string, string>) => Test][] = [
    ['a form', (fields) => post().type('form').send(fields)],
    ['JSON', (fields) => post().send(fields)],
    ['a form of parts', (fields) => Object.entries(fields).reduce((test, of) => test.field(...of), post())],
  ];

  it.each(send)('signs in: %s', async (_what, request) => {
    const { access_token } = await oauth.signIn(client, 'alice');
    const { body } = await request({ access_token, status: 'hello' }).expect(200);
    expect(body).toMatchObject({ account: { username: 'alice' } });
    await request({ access_token: 'wrong', status: 'hello' }).expect(401);
    await request({ access_token: '', status: 'hello' }).expect(401);
    await request({ access_token, status: 'x'.repeat(16_384) }).expect(401);
    await request({ status: 'hello' }).expect(401);
  });

  it('takes precedence over a cookie and a password, and is not stored', async () => {
    const { access_token } = await oauth.signIn(client, 'alice');
    const cookie = { ...(await cookieOf('bob')), origin: OWN };
    for (const headers of [cookie, basic('bob'), { authorization: `Bearer ${access_token}` }]) {
      await app.http.patch(SETTINGS).set(headers).send({ access_token, a: 1 }).expect(200);
    }
    const { body } = (await app.http.get(SETTINGS).auth(access_token, { type: 'bearer' }).expect(200)) as {
      body: unknown;
    };
    expect(body).toEqual({ a: 1 });
  });

  it('A1 keeps a body that is no JSON from callers without a token', async () => {
    const broken = (headers: Headers) =>
      post()
        .set({ 'content-type': 'application/json', ...headers })
        .send('{"a":');
    await broken({}).expect(401);
    await broken(basic('alice')).expect(400);
  });
});
