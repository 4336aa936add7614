import { UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { ConfirmationsService } from '../../../src/sign-in/index.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { holding, waitersOf } from '../../support/locks.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { useMails } from '../../support/servers/mails.js';
import { pathOf } from '../../support/fixtures/uploads.js';

const RESEND = '/api/v1/svc/accounts/confirmation_resend';
const CONFIRMED = '/auth/sign_in?confirmed=true';
const ZOE = { username: 'zoe', email: 'Zoe@mail.test', password: 'long enough', agreement: true };

const mails = useMails();
const app = useApp({ env: () => ({ SMTP_URL: mails.url }) });

beforeEach(async () => {
  await app.get(SettingsService).update([
    { path: 'instance.account_activation_required', value: true },
    { path: 'captcha.enabled', value: false },
  ]);
});

const register = async (values: Record<string, unknown> = {}) => {
  const answer = await (await app.world.asApp('write:accounts')).post('/api/v1/accounts', { ...ZOE, ...values });
  expect(answer.status).toBe(200);
  await app.drain();
  return answer.body as Record<string, string>;
};
const links = () => mails.all.map(({ text }) => pathOf(/https:\S+confirm_email\S+/.exec(text)![0]));
const isNotHidden = async () => (await app.http.get('/api/v1/accounts/zoe')).status === 200;
const idOfZoe = async () => (await app.get(UsersService).idOfLogin('zoe'))!;
const forgetLetters = () => app.sql(`update email_confirmations set created_at = created_at - interval '61 minutes'`);

describe('a new user with an address to confirm', () => {
  it('gets a mail, opens its link and can then sign in', async () => {
    expect(await register()).toMatchObject({ identifier: 'missing_confirmed_email' });
    expect(mails.to('Zoe@mail.test')).toHaveLength(1);
    expect(mails.all[0]!.headers.get('subject')).toBe('Confirm your address for svc');
    const [link] = links();
    expect(link).toMatch(/^\/api\/account\/confirm_email\/[0-9A-Za-z]{18}\/[\w-]{43}$/);
    expect(await isNotHidden()).toBe(false);
    const users = app.get(UsersService);
    expect((await users.verifyPassword('zoe', ZOE.password))?.state).toBe('unconfirmed');

    const answer = await app.http.get(link!).expect(302);
    expect(answer.headers).toMatchObject({ location: CONFIRMED, 'cache-control': 'no-store' });
    expect((await users.verifyPassword('zoe', ZOE.password))?.state).toBe('ok');
    expect(await isNotHidden()).toBe(true);
    await app.http.get(link!).expect(302); // mail programs open links, too
  });

  it('gets the mail in the language of the sign-up', async () => {
    await register({ language: 'fr' });
    expect(mails.all[0]!.headers.get('subject')).toBe('Confirmez votre adresse pour svc');
  });

  it('gets the mail once the mail server takes it, however many tries failed', async () => {
    mails.refuse('RCPT');
    await register();
    for (let tried = 1; tried < 4; tried += 1) {
      await app.sql('update jobs set run_at = now()');
      await app.drain();
    }
    mails.refuse();
    await app.sql('update jobs set run_at = now()');
    await app.drain();
    expect(mails.all).toHaveLength(1);
    await app.http.get(links()[0]!).expect(302);
    expect((await app.get(UsersService).verifyPassword('zoe', ZOE.password))?.state).toBe('ok');
  });

  it('also waits for approval where approval is required', async () => {
    await app.get(SettingsService).update([{ path: 'instance.account_approval_required', value: true }]);
    await register();
    await app.http.get(links()[0]!).expect(302);
    expect((await app.get(UsersService).verifyPassword('zoe', ZOE.password))?.state).toBe('unapproved');
  });

  it('O22 has a link that is not stored in the database', async () => {
    await register();
    const token = links()[0]!.split('/').at(-1)!;
    const [row] = await app.sql<{ text: string }>(`select string_agg(c::text, ' ') as text from email_confirmations c`);
    expect(row!.text).not.toContain(token);
  });
});

describe('a confirmation mail', () => {
  it('is not sent where addresses need no confirmation', async () => {
    await app.get(SettingsService).update([{ path: 'instance.account_activation_required', value: false }]);
    await register();
    await app.world.person('alice');
    await app.drain();
    expect(mails.all).toEqual([]);
  });
});

it('O25 a confirmation mail is not sent to an address that the account has no longer when the link is stored', async () => {
  await register();
  const id = await idOfZoe();
  mails.all.length = 0;
  await holding(app, async (holder) => {
    await holder.query('select from accounts where id = $1 for update', [id]);
    await holder.query(`update users set email = 'right@mail.test' where account_id = $1`, [id]);
    const sending = app.get(ConfirmationsService).send({ accountId: id });
    await waitersOf(holder, 1);
    await holder.query('commit');
    await sending;
  });
  expect(mails.all).toEqual([]);
});

describe('a confirmation link', () => {
  const refused = async (path: string) => {
    expect((await app.http.get(path).expect(400)).body).toEqual({ error: 'Invalid confirmation link' });
    expect(await isNotHidden()).toBe(false);
  };

  it('is valid only for its account, and for a week', async () => {
    const { id: other } = await app.world.person('alice');
    await register();
    const link = links()[0]!;
    const [, , , , account, token] = link.split('/') as [string, string, string, string, string, string];
    await refused(link.replace(account, other));
    await refused(link.replace(account, 'x'));
    await refused(link.replace(token, 'x'.repeat(43)));
    await app.sql(`update email_confirmations set created_at = now() - interval '7 days'`);
    await refused(link);
    await app.get(ConfirmationsService).purge();
    expect(await app.sql('select from email_confirmations')).toEqual([]);
  });

  it('is valid only for the address of the mail', async () => {
    await register();
    await app.sql(`update users set email = 'other@mail.test' where email = 'Zoe@mail.test'`);
    await refused(links()[0]!);
  });

  it('stays valid when only the case of the address changes, of which nobody gets a notice', async () => {
    await register();
    await app.get(ConfirmationsService).change(await idOfZoe(), 'zoe@mail.test');
    await app.drain();
    expect(mails.all).toHaveLength(1);
    await app.http.get(links()[0]!).expect(302);
    expect(await isNotHidden()).toBe(true);
  });

  it('confirms nothing on HEAD requests of programs that check links', async () => {
    await register();
    const [link] = links();
    expect((await app.http.head(link!).expect(302)).headers).toMatchObject({
      location: CONFIRMED,
      'cache-control': 'no-store',
    });
    expect(await isNotHidden()).toBe(false);
    await app.http.head(link!.replace(/[^/]+$/, 'x'.repeat(43))).expect(400);
    await app.http.get(link!).expect(302);
    expect(await isNotHidden()).toBe(true);
  });

  it('leads to an explanation when it is invalid', async () => {
    const path = '/api/account/confirm_email/x/y';
    const page = await app.http.get(path).set('Accept', 'text/html').set('Accept-Language', 'de').expect(400);
    expect(page.type).toBe('text/html');
    expect(page.text).toContain('Dieser Link funktioniert nicht');
  });
});

describe('the page that sends the letter again', () => {
  it('is found from an invalid link and after a sign-in, and answers the same for every name', async () => {
    await register();
    const visit = new BrowserVisit(app);
    const link = 'href="/auth/confirmation"';
    expect((await visit.get('/api/account/confirm_email/x/y')).text).toContain(link);
    await visit.get('/auth/sign_in');
    expect((await visit.submit({ name: 'zoe', password: ZOE.password })).text).toContain(link);
    const answers = [];
    for (const login of ['zoe', 'nobody', '']) {
      await visit.get('/auth/confirmation');
      const { status, text } = await visit.submit({ login });
      answers.push([status, text]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual([200, expect.stringContaining('Look into your mailbox')]);
    await app.drain();
    expect(mails.all).toHaveLength(2);
    const confirmed = await visit.get((await visit.get(links().at(-1)!)).headers.location!);
    expect([confirmed.status, confirmed.text]).toEqual([200, expect.stringContaining('You can sign in now.')]);
  });

  it('sends nothing for a form of another site', async () => {
    await register();
    const foreign = { origin: 'https://evil.test' };
    expect((await new BrowserVisit(app).post('/auth/confirmation', { login: 'zoe' }, foreign)).status).toBe(403);
    await app.drain();
    expect(mails.all).toHaveLength(1);
  });
});

describe('a request for another confirmation mail', () => {
  const ask = async (values: Record<string, string>, path = RESEND) => {
    const answer = await app.http.post(path).query(values);
    expect([answer.status, answer.text]).toEqual([204, '']);
    await app.drain();
  };

  it.each([
    [{ email: 'zoe@mail.test' }, RESEND],
    [{ nickname: 'ZOE' }, RESEND],
    [{ email: 'zoe@mail.test' }, '/api/svc/accounts/confirmation_resend'],
  ])('by %j sends another mail, and both links are valid', async (values, path) => {
    await register();
    await ask(values, path);
    expect(mails.all).toHaveLength(2);
    const [first, second] = links();
    expect(first).not.toBe(second);
    await app.http.get(first!).expect(302);
    await app.http.get(second!).expect(302);
  });

  it('gets the same answer, without a mail, when no user needs one', async () => {
    await app.world.person('alice');
    await register();
    await app.sql('update accounts set deactivated_at = now() where nickname = $1', ['zoe']);
    mails.all.length = 0;
    for (const values of [
      { nickname: 'alice' },
      { email: 'nobody@mail.test' },
      { nickname: 'zoe' },
      { email: '' },
      {},
    ]) {
      await ask(values);
    }
    expect(mails.all).toEqual([]);
  });

  it('O13 is limited for each user', async () => {
    await register();
    for (let time = 0; time < 5; time += 1) await ask({ nickname: 'zoe' });
    expect(mails.all).toHaveLength(3);
    await forgetLetters();
    await ask({ nickname: 'zoe' });
    expect(mails.all).toHaveLength(4);
  });

  it('is refused with values of other types', async () => {
    await app.http
      .post(RESEND)
      .send({ email: { a: 'b' } })
      .expect(400);
    await app.http
      .post(RESEND)
      .send({ nickname: ['x'] })
      .expect(400);
  });
});

it('O13 requests for confirmation mails are limited for each address', async () => {
  const limited = await startApp({ RATE_LIMITS: 'auth-only' });
  try {
    const statuses: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      statuses.push((await limited.http.post(RESEND).query({ nickname: `nobody${time}` })).status);
    }
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
  } finally {
    await limited.close();
  }
});

describe('/api/v1/emails', () => {
  beforeEach(() => app.world.persons('alice'));

  it('says that the address of a user with a token is confirmed, so no letter is sent again', async () => {
    const alice = await app.world.as('alice');
    expect((await alice.get('/api/v1/emails/check_confirmation').expect(200)).body).toBe(true);
    for (const body of [{}, { email: 'other@mail.test' }]) {
      const error = 'This method is only available while the e-mail is awaiting confirmation';
      await alice.post('/api/v1/emails/confirmations', body).expect(403, { error });
    }
    await app.drain();
    expect(mails.all).toEqual([]);
    const [user] = await app.sql<{ email: string }>('select email from users');
    expect(user!.email).toBe('alice@mail.test');
  });

  it('refuses tokens without a user', async () => {
    const phone = await app.world.asApp('read', 'write');
    await phone.get('/api/v1/emails/check_confirmation').expect(401);
    await phone.post('/api/v1/emails/confirmations').expect(401);
  });
});
