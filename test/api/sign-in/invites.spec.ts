import { SettingsService } from '../../../src/config/index.js';
import { InvitesService } from '../../../src/sign-in/index.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { OauthClient } from '../../support/fixtures/oauth.js';
import { ok } from '../../support/fixtures/statuses.js';
import { pathOf } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';
import { useMails } from '../../support/servers/mails.js';

const USERS = '/api/v1/svc/admin/users';
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const PASSWORD = 'a long password';
const ADMIN_TOKEN = 'a token for programs';

type Values = Record<string, unknown>;

interface Invite {
  readonly id: number;
  readonly token: string;
  readonly used: boolean;
  readonly uses: number;
}

const mails = useMails();
const app = useApp({ env: () => ({ SMTP_URL: mails.url, ADMIN_TOKEN }) });
let root: Client;
let appToken: string;

beforeEach(async () => {
  await configure({ open: false, invites: true });
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin:read:invites', 'admin:write:invites');
  const oauth = new OauthClient(app);
  appToken = (await oauth.ofApp(await oauth.register('read write'))).access_token;
});

const SETTINGS = [
  'instance.registrations_open',
  'instance.invites_enabled',
  'captcha.enabled',
  'rate_limit.app_account_creation',
] as const;
const configure = ({ open, invites }: { open: boolean; invites: boolean }) => {
  const values = [open, invites, false, [60_000, 1_000]];
  return app.get(SettingsService).update(SETTINGS.map((path, at) => ({ path, value: values[at] })));
};
const create = (limits: Values = {}) => ok<Invite>(root.post(`${USERS}/invite_token`, limits));
const invites = async () => (await ok<{ invites: Invite[] }>(root.get(`${USERS}/invites`))).invites;
const signUp = (username: string, token?: string) =>
  app.http
    .post('/api/v1/accounts')
    .set('authorization', `Bearer ${appToken}`)
    .send({ username, password: PASSWORD, agreement: true, token });
const statusOf = async (username: string, token?: string) => (await signUp(username, token)).status;

describe('an invite', () => {
  it.each([
    ['one_time', {}, [200, 400], true],
    ['reusable', { max_use: 2 }, [200, 200, 400], true],
    ['date_limited', { expires_at: TOMORROW }, [200, 200, 200], false],
    ['reusable_date_limited', { max_use: '1', expires_at: TOMORROW }, [200, 400], true],
  ])('of the kind %s allows sign-ups within its limits', async (type, limits, statuses, used) => {
    const { id, token, ...rest } = await create(limits);
    const { max_use, expires_at } = { max_use: null, expires_at: null, ...limits };
    const max = max_use === null ? null : Number(max_use);
    expect(rest).toEqual({ used: false, uses: 0, expires_at, max_use: max, invite_type: type });
    for (const [at, status] of statuses.entries()) expect(await statusOf(`mo${at}`, token)).toBe(status);
    const uses = statuses.filter((status) => status === 200).length;
    expect(await invites()).toEqual([{ ...rest, id, token, uses, used }]);
  });

  it('A10 creates one account for 20 simultaneous sign-ups when it may be used once', async () => {
    const { token } = await create({ max_use: 1 });
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, at) => statusOf(`mo${at}`, token)));
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
    expect(await app.sql(`select from accounts where nickname like 'mo%'`)).toHaveLength(1);
    expect(await invites()).toMatchObject([{ uses: 1, used: true }]);
  });

  it('A10 is invalid after its last day or its revocation, and a refused sign-up does not use it up', async () => {
    const { token } = await create({ expires_at: TOMORROW });
    await app.sql(`update invites set expires_at = (now() at time zone 'utc')::date - 1`);
    expect((await signUp('mo', token).expect(400)).body).toMatchObject({ error: '{"token":["is invalid"]}' });
    const other = (await create()).token;
    expect(await statusOf('root', other)).toBe(400);
    expect(await ok(root.post(`${USERS}/revoke_invite`, { token: other }))).toMatchObject({ uses: 0, used: true });
    expect(await statusOf('mo', other)).toBe(400);
    expect((await root.post(`${USERS}/revoke_invite`, { token: 'x' }).expect(404)).body).toEqual({
      error: 'Not found',
    });
  });

  it('is needed only while registration is closed and invites are enabled', async () => {
    const { token } = await create();
    expect((await signUp('mo').expect(400)).body).toMatchObject({ error: `{"token":["can't be blank"]}` });
    await configure({ open: false, invites: false });
    expect((await signUp('mo', token).expect(400)).body).toMatchObject({ error: '{"registrations":["are closed"]}' });
    await configure({ open: true, invites: true });
    await signUp('mo', token).expect(200);
    expect(await invites()).toMatchObject([{ uses: 0, used: false }]);
  });

  it('is refused with an invalid limit', async () => {
    for (const limits of [{ max_use: 0 }, { max_use: 'x' }, { expires_at: '2030-02-30' }, { expires_at: '2001-01-01' }])
      expect((await root.post(`${USERS}/invite_token`, limits)).status).toBe(400);
    expect(await invites()).toEqual([]);
  });

  it('O22 is not stored in plain text, and is removed 90 days after its end', async () => {
    const { token } = await create();
    const [row] = await app.sql<{ text: string }>(`select i::text as text from invites i`);
    expect(row!.text).not.toContain(Buffer.from(token).toString('hex'));
    await app.sql(`update invites set ended_at = now() - interval '91 days'`);
    await app.get(InvitesService).purge();
    expect(await invites()).toEqual([]);
  });
});

describe('the page of an invite', () => {
  it('creates an account in the browser, and the invite stays valid after a mistake', async () => {
    const { token } = await create();
    const visit = new BrowserVisit(app);
    expect((await visit.get('/auth/sign_up')).text).toContain('New accounts need an invitation.');
    const page = await visit.get(`/registration/${token}`);
    expect([page.status, page.headers['referrer-policy'], page.headers['cache-control']]).toEqual([
      200,
      'same-origin',
      'no-store',
    ]);
    const person = { username: 'ada', email: 'ada@mail.test', password: 'x', agreement: 'true' };
    expect((await visit.submit(person)).text).toMatch(/name="agreement" value="true" required checked/);
    const unticked = (await visit.submit({ ...person, agreement: '' })).text;
    expect(unticked).toMatch(/aria-describedby="agreement-error"/);
    expect(unticked).not.toContain('checked');
    expect((await visit.submit({ ...person, password: PASSWORD })).status).toBe(303);
    const again = await visit.get(`/registration/${token}`);
    expect([again.status, again.text.includes('This invitation does not work')]).toEqual([404, true]);
  });

  it('says that invites are off, also to somebody who sends the form late', async () => {
    const { token } = await create();
    const visit = new BrowserVisit(app);
    await visit.get(`/registration/${token}`);
    await configure({ open: false, invites: false });
    const off = 'This server takes no invitations at the moment.';
    const pages = [
      await visit.submit({ username: 'ada', email: '', password: PASSWORD, agreement: 'true' }),
      await visit.get(`/registration/${token}`),
      await visit.get('/registration/unknown'),
    ];
    expect(pages.map(({ status, text }) => [status, text.includes(off)])).toEqual([
      [422, true],
      [404, true],
      [404, true],
    ]);
  });
});

describe('a mail with an invite', () => {
  const mail = (values: Values) => root.post(`${USERS}/email_invite`, values);

  it('contains a link to sign up once', async () => {
    expect((await mail({ email: 'ada@mail.test', name: 'Ada' }).expect(204)).text).toBe('');
    await app.drain();
    const [letter] = mails.to('ada@mail.test');
    expect(letter?.text).toContain('Hello Ada');
    const page = pathOf(/https:\S+registration\S+/.exec(letter!.text)![0]);
    expect((await app.http.get(page).expect(200)).text).toContain('name="token"');
    expect(await invites()).toMatchObject([{ invite_type: 'one_time', used: false }]);
  });

  it('is sent for a program with the admin token, in the name of the server', async () => {
    const operator = app.http.post(`${USERS}/email_invite`).set('x-admin-token', ADMIN_TOKEN);
    await operator.send({ email: 'ada@mail.test', name: 'Ada' }).expect(204);
    await app.drain();
    expect(mails.to('ada@mail.test')[0]?.text).toContain('You are invited to');
  });

  it('is sent from the page of invites', async () => {
    const visit = await new BrowserVisit(app).signIn('root');
    await visit.get('/app/staff/invites');
    const fields = { _csrf: visit.field('_csrf')!, email: 'ada@mail.test', name: 'Ada' };
    expect((await visit.post('/app/staff/invites/mail', fields)).status).toBe(200);
    await app.drain();
    expect(mails.to('ada@mail.test')[0]?.text).toContain('Hello Ada');
  });

  it.each([
    [{ open: true, invites: true }, 'To send invites you need to set the `registrations_open` option to false.'],
    [{ open: false, invites: false }, 'To send invites you need to set the `invites_enabled` option to true.'],
  ])('is refused with the settings %j', async (settings, error) => {
    await configure(settings);
    expect((await mail({ email: 'ada@mail.test' }).expect(400)).body).toEqual([{ error }]);
    expect(await invites()).toEqual([]);
  });

  it('is refused for an invalid address', async () => {
    expect((await mail({ email: 'a@b@c' }).expect(400)).body).toEqual([{ error: 'email has invalid format' }]);
    await mail({}).expect(400, { error: 'email is missing' });
  });
});
