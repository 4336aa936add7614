import { type SettingPath, SettingsService } from '../../src/config/index.js';
import { SECRET_KEY } from '../../src/platform/index.js';
import { OauthClient } from '../support/fixtures/oauth.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { solutionOf } from '../support/servers/captcha.js';
import { startApp, useApp } from '../support/servers/app.js';

const app = useApp();
let visit: BrowserVisit;

beforeEach(async () => {
  await set('captcha.enabled', false);
  visit = new BrowserVisit(app);
});

async function set(path: SettingPath, value: unknown): Promise<void> {
  await app.get(SettingsService).update([{ path, value }]);
}

const form = { username: 'ada', email: 'ada@mail.test', password: 'a long password', agreement: 'true' };

it('creates an account and signs its owner in', async () => {
  await visit.get('/auth/sign_up');
  const answer = await visit.submit(form);
  expect([answer.status, answer.headers.location]).toEqual([303, '/']);
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

it('lets browsers send every name that the server takes', async () => {
  const [, pattern = ''] = / pattern="([^"]+)"/.exec((await visit.get('/auth/sign_up')).text) ?? [];
  const accepted = new RegExp(`^(?:${pattern})$`, 'v'); // as browsers read it
  expect(['da-sh', 'under_score', '7', 'x'.repeat(30)].filter((name) => !accepted.test(name))).toEqual([]);
  expect(['', 'a b', 'á', 'x'.repeat(31)].filter((name) => accepted.test(name))).toEqual([]);
});

it('asks for the birthday where a least age is set', async () => {
  await set('instance.birthday_min_age', 6570);
  expect((await visit.get('/auth/sign_up')).text).toContain('name="birthday"');
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

it('promises no letter where the server sends none, and names the staff instead', async () => {
  await app.world.persons('alice');
  await set('instance.account_activation_required', true);
  await set('instance.email', 'staff@svc.test');
  const pages = [
    await visit.get('/auth/password'),
    await visit.post('/auth/password', { email: 'alice' }),
    await visit.post('/auth/password', { email: 'nobody' }),
    await visit.get('/auth/confirmation'),
    await visit.post('/auth/confirmation', { login: 'alice' }),
  ];
  await visit.get('/auth/sign_up');
  pages.push(await visit.submit(form));
  for (const { status, text } of pages) {
    expect([status, text]).toEqual([200, expect.stringContaining('This server sends no letters.')]);
    expect(text).toContain('mailto:staff@svc.test');
    expect(text).not.toMatch(/mailbox|We send|letter that/);
  }
  expect(pages[1]!.text).toBe(pages[2]!.text);
});

it('offers a question in place of the picture, which counts once', async () => {
  await set('captcha.enabled', true);
  await visit.get('/auth/sign_up');
  const [token, data] = [visit.field('question_token')!, visit.field('question_answer_data')!];
  const secretKey = app.nest.get<Buffer>(SECRET_KEY, { strict: false });
  const question = solutionOf({ token, url: '', answer_data: data }, secretKey).toLowerCase();
  const wrong = await visit.submit({ ...form, question: 'something else' });
  expect([wrong.status, /id="captcha-error"/.test(wrong.text)]).toEqual([422, true]);
  expect(wrong.text).toMatch(/<details class="notice" open>/);
  const spent = await visit.submit({ ...form, question, question_token: token, question_answer_data: data });
  expect(spent.status).toBe(422);
  const next = { token: visit.field('question_token')!, url: '', answer_data: visit.field('question_answer_data')! };
  const done = await visit.submit({ ...form, question: ` ${solutionOf(next, secretKey).toLowerCase()} ` });
  expect([done.status, done.headers.location]).toEqual([303, '/']);
});

it('names the rules for passwords', async () => {
  const { text } = await visit.get('/auth/sign_up');
  expect(text).toMatch(/id="password-hint">At least 8 characters/);
  expect(text).toMatch(/id="password" name="password"\s+aria-describedby="password-hint"/);
});

it('creates no account while registration is closed, and shows the reason', async () => {
  await set('instance.registrations_open', false);
  expect((await visit.get('/auth/sign_up')).text).toContain('No new accounts');
  await visit.post('/auth/sign_up', form);
  expect(await app.sql('select from users')).toEqual([]);
});

it.each([true, false])('shows what the operator says of accounts, while anybody may sign up: %s', async (isOpen) => {
  await set('instance.registration_message', 'Ask <b>Zoe</b> first<script>1</script>');
  await set('instance.registrations_open', isOpen);
  for (const path of ['/auth/sign_up', '/']) {
    const { text } = await visit.get(path);
    expect(text).toContain('Ask <b>Zoe</b> first');
    expect(text).not.toContain('<script>1');
  }
});

it('draws as many captchas as the API for each address, also at the link of an invite', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' });
  try {
    await limited.get(SettingsService).update([{ path: 'rate_limit.captcha', value: [3_600_000, 3] }]);
    const statuses: number[] = [];
    for (const path of ['/api/v1/svc/captcha', '/auth/sign_up', '/registration/x', '/auth/sign_up', '/registration/x'])
      statuses.push((await limited.http.get(path)).status);
    expect(statuses).toEqual([200, 200, 404, 429, 429]);
  } finally {
    await limited.close();
  }
});

it('O19 refuses the form of another site', async () => {
  expect((await visit.post('/auth/sign_up', form, { origin: 'https://evil.test' })).status).toBe(403);
  expect(await app.sql('select from users')).toEqual([]);
});
