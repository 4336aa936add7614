import { createHash } from 'node:crypto';
import { SettingsService } from '../../../src/config/index.js';
import { PasswordsService } from '../../../src/sign-in/index.js';
import { AccountDeletionService, UsersService } from '../../../src/accounts/index.js';
import { PASSWORD } from '../../support/fixtures/world.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { type ClientKeys, OauthClient, type TokenAnswer } from '../../support/fixtures/oauth.js';
import { holding, waitersOf } from '../../support/locks.js';
import { useApp } from '../../support/servers/app.js';

const REDIRECT = 'https://app.test/callback?kept=1';
const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';
const VERIFIER = 'v'.repeat(50);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
const INVALID_GRANT = { error: 'invalid_grant', error_description: 'Invalid credentials' };

const app = useApp({ people: ['alice', 'bob'] });
let oauth: OauthClient;
let client: ClientKeys;
let visit: BrowserVisit;

beforeAll(() => {
  oauth = new OauthClient(app);
});
beforeEach(async () => {
  client = await oauth.register('read write follow push', `${REDIRECT} app://back ${OUT_OF_BAND}`);
  visit = new BrowserVisit(app);
});

type Values = Readonly<Record<string, string>>;

const request = (more: Values = {}) => ({
  response_type: 'code',
  client_id: client.client_id,
  redirect_uri: REDIRECT,
  scope: 'read write',
  state: 'a "state" <b>',
  ...more,
});

/** The fields of a request as the page sends them, without the scope when it is empty. */
function formOf({ scope = 'read write' } = {}): Record<string, string> {
  const { client_id, redirect_uri, state } = request();
  const fields = { client_id, redirect_uri, state, ...(scope === '' ? {} : { scope }) };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`authorization[${name}]`, value]));
}

const open = (more: Values = {}) => visit.get('/oauth/authorize', request(more));
const login = { 'authorization[name]': 'alice', 'authorization[password]': PASSWORD };

/** The query of the address that the app receives. */
const answerOf = (location: string | undefined) => Object.fromEntries(new URL(location ?? '').searchParams);

async function codeFor(more: Values = {}): Promise<string> {
  await open(more);
  return answerOf((await visit.submit(login)).headers.location).code!;
}

const exchange = (code: string, more: Values = {}, by = client) =>
  oauth.token(by, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, ...more });

describe('the consent page', () => {
  it('names the app, its scopes and its address, and has safe headers', async () => {
    const page = await open({ lang: 'de' });
    expect(page.status).toBe(200);
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).toContain('An app');
    expect(page.text).toContain('alles in deinem Konto lesen');
    expect(page.text).not.toContain('Push-Mitteilungen');
    expect(page.text).toContain('app.test');
    expect(page.text).not.toContain('<script');
    expect(page.headers['cache-control']).toContain('no-store');
    expect(page.headers['content-security-policy']).toMatch(
      /form-action 'self' https:\/\/app\.test;.*frame-ancestors 'none'/,
    );
  });

  it('signs in and sends code and state to the app', async () => {
    await open();
    const answer = await visit.submit(login);
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toMatch(/^https:\/\/app\.test\/callback\?kept=1&code=/);
    expect(answerOf(answer.headers.location)).toEqual({
      kept: '1',
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'a "state" <b>',
      iss: 'https://svc.test',
    });
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^_svc_key=[\w-]+; Max-Age=\d+; Path=\/; .*HttpOnly; Secure; SameSite=Lax/,
    );
  });

  it('in a session asks for no password, names the account and offers another sign-in', async () => {
    await codeFor();
    const page = await open({ scope: 'read write follow' });
    expect(page.text).toContain('@alice');
    expect(page.text).not.toContain('type="password"');
    expect(page.text).toContain('force_login=true');
    expect(answerOf((await visit.submit()).headers.location).code).toBeDefined();
    expect((await open({ force_login: 'true' })).text).toContain('type="password"');
    expect((await open({ prompt: 'login' })).text).toContain('type="password"');
  });

  it('O19 is skipped only for scopes that the app has already, for a web address and without `prompt`', async () => {
    const code = await codeFor();
    expect((await open()).status).toBe(200);
    await exchange(code).expect(200);
    expect(answerOf((await open()).headers.location).code).toBeDefined();
    expect((await open({ scope: 'read:lists' })).status).toBe(302);
    for (const more of [{ prompt: 'consent' }, { scope: 'read follow' }, { redirect_uri: 'app://back' }]) {
      expect((await open(more)).status).toBe(200);
    }
  });

  it('O19 is skipped without the admin scopes that an account cannot have, until it becomes an administrator', async () => {
    client = await oauth.register('read admin', REDIRECT);
    await exchange(await codeFor({ scope: 'read admin' })).expect(200);
    const answer = await open({ scope: 'read admin' });
    expect([answer.status, answerOf(answer.headers.location).code]).toEqual([302, expect.any(String)]);
    await app.get(UsersService).setRole(app.world.id('alice'), { isAdmin: true });
    expect((await open({ scope: 'read admin' })).status).toBe(200);
  });

  it('can be denied', async () => {
    await open();
    const answer = await visit.submit({ 'authorization[deny]': 'true' });
    expect(answerOf(answer.headers.location)).toMatchObject({ error: 'access_denied', state: 'a "state" <b>' });
    await open({ redirect_uri: OUT_OF_BAND });
    expect((await visit.submit({ 'authorization[deny]': 'true' })).status).toBe(200);
  });

  it('shows the code for an app without an address', async () => {
    await open({ redirect_uri: OUT_OF_BAND });
    const page = await visit.submit(login);
    expect(page.status).toBe(200);
    const code = /<code class="copy">([\w-]{43})</.exec(page.text)![1]!;
    await exchange(code, { redirect_uri: OUT_OF_BAND }).expect(200);
  });

  it('redirects to an app with its own URI scheme', async () => {
    const page = await open({ redirect_uri: 'app://back' });
    expect(page.headers['content-security-policy']).toContain("form-action 'self' app:;");
    expect((await visit.submit(login)).headers.location).toMatch(/^app:\/\/back\?code=/);
  });

  it.each([
    ['an unknown app', { client_id: 'unknown' }],
    ['another redirect URI', { redirect_uri: 'https://app.test/callback' }],
    ['a redirect URI with a suffix', { redirect_uri: `${REDIRECT}&more=1` }],
    ['a redirect URI with userinfo', { redirect_uri: REDIRECT.replace('//', '//app.test@') }],
    ['a redirect URI with another port', { redirect_uri: REDIRECT.replace('.test/', '.test:444/') }],
    ['a redirect URI in another spelling', { redirect_uri: REDIRECT.replace('callback', '%63allback') }],
    ['a token instead of a code', { response_type: 'token' }],
    ['a plain challenge', { code_challenge: VERIFIER, code_challenge_method: 'plain' }],
    ['a challenge without a method', { code_challenge: CHALLENGE }],
    ['a challenge that is no hash', { code_challenge: 'short', code_challenge_method: 'S256' }],
  ])('O1 O5 refuses %s with a page and no redirect', async (_what, more: Values) => {
    const page = await open(more);
    expect([page.status, page.headers.location]).toEqual([400, undefined]);
    expect(page.headers['content-type']).toContain('text/html');
  });

  it('O7 refuses scopes that the app did not register, and a submitted form without scopes', async () => {
    expect((await open({ scope: 'read admin:write' })).status).toBe(401);
    const page = await visit.post('/oauth/authorize', { ...formOf({ scope: '' }), ...login });
    expect([page.status, page.text.includes('This action is outside the authorized scopes')]).toEqual([401, true]);
  });

  it('O7 grants admin scopes to administrators only', async () => {
    client = await oauth.register('read admin', REDIRECT);
    const code = await codeFor({ scope: 'read admin' });
    expect((await exchange(code).expect(200)).body).toMatchObject({ scope: 'read' });
    await app.get(UsersService).setRole(app.world.id('alice'), { isAdmin: true });
    const other = await codeFor({ scope: 'read admin', force_login: 'true' });
    expect((await exchange(other).expect(200)).body).toMatchObject({ scope: 'read admin' });
  });

  it('O20 escapes the texts of apps', async () => {
    client = await oauth.register('read', REDIRECT, '<img src=x onerror=alert(1)>');
    const page = await open({ scope: 'read', state: '"><script>alert(1)</script>' });
    expect(page.text).not.toMatch(/<img src=x|<script/);
  });

  it('O12 O14 gives the same answer to wrong passwords and unknown names', async () => {
    const bodies = [];
    for (const name of ['alice', 'nobody']) {
      await open();
      const page = await visit.submit({ 'authorization[name]': name, 'authorization[password]': 'wrong' });
      expect([page.status, page.headers['set-cookie']]).toEqual([401, undefined]);
      bodies.push(page.text);
    }
    expect(bodies[0]).toBe(bodies[1]);
    expect(bodies[0]).toContain('The name or the password is wrong.');
  });

  it.each([
    ['deactivated', 'This account is deactivated.'],
    ['unconfirmed', '<a href="/auth/confirmation">'],
  ] as const)('tells the owner that the account is %s', async (state, text) => {
    if (state === 'deactivated') await app.get(UsersService).setActive(app.world.id('alice'), false);
    else await app.sql('update users set is_confirmed = false');
    await open();
    const page = await visit.submit(login);
    expect([page.status, page.text.includes(text)]).toEqual([403, true]);
  });

  it('stays available when the instance is not public', async () => {
    await app.get(SettingsService).update([{ path: 'instance.public', value: false }]);
    expect((await open()).status).toBe(200);
    await app.get(SettingsService).reset('instance.public');
  });
});

describe('cross-site protection', () => {
  it('O19 refuses forms of other sites, with and without a session', async () => {
    await codeFor();
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      expect((await visit.post('/oauth/authorize', formOf(), headers)).status).toBe(403);
      expect((await new BrowserVisit(app).post('/oauth/authorize', { ...formOf(), ...login }, headers)).status).toBe(
        403,
      );
    }
  });

  it('O19 requires the token of the session', async () => {
    await codeFor();
    expect((await visit.post('/oauth/authorize', formOf())).status).toBe(403);
    const other = new BrowserVisit(app);
    await other.get('/oauth/authorize', request());
    await other.submit({ 'authorization[name]': 'bob', 'authorization[password]': PASSWORD });
    await other.get('/oauth/authorize', request({ prompt: 'consent' }));
    expect((await visit.post('/oauth/authorize', { ...formOf(), _csrf: other.field('_csrf')! })).status).toBe(403);
  });

  it('O18 opens no session for an app token in the cookie', async () => {
    const { access_token } = await oauth.signIn(client, 'alice', { scope: 'read' });
    visit.setCookie('_svc_key', access_token);
    expect((await open()).text).toContain('type="password"');
  });
});

describe('a code', () => {
  it('is exchanged for a token of its account with its scopes', async () => {
    const token = (await exchange(await codeFor()).expect(200)).body as TokenAnswer & { me: string };
    expect(token).toMatchObject({ scope: 'read write', me: 'https://svc.test/users/alice' });
    expect(await oauth.statusOf(token.access_token)).toBe(200);
    await oauth.refresh(client, token.refresh_token).expect(200);
  });

  it('O3 used twice is refused, and its token is revoked', async () => {
    const code = await codeFor();
    const { access_token } = (await exchange(code).expect(200)).body as TokenAnswer;
    expect((await exchange(code).expect(400)).body).toEqual(INVALID_GRANT);
    expect(await oauth.statusOf(access_token)).toBe(401);
  });

  it('O3 used by several requests at once leaves no valid token', async () => {
    const code = await codeFor();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { access_token } = answers.find(({ status }) => status === 200)!.body as TokenAnswer;
    expect(await oauth.statusOf(access_token)).toBe(401);
  });

  it('O4 is valid for one app, one redirect URI and ten minutes', async () => {
    const code = await codeFor();
    const other = await oauth.register('read write', REDIRECT);
    await exchange(code, {}, other).expect(400);
    await exchange(code, { redirect_uri: 'app://back' }).expect(400);
    await oauth.token(client, { grant_type: 'authorization_code', code }).expect(400);
    await exchange(code, {}, { ...client, client_secret: '' }).expect(401);
    await exchange('unknown').expect(400);
    await app.sql(`update oauth_codes set created_at = created_at - interval '601 seconds'`);
    await exchange(code).expect(400);
    await app.sql(`update oauth_codes set created_at = created_at + interval '1 minute'`);
    await exchange(code).expect(200);
  });

  it('O5 with a challenge needs the verifier, and without a challenge accepts none', async () => {
    const code = await codeFor(PKCE);
    for (const more of [{}, { code_verifier: 'w'.repeat(50) }, { code_verifier: CHALLENGE }]) {
      expect((await exchange(code, more).expect(400)).body).toEqual(INVALID_GRANT);
    }
    await exchange(code, { code_verifier: VERIFIER }).expect(200);
    const plain = await codeFor({ force_login: 'true' });
    await exchange(plain, { code_verifier: VERIFIER }).expect(400);
    await exchange(plain).expect(200);
  });

  it('O10 is invalid after a password change, and after the deactivation of its account', async () => {
    const code = await codeFor();
    await app.get(PasswordsService).reset(app.world.id('alice'), `${PASSWORD} new`);
    await exchange(code).expect(400);
    await open();
    const next = answerOf(
      (await visit.submit({ ...login, 'authorization[password]': `${PASSWORD} new` })).headers.location,
    );
    await app.get(UsersService).setActive(app.world.id('alice'), false);
    await exchange(next.code!).expect(403);
  });

  it('O10 is invalid after the deletion of its account', async () => {
    const code = await codeFor();
    await app.get(AccountDeletionService).delete(app.world.id('alice'));
    expect((await exchange(code).expect(400)).body).toEqual(INVALID_GRANT);
  });

  const endBrowser = async () => {
    const alice = await app.world.as('alice');
    const signIns = (await alice.get('/api/oauth_tokens').expect(200)).body as { id: number; app_name: string }[];
    await alice.delete(`/api/oauth_tokens/${signIns.find(({ app_name }) => app_name === 'Browser')!.id}`).expect(200);
  };

  it.each<[string, () => Promise<unknown>]>([
    ['another sign-in ends it', endBrowser],
    [
      'it is chosen on the page of the account',
      async () => {
        const page = await visit.get('/auth/account/sessions');
        await visit.submit({ id: /name="id" value="(\d+)"/.exec(page.text)![1]! });
      },
    ],
    ['its person signs out', async () => visit.get('/auth/account').then(() => visit.submit())],
  ])('O10 is invalid after the end of the session that allowed it: %s', async (_, end) => {
    const code = await codeFor();
    await end();
    expect((await exchange(code).expect(400)).body).toEqual(INVALID_GRANT);
  });

  it('O3 used twice ends its sign-in also after the session that allowed it ended', async () => {
    const code = await codeFor();
    const { access_token } = (await exchange(code).expect(200)).body as TokenAnswer;
    await endBrowser();
    expect(await oauth.statusOf(access_token)).toBe(200);
    await exchange(code).expect(400);
    expect(await oauth.statusOf(access_token)).toBe(401);
  });

  it.each([
    ['a change of the password', 'select from users where account_id = $1 for update'],
    ['the end of the session', 'delete from oauth_tokens where account_id = $1'],
  ])('O10 is refused when %s comes first', async (_, first) => {
    await codeFor();
    await app.sql('delete from oauth_codes');
    await open({ prompt: 'consent' });
    const page = await holding(app, async (holder) => {
      await holder.query(first, [app.world.id('alice')]);
      const answer = visit.submit();
      await waitersOf(holder, 1);
      await holder.query('delete from oauth_tokens where account_id = $1', [app.world.id('alice')]);
      await holder.query('commit');
      return answer;
    });
    expect([page.status, page.text.includes('type="password"')]).toEqual([401, true]);
    expect(await app.sql('select from oauth_codes')).toEqual([]);
  });

  it('O22 is stored as a hash', async () => {
    const code = await codeFor();
    expect(JSON.stringify(await app.sql('select * from oauth_codes'))).not.toContain(code);
  });
});

it('the server metadata describe the authorization endpoint', async () => {
  const answer = await app.http.get('/.well-known/oauth-authorization-server').expect(200);
  expect(answer.body).toMatchObject({
    authorization_endpoint: 'https://svc.test/oauth/authorize',
    response_types_supported: ['code'],
    grant_types_supported: expect.arrayContaining(['authorization_code']),
    code_challenge_methods_supported: ['S256'],
  });
});
