import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { answerTo, type Captcha, solutionOf } from '../support/servers/captcha.js';
import { Scratch } from './scratch.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const ADMIN_PASSWORD = 'canary admin/password';
const ADMIN_TOKEN = 'canary-admin-token';
const NEW_PASSWORD = 'canary+new password';
const WRONG_PASSWORD = 'canary-wrong-password';
const WRONG_TOKEN = 'canary-wrong-token';
const SECRET_KEY = Buffer.alloc(32, 'canary-secret-key');

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** Stands for the secrets in links of mails. */
const LETTER_TOKEN = 'canary-letter-token'.padEnd(43, 'x');
const LETTER_PATHS = [
  '/api/v1/svc/password_reset/',
  '/mailer/unsubscribe/',
  '/api/account/confirm_email/1/',
  '/registration/',
];
const MFA = '/api/svc/accounts/mfa';

type Codes = { readonly codes: readonly string[] };
type Values = Readonly<Record<string, string>>;

/** Sends requests to a running server and counts them. */
class Caller {
  calls = 0;

  constructor(private readonly url: string) {}

  async send(method: string, path: string, init: RequestInit = {}): Promise<Record<string, string>> {
    this.calls += 1;
    const answer = await fetch(this.url + path, { method, ...init });
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return isJson ? ((await answer.json()) as Record<string, string>) : {};
  }

  /** Connects to the streaming API and, when accepted, sends one message and closes the connection. */
  connect(query: Values, protocols: string[] = [], event: object = {}): Promise<void> {
    const address = `${this.url.replace('http', 'ws')}/api/v1/streaming?${new URLSearchParams(query).toString()}`;
    const socket = new WebSocket(address, protocols);
    return new Promise((resolve) => {
      socket.onopen = () => {
        socket.send(JSON.stringify(event));
        socket.close();
      };
      socket.onclose = () => resolve();
    });
  }

  form(path: string, values: Values, headers: Values = {}): Promise<Record<string, string>> {
    return this.send('POST', path, { body: new URLSearchParams(values), headers });
  }
}

describe('P8 W7 the log at level debug', () => {
  it('has a line for every request and contains no secret', async () => {
    const running = scratch.run(process.execPath, [MAIN], {
      env: {
        DATA_DIR: scratch.dataDir(),
        PORT: '0',
        LOG_LEVEL: 'trace',
        SVC_ADMIN_PASSWORD: ADMIN_PASSWORD,
        ADMIN_TOKEN,
        SECRET_KEY: SECRET_KEY.toString('hex'),
      },
    });
    const caller = new Caller(await running.url());
    const secrets = await useEverySecret(caller);
    expect(await running.stop()).toBe(0);
    expect(running.lines.filter((line) => line.includes('"method"')).length).toBe(caller.calls);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(10);
      for (const spelling of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
        expect(running.text).not.toContain(spelling);
      }
    }
  });
});

describe('P8 the log of a server start', () => {
  it('has the same form, and omits the password that Redis refuses', async () => {
    const redis = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write('-WRONGPASS invalid username-password pair\r\n'));
    }).listen(0, '127.0.0.1');
    await once(redis, 'listening');
    const { port } = redis.address() as AddressInfo;
    const running = scratch.run(process.execPath, [MAIN], {
      env: { DATA_DIR: scratch.dataDir(), PORT: '0', REDIS_URL: `redis://:canary-redis-password@127.0.0.1:${port}` },
    });
    await running.line(/ is ready at /);
    const complaint = await running.line(/Redis is away/);
    expect(JSON.parse(complaint)).toMatchObject({ level: 'warn', context: 'Redis', err: { type: 'ReplyError' } });
    expect(await running.stop()).toBe(0);
    redis.close();
    expect(running.text).not.toContain('canary-redis-password');
  });
});

/** Uses every kind of secret, with success and with failure; returns the secrets that were sent. */
async function useEverySecret(caller: Caller): Promise<string[]> {
  const registration = { client_name: 'An app', redirect_uris: 'app://callback', scopes: 'read write admin' };
  const { client_id = '', client_secret = '' } = await caller.form('/api/v1/apps', registration);
  const client = { client_id, client_secret };
  const login = { grant_type: 'password', username: 'admin', password: ADMIN_PASSWORD };
  const token = await caller.form('/oauth/token', { ...client, ...login });
  const basic = { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
  const appToken = await caller.form('/oauth/token', { grant_type: 'client_credentials' }, basic);
  await caller.form('/oauth/token', { ...client, ...login, password: WRONG_PASSWORD });
  await caller.send('POST', '/oauth/token', {
    headers: { 'content-type': 'application/json' },
    body: `{"password": "${WRONG_PASSWORD}", "client_secret": "${client_secret}"`,
  });
  const own = '/api/v1/accounts/verify_credentials';
  const { access_token = '', refresh_token = '' } = token;
  await caller.send('GET', `${own}?access_token=${access_token}`);
  await caller.send('GET', own, {
    headers: { authorization: `Bearer ${access_token}`, cookie: '_svc_key=canary-cookie' },
  });
  await caller.connect({ access_token }); // threat W7
  await caller.connect({ access_token: WRONG_TOKEN, stream: 'user' });
  await caller.connect({}, [access_token], { type: 'svc:authenticate', token: WRONG_TOKEN });
  await caller.connect({}, [WRONG_TOKEN]);
  await caller.send('GET', `/api/v1/streaming?access_token=${access_token}`);
  await caller.send('GET', `/api/v1/svc/admin/nothing?admin_token=${ADMIN_TOKEN}`);
  await caller.send('GET', '/api/v1/svc/admin/nothing', { headers: { 'x-admin-token': ADMIN_TOKEN } });
  const captcha = (await caller.send('GET', '/api/v1/svc/captcha')) as unknown as Captcha;
  const solution = solutionOf(captcha, SECRET_KEY);
  const person = { username: 'mo', password: NEW_PASSWORD, agreement: 'true', ...answerTo(captcha, solution) };
  const signedUp = await caller.form('/api/v1/accounts', person, {
    authorization: `Bearer ${appToken['access_token']}`,
  });
  for (const path of LETTER_PATHS) await caller.send('GET', path + LETTER_TOKEN);
  const bearer = { authorization: `Bearer ${access_token}` };
  const { codes } = (await caller.send('GET', `${MFA}/backup_codes`, { headers: bearer })) as unknown as Codes;
  const { key = '' } = await caller.send('GET', `${MFA}/setup/totp`, { headers: bearer });
  await caller.form(`${MFA}/confirm/totp`, { code: codes[0]!, password: ADMIN_PASSWORD }, bearer);
  await caller.form('/oauth/mfa/challenge', {
    ...client,
    mfa_token: LETTER_TOKEN,
    challenge_type: 'recovery',
    code: codes[0]!,
  });
  const renewal = { grant_type: 'refresh_token', refresh_token };
  const renewed = await caller.form('/oauth/token', { ...client, ...renewal });
  await caller.form('/oauth/token', { ...client, ...renewal });
  await caller.form('/oauth/revoke', { token: renewed['access_token'] ?? '' });
  const signIns = [token, signedUp, renewed].flatMap((one) => [one['access_token'], one['refresh_token']]);
  const tokens = [appToken['access_token'], ...signIns];
  const typed = [ADMIN_PASSWORD, ADMIN_TOKEN, NEW_PASSWORD, WRONG_PASSWORD, WRONG_TOKEN, LETTER_TOKEN, 'canary-cookie'];
  return [client_secret, key, ...codes, ...typed, ...tokens.map((one) => one ?? '')];
}
