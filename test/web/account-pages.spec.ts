import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { codeAt } from '../support/fixtures/mfa.js';
import { OauthClient } from '../support/fixtures/oauth.js';
import { PASSWORD } from '../support/fixtures/world.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ people: ['alice', 'bob'] });
let visit: BrowserVisit;

beforeEach(async () => {
  visit = new BrowserVisit(app);
  await signIn();
});

async function signIn(password = PASSWORD, browser = visit) {
  await browser.get('/auth/sign_in');
  return browser.submit({ name: 'alice', password });
}

describe('every page of an account', () => {
  it('is linked from the overview, names its subject and leads back', async () => {
    const overview = await visit.get('/auth/account');
    expect(overview.text).toContain('@alice');
    const paths = [...overview.text.matchAll(/href="(\/auth\/account\/[a-z_]+)"/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) {
      const page = await visit.get(path);
      expect([path, page.status, page.text.includes('href="/auth/account"')]).toEqual([path, 200, true]);
      expect(page.headers['cache-control']).toContain('no-store');
    }
  });

  it('asks visitors to sign in first, and then continues', async () => {
    visit.forgetCookies();
    const answer = await visit.get('/auth/account/sessions');
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      '/auth/sign_in?return_to=%2Fauth%2Faccount%2Fsessions',
    ]);
  });

  it('O19 refuses forms without the token of the session, and of other sites', async () => {
    const token = await tokenOf('/auth/account/password');
    for (const path of ['password', 'second_factor', 'sessions', 'delete', 'email', 'data', 'move']) {
      const fields = { password: PASSWORD, new_password: 'a new password' };
      expect((await visit.post(`/auth/account/${path}`, fields)).status).toBe(403);
      const foreign = await visit.post(
        `/auth/account/${path}`,
        { ...fields, _csrf: token },
        { origin: 'https://evil.test' },
      );
      expect(foreign.status).toBe(403);
    }
    expect((await signIn()).status).toBe(303);
  });
});

async function tokenOf(path: string): Promise<string> {
  await visit.get(path);
  return visit.field('_csrf')!;
}

it('O10 ends all other sign-ins with a new password', async () => {
  const oauth = new OauthClient(app);
  const { access_token } = await oauth.signIn(await oauth.register(), 'alice');
  await visit.get('/auth/account/password');
  expect((await visit.submit({ password: 'wrong', new_password: 'a new password' })).text).toContain(
    'The password is wrong.',
  );
  expect((await visit.submit({ password: PASSWORD, new_password: 'x' })).status).toBe(422);
  expect(await oauth.statusOf(access_token)).toBe(200);
  expect((await visit.submit({ password: PASSWORD, new_password: 'a new password' })).text).toContain('Done.');
  expect(await oauth.statusOf(access_token)).toBe(401);
  expect((await visit.get('/auth/account')).status).toBe(200);
  expect((await signIn(PASSWORD, new BrowserVisit(app))).status).toBe(401);
  expect((await signIn('a new password', new BrowserVisit(app))).status).toBe(303);
});

it('switches a second factor on with a code, shows recovery codes, and switches it off with the password', async () => {
  const page = await visit.get('/auth/account/second_factor');
  expect(page.text).toContain('<img class="captcha" src="data:image/svg+xml;base64,');
  const key = /<code class="copy">([A-Z2-7]+)</.exec(page.text)![1]!;
  const wrong = await visit.submit({ op: 'enable', password: PASSWORD, code: '12345' });
  expect([wrong.status, wrong.text.includes(key)]).toEqual([422, true]);
  const on = await visit.submit({ op: 'enable', password: PASSWORD, code: codeAt(key) });
  expect(on.text.match(/<code>[^<]{16,}<\/code>/g)).toHaveLength(5);
  expect((await signIn(PASSWORD, new BrowserVisit(app))).status).toBe(200);
  expect((await visit.submit({ op: 'disable', password: 'wrong' })).status).toBe(422);
  expect((await visit.submit({ op: 'disable', password: PASSWORD })).status).toBe(200);
  expect((await signIn(PASSWORD, new BrowserVisit(app))).status).toBe(303);
});

it('offers a new secret in place of one that was prepared before a new password or long ago', async () => {
  const shown = async () =>
    /<code class="copy">([A-Z2-7]+)</.exec((await visit.get('/auth/account/second_factor')).text)![1]!;
  const alice = await app.world.as('alice');
  await alice.get('/api/svc/accounts/mfa/backup_codes').expect(200);
  const first = await shown();
  expect(await shown()).toBe(first);
  await visit.get('/auth/account/password');
  await visit.submit({ password: PASSWORD, new_password: 'a new password' });
  expect(await app.sql('select from recovery_codes')).toEqual([]);
  const second = await shown();
  await app.sql(`update second_factors set created_at = created_at - interval '1 hour'`);
  const third = await shown();
  expect(new Set([first, second, third]).size).toBe(3);
  await visit.submit({ op: 'enable', password: 'a new password', code: codeAt(third) });
  await visit.get('/auth/account/password');
  await visit.submit({ password: 'a new password', new_password: PASSWORD });
  expect(await app.sql('select from recovery_codes')).toHaveLength(5); // of the factor that is in use
  expect((await signIn(PASSWORD, new BrowserVisit(app))).status).toBe(200);
});

it('lists and ends apps and browsers of the own account only', async () => {
  const oauth = new OauthClient(app);
  const client = await oauth.register();
  const own = await oauth.signIn(client, 'alice');
  const other = await oauth.signIn(client, 'bob');
  const page = await visit.get('/auth/account/sessions');
  expect(page.text.match(/An app/g)!.length).toBeGreaterThan(0);
  expect(page.text).toContain('this browser');
  expect((await visit.submit({ id: String(other.id) })).status).toBe(404);
  expect((await visit.submit({ id: 'x' })).status).toBe(404);
  expect((await visit.submit({ id: String(own.id) })).status).toBe(200);
  expect([await oauth.statusOf(own.access_token), await oauth.statusOf(other.access_token)]).toEqual([401, 200]);
});

it('O18 ends the session on signing out', async () => {
  await visit.get('/auth/account');
  const answer = await visit.submit();
  expect([answer.status, answer.headers.location]).toEqual([303, '/auth/sign_in']);
  expect((await visit.get('/auth/account')).status).toBe(303);
  expect(
    await app.sql('select from oauth_tokens t join oauth_apps a on a.id = t.app_id where a.client_id = $1', [
      'browser',
    ]),
  ).toEqual([]);
});

it('deletes the account only with the password', async () => {
  await visit.get('/auth/account/delete');
  expect((await visit.submit({ password: 'wrong' })).text).toContain('The password is wrong.');
  expect((await visit.submit({ password: PASSWORD })).text).toContain('Your account has been deleted.');
  expect((await signIn()).status).toBe(401);
});
