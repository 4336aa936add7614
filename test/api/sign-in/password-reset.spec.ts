import { UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { PasswordResetsService } from '../../../src/sign-in/index.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { OauthClient } from '../../support/fixtures/oauth.js';
import { pathOf } from '../../support/fixtures/uploads.js';
import { PASSWORD } from '../../support/fixtures/world.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { holding, waitersOf } from '../../support/locks.js';
import { countQueries } from '../../support/queries.js';
import { useMails } from '../../support/servers/mails.js';

const NEW = 'a new password';

const mails = useMails();
const app = useApp({ people: ['alice', 'bob'], env: () => ({ SMTP_URL: mails.url }) });
let visit: BrowserVisit;

beforeEach(async () => {
  visit = new BrowserVisit(app);
  await app.drain();
  mails.all.length = 0;
});

const ask = (values: object) => app.http.post('/auth/password').send(values).expect(204, {});
const letters = async (values: object) => {
  await ask(values);
  await app.drain();
  return mails.all;
};
const linkIn = (text: string) => pathOf(/https:\S+password_reset\S+/.exec(text)![0]);
const newLink = async () => {
  mails.all.length = 0;
  await letters({ email: 'alice' });
  return linkIn(mails.all[0]!.text);
};
const set = (link: string, password = NEW, password_confirmation = password) =>
  app.http
    .post('/api/v1/svc/password_reset')
    .type('form')
    .send({
      'data[token]': link.split('/').at(-1),
      'data[password]': password,
      'data[password_confirmation]': password_confirmation,
    });
const signsIn = async (password: string) =>
  (await app.get(UsersService).verifyPassword('alice', password))?.state === 'ok';

describe('a mail for a forgotten password', () => {
  it('leads to a new password, in a browser without scripts', async () => {
    const oauth = new OauthClient(app);
    const { access_token } = await oauth.signIn(await oauth.register(), 'alice');
    expect((await visit.get('/auth/sign_in')).text).toContain('href="/auth/password"');
    await visit.get('/auth/password');
    const asked = await visit.submit({ email: 'Alice@mail.test' });
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('Look into your mailbox')]);
    await app.drain();

    expect(mails.all.map(({ to }) => to)).toEqual(['alice@mail.test']);
    const link = linkIn(mails.all[0]!.text);
    expect(link).toMatch(/^\/api\/v1\/svc\/password_reset\/[\w-]{43}$/);
    const page = await visit.get(link);
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const wrong = await visit.submit({ 'data[password]': NEW, 'data[password_confirmation]': 'other' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('The two passwords differ.')]);
    const done = await visit.submit({ 'data[password]': NEW, 'data[password_confirmation]': NEW });
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Your password is changed')]);
    expect([await signsIn(NEW), await signsIn(PASSWORD)]).toEqual([true, false]);
    expect(await oauth.statusOf(access_token)).toBe(401);
  });

  it('is in the language of the account', async () => {
    await app.sql(`update users set locale = 'de-AT'`);
    expect((await letters({ nickname: 'alice' }))[0]!.headers.get('subject')).toBe('Neues Passwort für svc');
  });

  it.each<[string, () => unknown]>([
    ['an unknown name', () => app.sql(`update accounts set nickname = nickname || '2'`)],
    ['an account without an address', () => app.sql('update users set email = null')],
    ['an address that is not confirmed', () => app.sql('update users set is_confirmed = false')],
    ['a deactivated account', () => app.get(UsersService).setActive(app.world.id('alice'), false)],
  ])('O13 is not sent for %s, though the answer is the same', async (_what, change) => {
    await change();
    expect(await letters({ nickname: 'alice' })).toEqual([]);
  });

  it('O12 O13 costs the same statements for every name', async () => {
    const { statements } = await countQueries(async () => ask({ nickname: 'alice' }));
    expect((await countQueries(async () => ask({ nickname: 'nobody' }))).statements).toEqual(statements);
    expect(await app.sql('select name from jobs')).toHaveLength(2);
  });

  it('O13 is sent at most three times an hour', async () => {
    for (let i = 0; i < 5; i += 1) await ask({ email: 'alice' });
    expect(await letters({ email: 'bob' })).toHaveLength(4);
    await app.sql(`update password_resets set created_at = created_at - interval '61 minutes'`);
    expect(await letters({ email: 'alice' })).toHaveLength(5);
  });

  it('is sent as often when the staff made links for the account', async () => {
    for (let i = 0; i < 3; i += 1) await app.get(PasswordResetsService).link(app.world.id('alice'));
    for (let i = 0; i < 4; i += 1) await ask({ email: 'alice' });
    expect(await letters({ email: 'bob' })).toHaveLength(4);
  });

  it('O13 is sent at most three times an hour, and later when the address or the password has changed meanwhile', async () => {
    const alice = await app.world.as('alice');
    for (let i = 0; i < 3; i += 1) await ask({ nickname: 'alice' });
    await app.drain();
    await alice.post('/api/svc/change_email', { password: PASSWORD, email: 'new@mail.test' }).expect(200);
    const change = { password: PASSWORD, new_password: NEW, new_password_confirmation: NEW };
    await alice.post('/api/svc/change_password', change).expect(200, { status: 'success' });
    const sent = () => mails.all.filter(({ text }) => text.includes('password_reset'));
    await letters({ nickname: 'alice' });
    expect(sent()).toHaveLength(3);
    await app.sql(`update password_resets set created_at = created_at - interval '61 minutes'`);
    await app.sql('update jobs set run_at = now()');
    await app.drain();
    expect(sent()).toHaveLength(4);
    expect((await set(linkIn(sent()[3]!.text), PASSWORD)).status).toBe(200);
  });

  it('O13 is sent at most three times an hour, also when two are asked for at once', async () => {
    for (let i = 0; i < 2; i += 1) await ask({ email: 'alice' });
    expect(await letters({ email: 'bob' })).toHaveLength(3);
    const send = () => app.get(PasswordResetsService).send({ login: 'alice' });
    await holding(app, async (holder) => {
      await holder.query('select from accounts where id = $1 for update', [app.world.id('alice')]);
      const sending = Promise.all([send(), send()]);
      await waitersOf(holder, 2);
      await holder.query('commit');
      await sending;
    });
    expect(mails.all).toHaveLength(4);
  });

  it('O25 is not sent to an address that the account has no longer when the link is stored', async () => {
    await holding(app, async (holder) => {
      await holder.query('select from accounts where id = $1 for update', [app.world.id('alice')]);
      await holder.query(`update users set email = 'new@mail.test' where account_id = $1`, [app.world.id('alice')]);
      const sending = app.get(PasswordResetsService).send({ login: 'alice' });
      await waitersOf(holder, 1);
      await holder.query('commit');
      await sending;
    });
    expect([mails.all, await app.sql('select from password_resets')]).toEqual([[], []]);
  });

  it('is sent once the mail server takes it, however many tries failed', async () => {
    mails.refuse('RCPT');
    await ask({ email: 'alice' });
    for (let tried = 0; tried < 4; tried += 1) {
      await app.drain();
      await app.sql('update jobs set run_at = now()');
    }
    expect(mails.all).toEqual([]);
    mails.refuse();
    await app.drain();
    expect(mails.all).toHaveLength(1);
    expect((await app.http.get(linkIn(mails.all[0]!.text))).status).toBe(200);
  });

  it('is not sent without a name', async () => {
    expect(await letters({})).toEqual([]);
  });
});

describe('the link in the mail', () => {
  it('O25 works once, even for simultaneous requests', async () => {
    const link = await newLink();
    const answers = await Promise.all(Array.from({ length: 5 }, () => set(link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect((await app.http.get(link)).status).toBe(404);
  });

  it('O25 works for one day', async () => {
    const link = await newLink();
    await app.sql(`update password_resets set created_at = created_at - interval '24 hours 1 second'`);
    expect((await app.http.get(link)).status).toBe(404);
    expect((await set(link)).status).toBe(404);
    expect(await signsIn(PASSWORD)).toBe(true);
  });

  it('O25 ends with any password change', async () => {
    const alice = await app.world.as('alice');
    const change = { password: PASSWORD, new_password: NEW, new_password_confirmation: NEW };
    const [first, second] = [await newLink(), await newLink()];
    await alice.post('/api/svc/change_password', change).expect(200, { status: 'success' });
    const third = await newLink();
    expect((await set(third, 'a third one')).status).toBe(200);
    for (const link of [first, second, third]) expect((await app.http.get(link)).status).toBe(404);
  });

  it.each([false, true])(
    'O25 ends with any change of the address, if that is to be confirmed: %s',
    async (confirms) => {
      await app.get(SettingsService).update([{ path: 'instance.account_activation_required', value: confirms }]);
      const alice = await app.world.as('alice');
      const link = await newLink();
      await alice.post('/api/svc/change_email', { password: PASSWORD, email: 'new@mail.test' }).expect(200);
      if (confirms) {
        await app.drain();
        const confirmation = /https:\S+confirm_email\S+/.exec(mails.to('new@mail.test')[0]!.text)![0];
        await app.http.get(pathOf(confirmation)).expect(302);
      }
      expect((await app.http.get(link)).status).toBe(404);
      expect((await set(link)).status).toBe(404);
      expect(await signsIn(PASSWORD)).toBe(true);
      await app.get(SettingsService).reset('instance.account_activation_required');
    },
  );

  it('O25 also ends links that confirm an address', async () => {
    await app.get(SettingsService).update([{ path: 'instance.account_activation_required', value: true }]);
    const alice = await app.world.as('alice');
    await alice.post('/api/svc/change_email', { password: PASSWORD, email: 'thief@mail.test' }).expect(200);
    await app.drain();
    const confirmation = pathOf(/https:\S+confirm_email\S+/.exec(mails.to('thief@mail.test')[0]!.text)![0]);
    await set(await newLink()).expect(200);
    expect((await app.http.get(confirmation).set('accept', 'application/json')).status).toBe(400);
    expect((await app.get(UsersService).facts(app.world.id('alice'))).email).toBe('alice@mail.test');
    await app.get(SettingsService).reset('instance.account_activation_required');
  });

  it('stays valid after a refused password', async () => {
    const link = await newLink();
    expect((await set(link, 'short')).text).toContain('at least 8 characters');
    expect((await set(link, 'x'.repeat(2_000))).status).toBe(422);
    expect((await set(link)).status).toBe(200);
  });

  it('ends a required reset', async () => {
    await app.sql('update users set password_reset_required = true');
    await set(await newLink()).expect(200);
    expect(await signsIn(NEW)).toBe(true);
  });

  it('O22 is not stored in the database', async () => {
    const token = (await newLink()).split('/').at(-1)!;
    const [row] = await app.sql<{ text: string }>(`select string_agg(r::text, ' ') as text from password_resets r`);
    expect(row!.text).not.toContain(token);
  });

  it('is refused when it is unknown', async () => {
    for (const token of ['x', 'x'.repeat(43)]) {
      expect((await app.http.get(`/api/svc/password_reset/${token}`)).text).toContain('This link does not work');
      expect((await set(token)).status).toBe(404);
    }
    expect((await app.http.post('/api/svc/password_reset').send({})).status).toBe(404);
  });
});

it('O13 requests for reset mails are limited for each address', async () => {
  const limited = await startApp({ RATE_LIMITS: 'auth-only' });
  try {
    for (let i = 0; i < 5; i += 1)
      await limited.http
        .post('/auth/password')
        .send({ email: `n${i}` })
        .expect(204);
    await limited.http.post('/auth/password').send({ email: 'another' }).expect(429);
  } finally {
    await limited.close();
  }
});
