import { type SettingPath, SettingsService } from '../../../src/config/index.js';
import { TokenShape } from '../../../src/oauth/index.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { type ClientKeys, OauthClient, type TokenAnswer } from '../../support/fixtures/oauth.js';
import { checkShape } from '../../support/shape.js';

interface Refusal {
  readonly error: string;
  readonly details: Record<string, { readonly error: string; readonly description: string }[]>;
}

const PATH = '/api/v1/accounts';
const DAY_MS = 86_400_000;

describe('signing up', () => {
  const app = useApp();
  const oauth = new OauthClient(app);
  let client: ClientKeys;
  let token: string;

  beforeEach(async () => {
    await set('captcha.enabled', false);
    client = await oauth.register('read write follow push admin');
    token = (await oauth.ofApp(client)).access_token;
  });

  const valid = { username: 'mo', password: 'correct horse', agreement: true };
  const signUp = (values: object, by = token) => app.http.post(PATH).set('authorization', `Bearer ${by}`).send(values);
  const accounts = () => app.sql<{ nickname: string }>('select nickname from accounts');

  async function set(path: SettingPath, value: unknown): Promise<void> {
    await app.get(SettingsService).update([{ path, value }]);
  }

  /** Expects a refusal whose error is JSON, as web frontends read it; returns the messages. */
  async function refused(values: object): Promise<Record<string, string[]>> {
    const body = (await signUp(values).expect(400)).body as Refusal;
    const messages = JSON.parse(body.error) as Record<string, string[]>;
    const described = Object.entries(body.details).map(([field, all]) => [field, all.map((one) => one.description)]);
    expect(Object.fromEntries(described)).toEqual(messages);
    return messages;
  }

  it('returns a token of the new account, without admin scopes', async () => {
    const answer = await signUp({ ...valid, email: 'mo@mail.test', fullname: 'Mo', bio: 'hello' }).expect(200);
    const body = answer.body as TokenAnswer;
    expect(checkShape(TokenShape, body)).toEqual([]);
    expect(body).toMatchObject({ me: 'https://svc.test/users/mo', scope: 'read write follow push' });
    expect(answer.headers['cache-control']).toBe('no-store');
    const own = await app.http.get(`${PATH}/verify_credentials`).set('authorization', `Bearer ${body.access_token}`);
    expect(own.body).toMatchObject({ username: 'mo', display_name: 'Mo', source: { note: 'hello' } });
    await oauth.refresh(client, body.refresh_token).expect(200);
  });

  it('names the texts that a policy refuses', async () => {
    await set('mrf.policies', ['KeywordPolicy']);
    await set('mrf_keyword.reject', ['casino']);
    try {
      const messages = await refused({ ...valid, fullname: 'casino', bio: 'my casino' });
      expect(Object.keys(messages).sort()).toEqual(['bio', 'fullname']);
      expect(await accounts()).toEqual([]);
    } finally {
      for (const path of ['mrf.policies', 'mrf_keyword.reject'] as const) await app.get(SettingsService).reset(path);
    }
  });

  it('U3 treats an invisible name as empty', async () => {
    await signUp({ ...valid, fullname: ' \u200b\u2060\ufeff\u3164' }).expect(200);
    expect(await app.sql('select display_name from accounts')).toEqual([{ display_name: '' }]);
  });

  it('accepts forms and a missing e-mail address', async () => {
    const form = { username: 'mo', password: 'correct horse', agreement: 'true', email: '' };
    await app.http.post(PATH).set('authorization', `Bearer ${token}`).type('form').send(form).expect(200);
    await oauth.token(client, { grant_type: 'password', username: 'mo', password: 'correct horse' }).expect(200);
  });

  it('V13 ignores roles in the form', async () => {
    await signUp({ ...valid, is_admin: true, isAdmin: true, is_moderator: true, id: 'x', roles: ['admin'] }).expect(
      200,
    );
    expect(await app.sql('select is_admin, is_moderator from users')).toEqual([
      { is_admin: false, is_moderator: false },
    ]);
  });

  it('requires the token of an app with the scope', async () => {
    await app.http.post(PATH).send(valid).expect(401);
    await signUp(valid, 'unknown').expect(401);
    const other = (await oauth.ofApp(client, { scope: 'read write:statuses' })).access_token;
    await signUp(valid, other).expect(403, { error: 'Insufficient permissions: write:accounts.' });
    expect(await accounts()).toEqual([]);
    await signUp(valid, (await oauth.ofApp(client, { scope: 'write:accounts' })).access_token).expect(200);
  });

  it.each<[string, readonly string[]]>([
    ['with the scope', ['write:accounts']],
    ['with all scopes', ['read', 'write', 'follow', 'push']],
    ['without the scope', ['read']],
  ])('refuses the token of a user %s', async (_case, scopes) => {
    await app.world.person('alice');
    const person = await app.world.as('alice', ...scopes);
    for (const form of [valid, { ...valid, agreement: 'false' }, {}]) {
      await person.post(PATH, form).expect(403, { error: 'Invalid credentials' });
    }
    expect(await accounts()).toEqual([{ nickname: 'alice' }]);
  });

  it('names the invalid fields, as JSON in the error', async () => {
    const answer = await signUp({ ...valid, agreement: 'false' }).expect(400);
    expect(answer.body).toEqual({
      error: '{"agreement":["must be accepted"]}',
      details: { agreement: [{ error: 'ERR_ACCEPTED', description: 'must be accepted' }] },
    });
    expect(await refused({ ...valid, password: '' })).toEqual({ password: ["can't be blank"] });
    const short = await signUp({ ...valid, password: '1234567' }).expect(400);
    expect(short.body).toMatchObject({
      details: { password: [{ error: 'ERR_TOO_SHORT', description: 'should be at least 8 character(s)' }] },
    });
    expect(Object.keys(await refused({ ...valid, username: undefined }))).toEqual(['username']);
    expect(Object.keys(await refused({ ...valid, fullname: 'x'.repeat(101), email: 'a@b@c' }))).toEqual([
      'email',
      'fullname',
    ]);
    expect(Object.keys(await refused({ ...valid, reason: 'x'.repeat(501), bio: 'x'.repeat(5001) }))).toEqual([
      'bio',
      'reason',
    ]);
    expect(await accounts()).toEqual([]);
  });

  it.each(['admin', 'Relay', 'svc', 'a b', 'mö', 'a\r\nb', '../x', 'x'.repeat(31), ''])(
    'refuses the name %j',
    async (username) => {
      expect(Object.keys(await refused({ ...valid, username }))).toEqual(['username']);
      expect(await accounts()).toEqual([]);
    },
  );

  it('reports long texts like other invalid fields, and accepts the configured lengths', async () => {
    const long = 'x'.repeat(30_000);
    for (const field of ['username', 'email', 'password', 'fullname', 'bio', 'reason', 'birthday']) {
      expect(Object.keys(await refused({ ...valid, [field]: long }))).toEqual([field]);
    }
    await set('captcha.enabled', true);
    const captcha = { captcha_token: long, captcha_solution: long, captcha_answer_data: long };
    expect(await refused({ ...valid, ...captcha })).toEqual({ captcha: ['is invalid'] });
    await set('captcha.enabled', false);
    await set('instance.user_bio_length', 30_000);
    await set('instance.user_name_length', 30_000);
    await set('instance.registration_reason_length', 30_000);
    const answer = await signUp({ ...valid, fullname: long, bio: long, reason: long, language: long }).expect(200);
    const { access_token: key } = answer.body as TokenAnswer;
    const shown = await app.http.get(`${PATH}/verify_credentials`).set('authorization', `Bearer ${key}`).expect(200);
    expect(shown.body).toMatchObject({ display_name: long, source: { note: long } });
  });

  it('O23 refuses malformed and used e-mail addresses', async () => {
    await signUp({ ...valid, email: 'mo@mail.test' }).expect(200);
    for (const email of [
      'a@b@c',
      '"a b"@mail.test',
      'a@mail.test\r\nBcc: b@mail.test',
      'a@localhost',
      'MO@mail.TEST',
    ]) {
      expect(Object.keys(await refused({ ...valid, username: 'other', email }))).toEqual(['email']);
    }
    expect(await accounts()).toEqual([{ nickname: 'mo' }]);
  });

  it('D3 creates one account for twelve simultaneous requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => signUp({ ...valid, username: i % 2 === 0 ? 'mo' : 'MO' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 11 }, () => 400)]);
    for (const { body } of answers.filter(({ status }) => status === 400)) {
      expect((body as Refusal).error).toBe('{"username":["has already been taken"]}');
    }
    expect(await accounts()).toHaveLength(1);
  });

  it('waits for approval or confirmation where they are required', async () => {
    await set('instance.account_approval_required', true);
    const waiting = { identifier: 'awaiting_approval', message: expect.any(String) };
    expect((await signUp({ ...valid, reason: 'please' }).expect(200)).body).toEqual(waiting);
    const login = { grant_type: 'password', username: 'mo', password: valid.password };
    expect((await oauth.token(client, login).expect(403)).body).toMatchObject({ identifier: 'awaiting_approval' });
    expect(await app.sql('select registration_reason from users')).toEqual([{ registration_reason: 'please' }]);
    await set('instance.account_activation_required', true);
    expect(await refused({ ...valid, username: 'jo' })).toEqual({ email: ["can't be blank"] });
    const unconfirmed = { identifier: 'missing_confirmed_email', message: expect.any(String) };
    expect((await signUp({ ...valid, username: 'jo', email: 'jo@mail.test' }).expect(200)).body).toEqual(unconfirmed);
  });

  it('is refused where registration is closed', async () => {
    await set('instance.registrations_open', false);
    expect(await refused(valid)).toEqual({ registrations: ['are closed'] });
    expect(await accounts()).toEqual([]);
  });

  it.each([true, false])(
    'requires a birthday where a least age is set, and birthdays are required: %s',
    async (isRequired) => {
      await set('instance.birthday_required', isRequired);
      await set('instance.birthday_min_age', 6570);
      const { body } = await app.http.get('/api/v1/instance').expect(200);
      expect(body).toMatchObject({ svc: { metadata: { birthday_required: true } } });
      const today = new Date().toISOString().slice(0, 10);
      const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
      for (const birthday of [undefined, '', today, tomorrow, '1990-02-30', '0000-01-01', '1990', 'x']) {
        expect(Object.keys(await refused({ ...valid, birthday }))).toEqual(['birthday']);
      }
      expect(await accounts()).toEqual([]);
      await signUp({ ...valid, birthday: '1990-02-28' }).expect(200);
      const whole = [{ birthday: '1990-02-28', version: 1 }]; // complete at once: nothing is added later
      expect(await app.sql('select birthday, version from accounts')).toEqual(whole);
    },
  );

  it('stores the given language, or the preference of the browser', async () => {
    const localeOf = async (username: string) =>
      (
        await app.sql<{ locale: string }>(
          'select u.locale from users u join accounts a on a.id = u.account_id where nickname = $1',
          [username],
        )
      )[0]!.locale;
    await signUp({ ...valid, username: 'a', language: 'pt-BR', locale: 'de' }).expect(200);
    await signUp({ ...valid, username: 'b', language: 'en\r\nX: y' })
      .set('cookie', 'userLanguage=eo')
      .expect(200);
    await signUp({ ...valid, username: 'c' })
      .set('accept-language', 'fr;q=0.3, nl;q=0.8')
      .expect(200);
    await signUp({ ...valid, username: 'd', language: 'EN-us' })
      .set('accept-language', 'fr')
      .expect(200);
    await signUp({ ...valid, username: 'e', locale: 'PT_br' })
      .set('accept-language', 'fr')
      .expect(200);
    const languages = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(localeOf));
    expect(languages).toEqual(['pt-BR', 'eo', 'nl', 'EN-us', 'PT-br']);
  });

  it('H5 refuses fields of other types', async () => {
    expect(await signUp({})).toMatchObject({ status: 400, body: { error: 'Missing parameters' } });
    for (const username of [{}, ['a', 'b'], 5]) expect((await signUp({ ...valid, username })).status).toBe(400);
    expect(await accounts()).toEqual([]);
  });
});

describe('frequent registration', () => {
  it('is limited for each address', async () => {
    const app = await startApp({ RATE_LIMITS: 'on' });
    try {
      const token = (await app.world.asApp('write')).token;
      const signUp = () => app.http.post(PATH).set('authorization', `Bearer ${token}`).send({});
      for (let i = 0; i < 25; i += 1) await signUp().expect(400);
      await signUp().expect(429, { error: 'Throttled' });
    } finally {
      await app.close();
    }
  });
});
