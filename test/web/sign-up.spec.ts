import { type SettingPath, SettingsService } from '../../src/config/index.js';
import { OauthClient } from '../support/fixtures/oauth.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
let visit: BrowserVisit;
const changed = new Set<SettingPath>();

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  for (const path of changed) await app.get(SettingsService).reset(path);
  changed.clear();
  await app.reset();
  await set('captcha.enabled', false);
  visit = new BrowserVisit(app);
});

async function set(path: SettingPath, value: unknown): Promise<void> {
  await app.get(SettingsService).update([{ path, value }]);
  changed.add(path);
}

const form = { username: 'ada', email: 'ada@mail.test', password: 'a long password', agreement: 'true' };

it('creates an account and signs its owner in', async () => {
  await visit.get('/auth/sign_up');
  const answer = await visit.submit(form);
  expect([answer.status, answer.headers.location]).toEqual([303, '/auth/account']);
  const { client_id } = await new OauthClient(app).register('read', 'https://app.test/');
  const request = { response_type: 'code', client_id, redirect_uri: 'https://app.test/' };
  expect((await visit.get('/oauth/authorize', request)).text).toContain('@ada');
});

it('names the error of each field and keeps the input', async () => {
  await app.world.persons('alice');
  await visit.get('/auth/sign_up');
  const page = await visit.submit({ username: 'alice', email: '"><script>', password: 'x', agreement: '' });
  expect(page.status).toBe(422);
  expect(page.text).toContain('Please agree to the rules.');
  expect(page.text).toContain('value="&quot;&gt;&lt;script&gt;"');
  const next = await visit.submit({ ...form, username: 'alice', password: 'x' });
  expect(next.text).toMatch(/id="password-error">This is too short/);
  expect((await visit.submit({ ...form, username: 'alice' })).text).toMatch(/id="username-error">This is taken/);
});

it('asks for everything that the operator requires', async () => {
  await set('instance.account_approval_required', true);
  await set('instance.birthday_required', true);
  await set('captcha.enabled', true);
  const page = await visit.get('/auth/sign_up');
  for (const name of ['reason', 'birthday', 'captcha']) expect(page.text).toContain(`name="${name}"`);
  const wrong = await visit.submit({ ...form, reason: 'tea', birthday: '1990-01-01', captcha: 'wrong' });
  expect(wrong.text).toMatch(/id="captcha-error"/);
  await set('captcha.enabled', false);
  const done = await visit.submit({ ...form, reason: 'tea', birthday: '1990-01-01' });
  expect([done.status, done.text.includes('waiting for approval')]).toEqual([200, true]);
});

it('creates no account while registration is closed, and says so', async () => {
  await set('instance.registrations_open', false);
  expect((await visit.get('/auth/sign_up')).text).toContain('No new accounts');
  await visit.post('/auth/sign_up', form);
  expect(await app.sql('select from users')).toEqual([]);
});

it('O19 refuses the form of another site', async () => {
  expect((await visit.post('/auth/sign_up', form, { origin: 'https://evil.test' })).status).toBe(403);
  expect(await app.sql('select from users')).toEqual([]);
});
