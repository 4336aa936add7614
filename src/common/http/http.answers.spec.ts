import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest, { type Response } from 'supertest';
import { type HttpApp, startHttpApp } from '../../../test/support/servers/http-app.js';

const notes = '/api/v1/notes';
const origin = 'https://app.example';

let http: HttpApp;
let dataDir: string;
const api = () => supertest(http.server);
const answer = ({ status, body }: Response): [number, unknown] => [status, body as unknown];
const headersOf = (response: Response) => response.headers as Readonly<Record<string, string | undefined>>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-http-'));
  http = await startHttpApp({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await http.close();
  await rm(dataDir, { recursive: true });
});

it('H13 copies no input into headers', async () => {
  const response = await api().get(`${notes}/folder?x=%0d%0aSet-Cookie:%20a=b&y=%3E;%20rel=%22next%22`);
  expect(response.status).toBe(200);
  expect(headersOf(response)).not.toHaveProperty('set-cookie');
  expect(headersOf(response)['link']?.match(/>/g)).toHaveLength(2);
});

it('H14 builds links with the base URL for any host of the request', async () => {
  const forged = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' };
  const link = `<https://social.example${notes}/folder?max_id=10>; rel="next"`;
  expect(headersOf(await api().get(`${notes}/folder`).set(forged))['link']).toContain(link);
  const absolute = `GET http://evil.example${notes}/folder HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
  expect(await http.raw(absolute)).toContain(`Link: ${link}`);
});

describe('H15 rate limits', () => {
  it('H15 ignore a forged X-Forwarded-For, and appear in every answer', async () => {
    const ask = (address: string) => api().get(`${notes}/limited`).set('X-Forwarded-For', address);
    const first = headersOf(await ask('203.0.113.1'));
    expect(first).toMatchObject({ 'x-ratelimit-limit': '15', 'x-ratelimit-remaining': '14' });
    expect(Date.parse(String(first['x-ratelimit-reset']))).toBeGreaterThan(Date.now());
    for (let asked = 1; asked < 15; asked += 1) expect((await ask(`203.0.113.${asked}`)).status).toBe(200);
    const refused = await ask('203.0.113.99');
    expect(answer(refused)).toEqual([429, { error: 'Throttled' }]);
    expect(headersOf(refused)).toMatchObject({ 'x-ratelimit-remaining': '0' });
    expect(Number(headersOf(refused)['retry-after'])).toBeGreaterThan(0);
    expect((await ask('203.0.113.99').set('x-account', '9')).status).toBe(200);
  });

  it('H15 count each client of an unknown local proxy separately', async () => {
    const ask = (client: number) => api().get(`${notes}/searched`).set('X-Forwarded-For', `203.0.113.${client}`);
    for (let client = 1; client <= 40; client += 1) {
      expect(headersOf(await ask(client))).toMatchObject({ 'x-ratelimit-remaining': '9' });
    }
  });

  it('apply only to credentials, or not at all, if configured so', async () => {
    const credentialsOnly = await startHttpApp({ DATA_DIR: dataDir, RATE_LIMITS: 'auth-only' });
    const off = await startHttpApp({ DATA_DIR: dataDir, RATE_LIMITS: 'off' });
    const isLimited = async ({ server }: HttpApp, path: string) =>
      'x-ratelimit-limit' in headersOf(await supertest(server).get(`${notes}/${path}`));
    expect([await isLimited(credentialsOnly, 'limited'), await isLimited(credentialsOnly, 'searched')]).toEqual([
      true,
      false,
    ]);
    expect([await isLimited(off, 'limited'), await isLimited(off, 'searched')]).toEqual([false, false]);
    await Promise.all([credentialsOnly.close(), off.close()]);
  });
});

describe('H19 odd requests', () => {
  it('H19 get 400 with two kinds of length', async () => {
    const smuggled = `POST ${notes} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    expect(await http.raw(smuggled)).toMatch(/^HTTP\/1.1 400 /);
  });

  it('H19 get 431 with 20 kB of headers', async () => {
    const long = `GET ${notes} HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await http.raw(long)).toMatch(/^HTTP\/1.1 431 /);
  });

  it('H19 get 405 for TRACE, and no parameter or header overrides the method', async () => {
    expect(answer(await api().trace(notes))).toEqual([405, { error: 'Method not allowed' }]);
    const overridden = await api().get(`${notes}/7?_method=DELETE`).set('X-HTTP-Method-Override', 'DELETE');
    expect(answer(overridden)).toEqual([404, { error: 'Record not found' }]);
  });
});

it.each(['/.env', '/.git/config', '/package.json', '/admin/queues', '/metrics', '/..%2f..%2fetc/passwd', '/%2e%2e/x'])(
  'H20 returns 404 for %s',
  async (path) => expect(answer(await api().get(path))).toEqual([404, { error: 'Not found' }]),
);

describe('H21 CORS', () => {
  const api1 = [`${notes}/folder`, `${notes}/7`, `${notes}/%zz`, '/api/v1/nothing'];
  it.each([...api1, '/nodeinfo/2.1', '/oauth/token', '/.well-known/webfinger', '/users/mo'])(
    'H21 opens %s to every origin with any answer',
    async (path) => {
      const headers = headersOf(await api().get(path).set('Origin', origin));
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*' });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      const exposed = headers['access-control-expose-headers'];
      for (const name of ['Link', 'X-RateLimit-Reset', 'Idempotency-Key', 'Idempotent-Replayed'])
        expect(exposed).toContain(name);
    },
  );

  it('H21 answers a preflight with 204, also for paths that do not exist', async () => {
    for (const path of [notes, '/api/v1/nothing', '/oauth/revoke']) {
      const preflight = { Origin: origin, 'Access-Control-Request-Method': 'DELETE' };
      const response = await api().options(path).set(preflight);
      expect([response.status, response.text]).toEqual([204, '']);
      expect(headersOf(response)['access-control-allow-methods']).toContain('DELETE');
      expect(headersOf(response)['access-control-allow-headers']).toContain('Authorization');
      expect(headersOf(response)).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it('H21 allows no other origins and no frames on login pages', async () => {
    const headers = headersOf(await api().get('/oauth/authorize').set('Origin', origin));
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });
});

describe('H22 failures', () => {
  it('H22 without a known cause get 500 without details, and are logged under the request id', async () => {
    const fresh = await startHttpApp({ DATA_DIR: dataDir }); // Nest logs to the newest application of a process
    const response = await supertest(fresh.server).get(`${notes}/broken?access_token=secret`);
    await fresh.close();
    expect(answer(response)).toEqual([500, { error: 'Internal server error' }]);
    const requestId = headersOf(response)['x-request-id'];
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(fresh.errors).toContainEqual(expect.objectContaining({ requestId, path: `${notes}/broken`, status: 500 }));
    expect(JSON.stringify(fresh.errors)).not.toContain('access_token');
  });

  it('M8 D10 of a full disk get 503 with Retry-After', async () => {
    const response = await api().get(`${notes}/full`);
    expect([response.status, response.body]).toEqual([503, { error: 'The server has no room left' }]);
    expect(response.headers).toHaveProperty('retry-after');
  });

  it.each([
    ['D1 of the database connection', 'away'],
    ['of a process without file descriptors', 'short'],
    ['of a machine that stood still', 'late'],
  ])('H22 %s get 503 with Retry-After', async (_what, path) => {
    const response = await api().get(`${notes}/${path}`);
    expect(answer(response)).toEqual([503, { error: 'Service unavailable' }]);
    expect(headersOf(response)['retry-after']).toBe('5');
  });

  it('H22 without a user get 401 with WWW-Authenticate, and all others get their own status and body', async () => {
    const missing = await api().get(`${notes}/secret`);
    expect(answer(missing)).toEqual([401, { error: 'Invalid credentials.' }]);
    expect(headersOf(missing)['www-authenticate']).toBe('Bearer');
    expect(answer(await api().get(`${notes}/plain`))).toEqual([422, 'Unsupported visibility']);
    expect(answer(await api().get(`${notes}/7`))).toEqual([404, { error: 'Record not found' }]);
  });

  it('are plain JSON for handlers of any type', async () => {
    expect(headersOf(await api().get(`${notes}/narrow`))['content-type']).toBe('application/activity+json');
    const failed = await api().get(`${notes}/narrow?limit=1`);
    expect(headersOf(failed)['content-type']).toBe('application/json; charset=utf-8');
  });

  it('H22 V6 have no header that names the library or allows caching', async () => {
    const headers = headersOf(await api().get(`${notes}/viewer`));
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
    expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' });
  });

  it('V6 H21 have the headers of their path also in capital letters', async () => {
    const read = await api().get(`${notes.toUpperCase()}/viewer`);
    expect(answer(read)).toEqual([200, { viewerId: null }]);
    const expected = { 'cache-control': 'private, no-store', 'access-control-allow-origin': '*' };
    expect(headersOf(read)).toMatchObject(expected);
    const nothing = await api().get('/API/V1/NOTHING').set('Accept', 'text/html');
    expect(answer(nothing)).toEqual([404, { error: 'Not implemented' }]);
    expect(headersOf(nothing)).toMatchObject(expected);
  });
});
