import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as nodeRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest, { type Response } from 'supertest';
import { type HttpApp, postJson, startHttpApp } from '../../../test/support/servers/http-app.js';

const notes = '/api/v1/notes';
const someError = { error: expect.any(String) as unknown };

let http: HttpApp;
let dataDir: string;
const api = () => supertest(http.server);
const json = (body: string | Buffer) => postJson(http.server, notes, body);
const form = (body: string) => api().post(notes).type('form').send(body);
const answer = ({ status, body }: Response): [number, unknown] => [status, body as unknown];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-http-'));
  http = await startHttpApp({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await http.close();
  await rm(dataDir, { recursive: true });
});

describe('H1 NUL', () => {
  it.each([
    ['JSON text', () => json('{"status":"a\\u0000b"}')],
    ['JSON key', () => json('{"a\\u0000b":"x"}')],
    ['nested JSON text', () => json('{"poll":{"options":["a\\u0000"]}}')],
    ['form', () => form('status=a%00b')],
    ['query', () => api().get(`${notes}/query?max_id=%00`)],
    ['query key', () => api().get(`${notes}/query?a%00=1`)],
    ['path', () => api().get(`${notes}/a%00b`)],
    ['path without a route', () => api().get('/api/v9/a%00b')],
    ['multipart field', () => api().post(notes).field('status', 'a\0b')],
    ['multipart name', () => api().post(notes).field('a\0', 'b')],
    ['file name', () => api().post(`${notes}/files`).attach('file', Buffer.from('x'), 'a\0.png')],
  ])('H1 in a %s is 400 and not echoed', async (_place, send) => {
    const refused = await send();
    expect(answer(refused)).toEqual([400, someError]);
    expect(refused.text).not.toContain('u0000');
  });
});

describe('H2 ill-formed text', () => {
  const multipartBytes = (...bytes: number[]) =>
    api()
      .post(notes)
      .set('Content-Type', 'multipart/form-data; boundary=b')
      .send(
        Buffer.concat([
          Buffer.from('--b\r\nContent-Disposition: form-data; name="status"\r\n\r\n'),
          Buffer.from(bytes),
          Buffer.from('\r\n--b--\r\n'),
        ]),
      );

  it.each([
    ['a lone surrogate in JSON', () => json('{"status":"\\ud800"}')],
    ['a lone surrogate in a JSON key', () => json('{"\\udc00":1}')],
    ['bad UTF-8 in JSON', () => json(Buffer.from('{"status":"\xff"}', 'latin1'))],
    ['an overlong form', () => form('status=%c0%af')],
    ['an overlong path', () => api().get(`${notes}/%c0%af`)],
    ['an encoded surrogate in the query', () => api().get(`${notes}/query?max_id=%ed%a0%80`)],
    ['bad UTF-8 in a multipart field', () => multipartBytes(0xff)],
  ])('H2 %s is 400', async (_what, send) => {
    expect(answer(await send())).toEqual([400, someError]);
  });

  it('H2 emoji and noncharacters pass', async () => {
    const status = '🐈‍⬛ \uffff \u{1fffe}';
    expect((await api().post(notes).send({ status })).body).toEqual({ status });
    expect((await multipartBytes(...Buffer.from(status))).body).toEqual({ status });
  });
});

describe('H3 malformed percent-encoding', () => {
  const paths = ['/%zz', '/%', '/%e0%a4%a', '/query?max_id=%zz', '/query?%', '/query?a=%u0041'];
  it.each([...paths.map((path) => notes + path), '/nowhere?a=%', '/%zz'])('H3 %s is 400 JSON', async (path) => {
    const refused = await api().get(path);
    expect(answer(refused)).toEqual([400, someError]);
    expect(refused.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('H4 unreadable bodies', () => {
  it.each(['{', '{"a":}', '[1,', 'nonsense', "{'a':1}"])('H4 malformed JSON %s is 400', async (body) => {
    expect(answer(await json(body))).toEqual([400, { error: 'The body is not valid JSON' }]);
  });

  it.each([
    ['nested without end', '['.repeat(1_000)],
    ['with more values than anybody needs', `{"a":[${'1,'.repeat(60_000)}1]}`],
  ])('H26 JSON %s is 400', async (_what, body) => {
    expect((await json(body)).status).toBe(400);
  });

  it.each(['1', '"text"', 'true', 'null', '[]', '[{"status":"x"}]'])('H4 JSON %s as body is 400', async (body) => {
    expect(answer(await json(body))).toEqual([400, { error: 'The body must be a JSON object' }]);
  });

  it.each(['text/plain', 'application/xml', 'application/octet-stream', 'application/json; charset=latin1'])(
    'H4 content of type %s is 415',
    async (type) =>
      expect(answer(await api().post(notes).set('Content-Type', type).send('{}'))).toEqual([415, someError]),
  );

  it('H4 a compressed body is 415', async () => {
    expect((await api().post(notes).set('Content-Encoding', 'gzip').send({ status: 'x' })).status).toBe(415);
  });
});

describe('H5 wrong types', () => {
  it.each([
    { status: {} },
    { status: ['x'] },
    { status: 5 },
    { media_ids: [{}] },
    { media_ids: true },
    { poll: [] },
    { poll: 'x' },
    { poll: { options: [{}] } },
    { poll: { expires_in: 'soon' } },
    { poll: { expires_in: 1.5 } },
    { fields_attributes: 'x' },
    { fields_attributes: ['x'] },
    { visibility: 'x' },
    { visibility: {} },
  ])('H5 %j is 400', async (input) => {
    const [field] = Object.keys(input);
    const error = expect.stringMatching(new RegExp(`^${String(field)}[. ]`)) as unknown;
    expect(answer(await api().post(notes).send(input))).toEqual([400, { error }]);
  });

  it('H17 H18 a readable request that breaks a content rule is 422', async () => {
    for (const input of [
      { status: 'x'.repeat(100_000) },
      { poll: { options: ['a', 'b', 'c', 'd', 'e'] } },
      { poll: { options: ['x'.repeat(21)] } },
      { poll: { expires_in: 1e12 } },
      { fields_attributes: Array(100).fill({ name: 'a', value: 'b' }) },
    ]) {
      expect(answer(await api().post(notes).send(input))).toEqual([422, someError]);
    }
  });

  it('reports all errors at once, and prefers 400 over 422', async () => {
    const error = 'status must have at most 30 characters, poll.expires_in must be a whole number';
    const refused = await api()
      .post(notes)
      .send({ status: 'x'.repeat(31), poll: { expires_in: 'x' } });
    expect(answer(refused)).toEqual([400, { error }]);
  });

  it('distinguishes missing from empty; both are 400 for administrators', async () => {
    const titles = async (body: object) => answer(await api().post(`${notes}/titles`).send(body));
    expect(await titles({})).toEqual([400, { error: 'title is missing' }]);
    expect(await titles({ title: ' \u200b' })).toEqual([422, { error: 'title must not be empty' }]);
    const admin = await api().post('/api/svc/admin/things').set('x-account', '1').send({ title: '' });
    expect(answer(admin)).toEqual([400, { error: 'title must not be empty' }]);
  });
});

describe('H6 large bodies', () => {
  const large = 1_048_577;

  it('H6 a body over 1 MiB is 413 in every encoding', async () => {
    const text = 'x'.repeat(large);
    const sent = [
      api().post(notes).send({ status: text }),
      form(`status=${text}`),
      api().post(notes).field('status', text),
    ];
    for (const refused of await Promise.all(sent)) expect(answer(refused)).toEqual([413, someError]);
  });

  it('H6 a body of unknown length is 413 when it exceeds the limit', async () => {
    const { port } = http.server.address() as AddressInfo;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const request = nodeRequest({ port, path: notes, method: 'POST', headers });
      request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      for (let sent = 0; sent < 3 * large; sent += 65_536) request.write(Buffer.alloc(65_536, 32));
      request.end();
    });
    expect(status).toBe(413);
  });

  it('H26 a client that sends all of a large body gets the 413 and the end of the connection', async () => {
    const { status, headers } = await api()
      .post(notes)
      .send({ status: 'x'.repeat(8 * large) });
    expect([status, headers['connection']]).toEqual([413, 'close']);
  });

  it('H26 a body above 64 KiB is 413 on a public route', async () => {
    const sized = (bytes: number) => {
      const start = '{"title":"tea","noise":"';
      return postJson(http.server, `${notes}/titles`, `${start}${'x'.repeat(bytes - start.length - 2)}"}`);
    };
    expect((await sized(65_536)).status).toBe(200);
    expect((await sized(65_537)).status).toBe(413);
  });

  it('H6 A1 a refused caller gets the answer before the body is read', async () => {
    const answered = await http.raw(
      'POST /api/v1/svc/admin/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999999\r\n\r\n{',
    );
    expect(answered).toMatch(/^HTTP\/1.1 403 /);
    expect(answered).toContain('{"error":"User is not an admin."}');
  });
});

describe('H7 depth and number of keys', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const brackets = (depth: number) => `a${'[a]'.repeat(depth)}=1`;
  const query = (text: string) => api().get(`${notes}/query?${text}`);

  const TOO_DEEP = { error: 'The request is nested too deeply' };
  const TOO_MANY = { error: 'The request has too many parameters' };

  it.each([
    ['JSON objects', TOO_DEEP, () => json(nested(100_000))],
    ['JSON arrays', TOO_DEEP, () => json(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
    ['JSON, one level over', TOO_DEEP, () => json(nested(33))],
    ['a form', TOO_MANY, () => form(brackets(10_000))],
    ['a query, one level over', TOO_MANY, () => query(brackets(32))],
    [
      'a multipart form',
      TOO_MANY,
      () =>
        api()
          .post(notes)
          .field(`a${'[a]'.repeat(40)}`, '1'),
    ],
  ])('H7 %s nested too deeply is 400', async (_what, error, send) => {
    expect(answer(await send())).toEqual([400, error]);
  });

  it('H7 accepts common depths', async () => {
    expect((await json(nested(32))).status).toBe(200);
    expect((await query(brackets(31))).status).toBe(200);
  });

  it('H7 too many keys are 400', async () => {
    const keys = Array.from({ length: 50_000 }, (_, index) => `k${index}`);
    const multipart = api().post(notes);
    for (const key of keys.slice(0, 1001)) void multipart.field(key, '1');
    for (const refused of [
      await api()
        .post(notes)
        .send(Object.fromEntries(keys.map((key) => [key, 1]))),
      await form(keys.map((key) => `${key}=1`).join('&')),
      await query(keys.slice(0, 1001).join('&')),
      await multipart,
    ]) {
      expect(answer(refused)).toEqual([400, someError]);
    }
    expect((await query(keys.slice(0, 999).join('&'))).status).toBe(200);
  });

  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`;
  const many = (count: number, make: (at: number) => string, joint = '') =>
    Array.from({ length: count }, (_, at) => make(at)).join(joint);
  const parts = (text: string) =>
    api().post(notes).set('Content-Type', 'multipart/form-data; boundary=b').send(`${text}--b--\r\n`);
  const deep = `a${'[b]'.repeat(20)}`;

  it.each([
    ['JSON that repeats one key', () => json(`{${many(1_001, () => '"status":"x"', ',')}}`)],
    ['JSON with a list of 10,002 values', () => json(`{"media_ids":[${many(10_002, () => 'null', ',')}]}`)],
    ['a form with deep names', () => form(many(300, (at) => `${at}${deep}=x`, '&'))],
    ['a form with deep names, encoded', () => form(many(300, (at) => `${at}${encodeURIComponent(deep)}=x`, '&'))],
    ['a form with lists of objects', () => form(many(1_001, (at) => `l[][${at}]=x`, '&'))],
    ['a multipart form with deep names', () => parts(many(300, (at) => part(`${at}${deep}`)))],
    ['a multipart form with 15,000 fields', () => parts(many(15_000, (at) => part(`f${at}`)))],
    ['a multipart form that repeats one name', () => parts(many(1_001, () => part('status')))],
  ])('H26 %s is 400', async (_what, send) => {
    expect(answer(await send())).toEqual([400, TOO_MANY]);
  });

  it.each([
    ['JSON', () => json(JSON.stringify({ x: Array(9_000).fill('[a]:{},'), status: '[":,{'.repeat(5) }))],
    ['a form', () => form(`status=${'[:,&'.replace('&', '%26')}&x=${'['.repeat(5_000)}`)],
    ['a multipart form', () => parts(many(499, (at) => part(`f${at}[a]`)))],
  ])('H26 accepts %s at the limits', async (_what, send) => {
    expect((await send()).status).toBe(200);
  });

  it('H26 refuses a multipart form at field 1,001, before the body has ended', async () => {
    const { port } = http.server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    const head = `POST ${notes} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n`;
    client.write(head + many(1_002, (at) => part(`f${at}`)));
    const [received] = (await once(client, 'data')) as [Buffer];
    client.destroy();
    expect(received.toString()).toMatch(/^HTTP\/1\.1 400 [^]*too many parameters/);
  });
});

it('H8 drops keys that reach a prototype, without effect on other requests', async () => {
  await json('{"__proto__":{"status":"polluted"},"constructor":{"prototype":{"status":"polluted"}}}');
  await api().post(`${notes}?__proto__[status]=polluted&constructor[prototype][status]=polluted&a[__proto__][b]=1`);
  await api().post(notes).field('__proto__[status]', 'polluted');
  const poll = '{"__proto__":{"options":["x"]},"options":["a"]}';
  const answered = await json(`{"__proto__":{"status":"polluted"},"poll":${poll}}`);
  expect(answer(answered)).toEqual([200, { poll: { options: ['a'], multiple: false } }]);
  expect((await api().post(notes)).body).toEqual({});
  expect(({} as { status?: string }).status).toBeUndefined();
});

describe('H9 paging parameters', () => {
  const query = (text: string) => api().get(`${notes}/query?${text}`);

  it.each(['1000000', '41', '0', '-1', 'NaN', '1.5', '1e1', '', 'x', '%20'])('H9 limit=%s is 20', async (limit) => {
    expect((await query(`limit=${limit}`)).body).toEqual({ limit: 20, offset: 0 });
  });

  it.each(['limit[]=', 'limit[a]=1', 'limit', 'other=1'])('H9 %s is 20', async (text) => {
    expect((await query(text)).body).toEqual({ limit: 20, offset: 0 });
  });

  it('H9 accepts limits from 1 to 40, and reads an invalid offset as 0', async () => {
    expect((await query('limit=1&offset=7')).body).toEqual({ limit: 1, offset: 7 });
    expect((await query('limit=40&offset=-1')).body).toEqual({ limit: 40, offset: 0 });
    expect((await query('offset=99999999999999999999')).body).toEqual({ limit: 20, offset: 0 });
  });

  it('H10 an invalid id is 400 as a cursor; an empty one is ignored', async () => {
    expect((await query(`max_id=${'9'.repeat(400)}`)).status).toBe(400);
    expect((await query('max_id[a]=1')).status).toBe(400);
    expect((await query('max_id=&min_id=5')).body).toEqual({ min_id: '5', limit: 20, offset: 0 });
  });
});

it('H11 more ids than the limit are 400', async () => {
  const ids = (count: number) => Array<string>(count).fill('media_ids[]=1').join('&');
  expect(answer(await api().post(`${notes}?${ids(500)}`))).toEqual([400, someError]);
  expect((await api().post(`${notes}?${ids(5)}`)).status).toBe(200);
});

it('H12 checks and uses the last one of several values', async () => {
  const send = (query: string) => api().post(`${notes}?${query}`);
  expect((await send('visibility=public&visibility=direct')).body).toEqual({ visibility: 'direct' });
  expect((await send('visibility=nonsense&visibility=direct')).body).toEqual({ visibility: 'direct' });
  expect((await send('visibility=direct&visibility=nonsense')).status).toBe(400);
  expect((await send('visibility[]=public&visibility[]=direct')).body).toEqual({ visibility: 'direct' });
  expect(
    (
      await api()
        .post(notes)
        .send({ visibility: ['public', 'direct'] })
    ).status,
  ).toBe(400);
});
