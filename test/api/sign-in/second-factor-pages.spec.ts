import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { enableMfa, type KnownFactor, wrongCode } from '../../support/fixtures/mfa.js';
import { OauthClient } from '../../support/fixtures/oauth.js';
import { PASSWORD } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

const REDIRECT = 'https://app.test/callback';
const LOGIN = { 'authorization[name]': 'alice', 'authorization[password]': PASSWORD };

const app = useApp({ people: ['alice'] });
let visit: BrowserVisit;
let factor: KnownFactor;

beforeEach(async () => {
  factor = await enableMfa(app, 'alice');
  visit = new BrowserVisit(app);
});

/** Submits the password for an app; returns the next page. */
async function authorize() {
  const { client_id } = await new OauthClient(app).register('read', REDIRECT);
  await visit.get('/oauth/authorize', { response_type: 'code', client_id, redirect_uri: REDIRECT, state: 's' });
  return visit.submit(LOGIN);
}

it('the right password leads to the code form, and the code leads to the app', async () => {
  const page = await authorize();
  expect([page.status, page.headers['set-cookie']]).toEqual([200, undefined]);
  expect(page.headers['content-security-policy']).toContain(`form-action 'self' https://app.test;`);
  const answer = await visit.submit({ 'mfa[code]': factor.nextCode });
  expect(answer.status).toBe(302);
  expect(answer.headers.location).toMatch(/^https:\/\/app\.test\/callback\?code=[\w-]{43}&state=s&/);
  expect(answer.headers['set-cookie']?.[0]).toContain('_svc_key=');
});

it('O16 wrong and used codes are refused, and the fifth one ends the sign-in', async () => {
  await authorize();
  for (const code of [factor.usedCode, ...Array.from({ length: 4 }, () => wrongCode(factor.key))]) {
    const page = await visit.submit({ 'mfa[code]': code });
    expect([page.status, page.headers['set-cookie']]).toEqual([401, undefined]);
  }
  expect((await visit.submit({ 'mfa[code]': factor.nextCode })).status).toBe(401);
});

it('O17 a recovery code works once', async () => {
  for (const status of [302, 401]) {
    visit.forgetCookies();
    const page = await authorize();
    const link = /href="(\/oauth\/mfa\?[^"]+)"/.exec(page.text)![1]!.replaceAll('&amp;', '&');
    expect((await visit.get(link)).text).toContain('recovery codes');
    expect((await visit.submit({ 'mfa[code]': factor.recoveryCodes[0]! })).status).toBe(status);
  }
});

it('sign-ins on our own pages also need the code', async () => {
  await visit.get('/auth/sign_in', { return_to: '/here' });
  await visit.submit({ name: 'alice', password: PASSWORD });
  const answer = await visit.submit({ 'mfa[code]': factor.nextCode });
  expect([answer.status, answer.headers.location]).toEqual([303, '/here']);
});

it('O19 a code in a form of another site is refused', async () => {
  await authorize();
  const fields = { 'mfa[mfa_token]': visit.field('mfa[mfa_token]')!, 'mfa[code]': factor.nextCode };
  expect((await visit.post('/oauth/mfa/verify', fields, { origin: 'https://evil.test' })).status).toBe(403);
});

it('an expired challenge redirects to the sign-in page', async () => {
  const answer = await visit.get('/oauth/mfa', { mfa_token: 'unknown', challenge_type: 'totp' });
  expect([answer.status, answer.headers.location]).toEqual([302, '/auth/sign_in']);
});
