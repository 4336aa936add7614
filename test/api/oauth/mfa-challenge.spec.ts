import { UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { TokenShape } from '../../../src/oauth/index.js';
import { MfaService, PasswordsService } from '../../../src/sign-in/index.js';
import { enableMfa, type KnownFactor, wrongCode } from '../../support/fixtures/mfa.js';
import { type ClientKeys, OauthClient, type TokenAnswer } from '../../support/fixtures/oauth.js';
import { PASSWORD } from '../../support/fixtures/world.js';
import { type TestApp, useApp } from '../../support/servers/app.js';
import { useMails } from '../../support/servers/mails.js';
import { checkShape } from '../../support/shape.js';

const INVALID = { error: 'Invalid code' };
const TRIES = 5;

let app: TestApp;
let oauth: OauthClient;
let client: ClientKeys;
let factor: KnownFactor;

/** The server of a `describe`. */
function usePeople(env: () => Record<string, string> = () => ({})): void {
  const started = useApp({ people: ['alice', 'bob'], env });
  beforeEach(async () => {
    app = started;
    oauth = new OauthClient(app);
    client = await oauth.register();
    factor = await enableMfa(app, 'alice');
  });
}

const login = (username = 'alice', values: Record<string, string> = {}) =>
  oauth.token(client, { grant_type: 'password', username, password: PASSWORD, ...values });

/** The token of a new challenge. */
async function challenge(username = 'alice', values: Record<string, string> = {}): Promise<string> {
  const { mfa_token } = (await login(username, values).expect(403)).body as { mfa_token: string };
  return mfa_token;
}

function answer(mfa_token: string, code: string, values: Record<string, string> = {}, address = '192.0.2.1') {
  return app.http
    .post('/oauth/mfa/challenge')
    .set('x-forwarded-for', address)
    .type('form')
    .send({ ...client, mfa_token, challenge_type: 'totp', code, ...values });
}

const recover = (mfa_token: string, code: string, address?: string) =>
  answer(mfa_token, code, { challenge_type: 'recovery' }, address);
const wrong = () => wrongCode(factor.key);
const right = () => factor.nextCode;

describe('signing in with a second factor', () => {
  usePeople();

  it('requires a code after the password', async () => {
    const refused = await login('alice', { scope: 'read:accounts' }).expect(403);
    const { mfa_token } = refused.body as { mfa_token: string };
    expect(mfa_token).toMatch(/^[\w-]{43}$/);
    expect(refused.body).toEqual({ error: 'mfa_required', mfa_token, supported_challenge_types: ['totp'] });
    expect(refused.headers['cache-control']).toBe('private, no-store');
    const accepted = await answer(mfa_token, right()).expect(200);
    expect(checkShape(TokenShape, accepted.body)).toEqual([]);
    expect(accepted.body).toMatchObject({ scope: 'read:accounts', me: 'https://svc.test/users/alice' });
    expect(accepted.headers['cache-control']).toBe('no-store');
    expect(await oauth.statusOf((accepted.body as TokenAnswer).access_token)).toBe(200);
  });

  it('accepts a recovery code, and client credentials by HTTP Basic', async () => {
    const body = { mfa_token: await challenge(), challenge_type: 'recovery', code: factor.recoveryCodes[0]! };
    const { client_id, client_secret } = client;
    await app.http.post('/oauth/mfa/challenge').auth(client_id, client_secret).send(body).expect(200);
    await recover(await challenge(), factor.recoveryCodes[0]!).expect(400, INVALID);
    await recover(await challenge(), factor.recoveryCodes[1]!).expect(200);
  });

  it('is required only of accounts with a second factor', async () => {
    await login('bob').expect(200);
    await app.get(MfaService).remove(app.world.id('alice'));
    await login('alice').expect(200);
  });

  it('O12 is revealed only after the right password', async () => {
    const refused = { error: 'invalid_grant', error_description: 'Invalid credentials' };
    await login('alice', { password: 'wrong' }).expect(400, refused);
  });

  it('O16 gives no access before the code', async () => {
    const token = await challenge();
    expect(await oauth.statusOf(token)).toBe(401);
    const rows = await app.sql<{ row: string }>('select c::text as row from mfa_challenges c');
    expect(rows).toHaveLength(1);
    expect(rows[0]!.row).not.toContain(token);
    expect(rows[0]!.row).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('O16 accepts each challenge and each code once, even for simultaneous requests', async () => {
    const token = await challenge();
    const codes = [right(), ...factor.recoveryCodes.slice(0, 3)];
    const answers = await Promise.all(codes.map((code, at) => (at === 0 ? answer(token, code) : recover(token, code))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    const left = await app.sql<{ codes: number }>('select count(*)::int as codes from recovery_codes');
    expect(left[0]!.codes).toBe(answers[0]!.status === 200 ? 5 : 4); // the other codes stay valid
    await recover(token, factor.recoveryCodes[4]!).expect(400, INVALID);
    if (answers[0]!.status !== 200) await answer(await challenge(), right()).expect(200);
    await answer(await challenge(), right()).expect(400, INVALID);
  });

  it('O16 accepts only codes of the account of the challenge', async () => {
    const other = await enableMfa(app, 'bob');
    await answer(await challenge('alice'), other.nextCode).expect(400, INVALID);
    await recover(await challenge('alice'), other.recoveryCodes[0]!).expect(400, INVALID);
    await answer(await challenge('bob'), other.nextCode).expect(200);
  });

  it('O16 ends after several wrong codes, even for simultaneous requests', async () => {
    const token = await challenge();
    for (let i = 1; i < TRIES; i += 1) await answer(token, wrong()).expect(400, INVALID);
    await answer(token, right()).expect(200);
    const second = await challenge();
    await Promise.all(Array.from({ length: 2 * TRIES }, () => answer(second, wrong()).expect(400, INVALID)));
    await recover(second, factor.recoveryCodes[0]!).expect(400, INVALID);
    await recover(await challenge(), factor.recoveryCodes[0]!).expect(200);
  });

  it('O16 ends after five minutes', async () => {
    const token = await challenge();
    const [row] = await app.sql<{ seconds: number }>(
      'select extract(epoch from expires_at - now())::float as seconds from mfa_challenges',
    );
    expect(row!.seconds).toBeGreaterThan(200);
    expect(row!.seconds).toBeLessThanOrEqual(300);
    await app.sql('update mfa_challenges set expires_at = now()');
    await answer(token, right()).expect(400, INVALID);
  });

  it('O4 accepts only the app that started the challenge', async () => {
    const token = await challenge();
    const other = await oauth.register();
    for (const keys of [{ ...other }, { client_secret: 'wrong' }, { client_id: 'unknown' }]) {
      await answer(token, right(), keys).expect(400, INVALID);
    }
    for (const missing of ['client_id', 'mfa_token', 'challenge_type', 'code']) {
      await answer(token, right(), { [missing]: '' }).expect(400, INVALID);
    }
    await answer(token, right(), { challenge_type: 'sms' }).expect(400, INVALID);
    await answer('unknown', right()).expect(400, INVALID);
    await answer(token, right()).expect(200);
  });

  it('O10 ends with a password change', async () => {
    const token = await challenge();
    await app.get(PasswordsService).reset(app.world.id('alice'), 'another password');
    await answer(token, right()).expect(400, INVALID);
    expect(await app.sql('select from mfa_challenges')).toEqual([]);
  });

  it('O10 is refused for an account that was deactivated in the meantime', async () => {
    const token = await challenge();
    await app.get(UsersService).setActive(app.world.id('alice'), false);
    const refused = { error: 'Your account is currently disabled', identifier: 'account_is_disabled' };
    await answer(token, right()).expect(403, refused);
    await answer(token, wrong()).expect(400, INVALID);
    await app.get(UsersService).setActive(app.world.id('alice'), true);
    await answer(token, right()).expect(200);
  });
});

describe('the protection of the second factor', () => {
  const LIMIT = 6;
  const HOME = '198.51.100.1';
  let last = 0;

  const mails = useMails();
  usePeople(() => ({ RATE_LIMITS: 'auth-only', TRUSTED_PROXIES: '127.0.0.1,::1', SMTP_URL: mails.url }));
  beforeEach(async () => {
    await app.get(SettingsService).update([{ path: 'rate_limit.authentication', value: [3_600_000, LIMIT] }]);
  });

  const anywhere = () => `100.64.${(last += 1)}.1`;

  /** Sends wrong codes, each from another network and for a new challenge. */
  async function guess(count: number, from = anywhere): Promise<number[]> {
    const statuses: number[] = [];
    for (let i = 0; i < count; i += 1) statuses.push((await answer(await challenge(), wrong(), {}, from())).status);
    return statuses;
  }

  it('O16 O27 limits wrong codes of all unknown networks together, and does not lock out the owner', async () => {
    await answer(await challenge(), right(), {}, HOME).expect(200);
    expect(await guess(LIMIT + 2)).toEqual([...Array.from({ length: LIMIT }, () => 400), 429, 429]);
    await app.sql('update second_factors set last_step = 0');
    const { headers } = await answer(await challenge(), right(), {}, anywhere()).expect(429, { error: 'Throttled' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await answer(await challenge(), right(), {}, HOME).expect(200);
    await recover(await challenge(), factor.recoveryCodes[0]!, anywhere()).expect(200);
  });

  it('O16 also limits wrong codes of a known network, and right codes do not count', async () => {
    for (let i = 0; i < LIMIT; i += 1) {
      await app.sql('update second_factors set last_step = 0');
      await answer(await challenge(), right(), {}, HOME).expect(200);
    }
    expect(await guess(LIMIT + 1, () => HOME)).toEqual([...Array.from({ length: LIMIT }, () => 400), 429]);
  });

  it('O27 notifies the owner of guessing at most once a day', async () => {
    await app.drain();
    const before = mails.to('alice@mail.test').length;
    await guess(LIMIT + 2);
    await app.drain();
    const letters = mails.to('alice@mail.test').slice(before);
    expect(letters.map(({ headers }) => headers.get('subject'))).toEqual([
      'Someone is guessing the codes of your account on svc',
    ]);
    expect(letters[0]!.text).toContain('@alice');
  });

  it('notifies the owner of changes of the second factor', async () => {
    await app.drain();
    const before = mails.to('bob@mail.test').length;
    const bob = await app.world.as('bob');
    await bob.get('/api/svc/accounts/mfa/backup_codes').expect(200); // has no effect yet
    await enableMfa(app, 'bob');
    await app.drain();
    await bob.get('/api/svc/accounts/mfa/backup_codes').expect(200);
    await app.drain();
    await bob.delete('/api/svc/accounts/mfa/totp', { password: PASSWORD }).expect(200);
    await bob.delete('/api/svc/accounts/mfa/totp', { password: PASSWORD }).expect(200);
    await app.drain();
    expect(
      mails
        .to('bob@mail.test')
        .slice(before)
        .map(({ headers }) => headers.get('subject')),
    ).toEqual([
      'The second factor of your account on svc is on',
      'New recovery codes for your account on svc',
      'The second factor of your account on svc is off',
    ]);
  });
});
