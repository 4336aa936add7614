import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { Brand } from '../../platform/index.js';
import { type HttpApp, postJson, startHttpApp } from '../../../test/support/servers/http-app.js';
import { listRoutes } from '../routing/route-audit.js';
import { Uploads } from '../input/uploads.js';

const notes = '/api/v1/notes';

describe('HTTP', () => {
  let http: HttpApp;
  let dataDir: string;
  const api = () => supertest(http.server);

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'svc-http-'));
    http = await startHttpApp({ DATA_DIR: dataDir });
  });
  afterAll(async () => {
    await http.close();
    await rm(dataDir, { recursive: true });
  });

  describe('in any encoding', () => {
    const expected = {
      status: 'Grüße',
      media_ids: ['1', '2'],
      poll: { options: ['a', 'b,c'], expires_in: 300, multiple: true },
      fields_attributes: [
        { name: 'n0', value: 'v0' },
        { name: 'n1', value: 'v1' },
      ],
    };
    const fields: [string, string][] = [
      ['status', 'Grüße'],
      ['media_ids[]', '1'],
      ['media_ids[]', '2'],
      ['poll[options][]', 'a'],
      ['poll[options][]', 'b,c'],
      ['poll[expires_in]', '300'],
      ['poll[multiple]', 'on'],
      ['fields_attributes[0][name]', 'n0'],
      ['fields_attributes[0][value]', 'v0'],
      ['fields_attributes[1][name]', 'n1'],
      ['fields_attributes[1][value]', 'v1'],
      ['unknown', 'noise'],
    ];
    const encoded = new URLSearchParams(fields).toString();

    it.each(['post', 'put', 'patch', 'delete'] as const)('reads all four encodings on %s', async (method) => {
      const path = method === 'post' ? notes : `${notes}/7`;
      const id = method === 'post' ? {} : { id: '7' };
      const multipart = api()[method](path);
      for (const [name, value] of fields) void multipart.field(name, value);
      const answers = await Promise.all([
        api()[method](`${path}?${encoded}`),
        api()[method](path).type('form').send(encoded),
        multipart,
        api()
          [method](path)
          .send({ ...expected, unknown: 'noise' }),
      ]);
      for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, { ...expected, ...id }]);
    });

    it('reads indexed keys, repeated keys, a single value and an object of indexes as a list', async () => {
      for (const query of ['media_ids[0]=1&media_ids[1]=2', 'media_ids=1&media_ids=2', 'media_ids[]=1&media_ids[]=2']) {
        expect((await api().post(`${notes}?${query}`)).body).toEqual({ media_ids: ['1', '2'] });
      }
      expect((await api().post(`${notes}?media_ids=1`)).body).toEqual({ media_ids: ['1'] });
      expect(
        (
          await api()
            .post(notes)
            .send({ media_ids: { 0: 1, 1: '2' } })
        ).body,
      ).toEqual({ media_ids: ['1', '2'] });
    });

    it.each([[['1', '2']], [['1']], ['1']])('reads the name of a list with brackets in JSON: %j', async (ids) => {
      expect((await api().post(notes).send({ 'media_ids[]': ids })).body).toEqual({ media_ids: [ids].flat() });
    });

    it('prefers the path over the body and the body over the query', async () => {
      const answer = await api().put(`${notes}/path?status=query&id=query`).send({ status: 'body', id: 'body' });
      expect(answer.body).toEqual({ id: 'path', status: 'body' });
    });

    it('accepts a POST without a body, and an empty JSON body', async () => {
      expect((await api().post(notes)).body).toEqual({});
      expect((await postJson(http.server, notes, ' ')).body).toEqual({});
    });
  });

  describe('with files', () => {
    const upload = () => api().post(`${notes}/files`);
    const leftOver = () => readdir(join(dataDir, 'uploads'));

    it('streams a file to disk for the handler, and removes it afterwards', async () => {
      const picture = { filename: '../cat.png', contentType: 'image/png' };
      const answer = await upload().field('description', 'a cat').attach('file', Buffer.from('a cat'), picture);
      const { path, ...file } = answer.body as { path: string };
      expect(file).toEqual({
        description: 'a cat',
        filename: 'cat.png',
        mimeType: 'image/png',
        size: 5,
        bytes: 'a cat',
      });
      expect(path.startsWith(join(dataDir, 'uploads'))).toBe(true);
      await expect(access(path)).rejects.toThrow('ENOENT');
    });

    it('H6 answers 413 for a file over the limit and stores nothing', async () => {
      expect((await upload().attach('file', Buffer.alloc(2_000_001), 'big.bin')).status).toBe(413);
      expect((await upload().attach('file', Buffer.alloc(9_000_000), 'big.bin')).status).toBe(413);
      expect(await leftOver()).toEqual([]);
    });

    it('applies the live limit of each field', async () => {
      const send = (name: string, size: number) =>
        api().post(`${notes}/pictures`).attach(name, Buffer.alloc(size), 'x.png');
      const uploads = http.app.get(Uploads, { strict: false });
      uploads.configure({ media: 0, avatar: 100, banner: 0, background: 0 });
      expect((await send('avatar', 100)).body).toEqual({ avatar: 100 });
      expect((await send('avatar', 101)).status).toBe(413);
      expect((await send('svc_background_image', 50)).body).toEqual({ background: 50 });
      expect((await send('svc_background_image', 51)).status).toBe(413);
      const other = await send('header', 1);
      expect([other.status, other.body]).toEqual([400, { error: 'The field "header" takes no file' }]);
      const text = await api().post(`${notes}/pictures`).send({ avatar: 'x.png' });
      expect([text.status, text.body]).toEqual([400, { error: 'avatar must be sent as a file of a multipart form' }]);
      const uri = await api().post(`${notes}/pictures`).send({ avatar: 'data:image/png,x' });
      expect([uri.status, uri.body]).toEqual([
        400,
        { error: 'avatar is a data: URI that is malformed, or not taken here' },
      ]);
      uploads.configure({ media: 0, avatar: 99, banner: 0, background: 0 });
      expect((await send('avatar', 100)).status).toBe(413);
      expect(await leftOver()).toEqual([]);
    });

    it('refuses unexpected files, and a second file for one field', async () => {
      const refused = await api().post(notes).attach('file', Buffer.from('x'), 'x.txt');
      expect([refused.status, refused.body]).toEqual([400, { error: 'Files are not accepted here' }]);
      const two = await upload().attach('file', Buffer.from('x'), 'x.txt').attach('other', Buffer.from('y'), 'y.txt');
      expect([two.status, two.body]).toEqual([400, { error: 'Too many files' }]);
      expect(await leftOver()).toEqual([]);
    });

    it('stores nothing for refused texts, an empty file field or a replaced file', async () => {
      const unclean = await upload().field('description', 'a\0b').attach('file', Buffer.from('x'), 'x.txt');
      expect([unclean.status, unclean.body]).toEqual([400, { error: 'description is not well-formed text' }]);
      const empty = '--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--b--\r\n';
      const unchosen = await upload().set('Content-Type', 'multipart/form-data; boundary=b').send(empty);
      expect([unchosen.status, unchosen.body]).toEqual([200, {}]);
      const twice = api().post(`${notes}/pictures`);
      for (const size of [1, 2]) void twice.attach('svc_background_image', Buffer.alloc(size), 'x.png');
      expect((await twice).body).toEqual({ background: 2 });
      expect(await leftOver()).toEqual([]);
    });

    it('accepts an empty text in place of a file as its removal, and refuses another text', async () => {
      expect((await upload().field('file', '')).body).toEqual({ file: null });
      expect((await upload().send({ file: 'x' })).status).toBe(400);
    });

    it('answers a broken form with 400 and stores nothing', async () => {
      const send = (body: string, type = 'multipart/form-data; boundary=b') =>
        upload().set('Content-Type', type).send(body);
      const half = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of a fi';
      for (const answer of [await send(half), await send('--b\r\nx'), await send('x', 'multipart/form-data')]) {
        expect([answer.status, answer.body]).toEqual([400, { error: 'The form is malformed' }]);
      }
      expect(await leftOver()).toEqual([]);
    });
  });

  describe('with pages', () => {
    it('returns the items alone, and Link on the base URL with the other parameters', async () => {
      const answer = await api().get(`${notes}/folder?limit=2&types[]=a&types[]=b&max_id=99&access_token=t`);
      const items = [
        { id: 'c', text: 'ü' },
        { id: 'b', text: 'ü' },
      ];
      const path = `https://social.example${notes}/folder?limit=2&types%5B%5D=a&types%5B%5D=b`;
      expect(answer.body).toEqual(items);
      expect(answer.headers).toMatchObject({
        link: `<${path}&max_id=10>; rel="next", <${path}&min_id=30>; rel="prev"`,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(JSON.stringify(items))),
      });
    });

    it('has no Link on an empty page', async () => {
      const answer = await api().get(`${notes}/empty`);
      expect(answer.body).toEqual([]);
      expect(answer.headers).not.toHaveProperty('link');
    });

    it('answers HEAD like GET, without the body', async () => {
      const answer = await api().head(`${notes}/folder`);
      expect(answer.headers).toMatchObject({ 'content-length': '70' });
      expect(answer.text).toBeUndefined();
    });
  });

  it('knows the signed-in account', async () => {
    expect((await api().get(`${notes}/secret`).set('x-account', '42')).body).toEqual({ accountId: '42' });
    expect((await api().get(`${notes}/viewer`)).body).toEqual({ viewerId: null });
  });

  it('accepts trailing slashes, both prefixes, and the .json suffix that apps send', async () => {
    for (const path of ['/api/v1/svc/emoji', '/api/svc/emoji/', '/api/svc/emoji.json', '/api/v1/svc/emoji.json?x=1']) {
      expect((await api().get(path)).body).toEqual({ emoji: {} });
    }
    expect((await api().get('/nodeinfo/2.1.json')).body).toEqual({ version: '2.1' });
    expect((await api().get(`${notes}/folder/`)).status).toBe(200);
    expect((await api().get(`${notes}/folder.json`)).status).toBe(404);
  });

  it.each(['get', 'post', 'put', 'patch', 'delete'] as const)(
    'answers unknown API paths with "not implemented": %s',
    async (method) => {
      for (const path of ['/api', '/api/v1/nothing/here', '/api/v1/svc/admin/nothing']) {
        const answer = await api()[method](path);
        expect([answer.status, answer.body]).toEqual([404, { error: 'Not implemented' }]);
      }
    },
  );

  it('lists its routes with their access', () => {
    const things = { method: 'POST', path: '/api/svc/admin/things', access: 'admin', scopes: ['admin:write'] };
    expect(listRoutes(http.app)).toContainEqual(things);
    expect(listRoutes(http.app)).toContainEqual({ ...things, path: '/api/v1/svc/admin/things' });
  });

  describe('under another brand', () => {
    let branded: HttpApp;
    beforeAll(async () => {
      branded = await startHttpApp({ COMPAT_BRAND: 'acme', DATA_DIR: dataDir });
    });
    afterAll(() => branded.close());

    it('accepts paths and parameters of the brand and the neutral ones', async () => {
      const client = supertest(branded.server);
      for (const path of ['/api/acme/emoji', '/api/v1/acme/emoji?x', '/api/acme/emoji.json', '/api/v1/svc/emoji']) {
        expect((await client.get(path)).body).toEqual({ emoji: {} });
      }
      expect((await client.get('/api/v1/acmes/emoji')).status).toBe(404);
      for (const input of [{ acme_settings_store: 'x' }, { svc_settings_store: 'x' }]) {
        expect((await client.post(notes).send(input)).body).toEqual({ svc_settings_store: 'x' });
      }
    });

    it('accepts those of a changed brand at once, and no longer those of the old one', async () => {
      const client = supertest(branded.server);
      const brand = branded.app.get(Brand);
      brand.configure({ word: 'other' });
      for (const [path, status] of [
        ['/api/v1/other/emoji', 200],
        ['/api/v1/svc/emoji', 200],
        ['/api/v1/acme/emoji', 404],
      ] as const) {
        await client.get(path).expect(status);
      }
      expect((await client.post(notes).send({ other_settings_store: 'x' })).body).toEqual({ svc_settings_store: 'x' });
      brand.configure({ word: 'acme' });
    });

    it('does not accept another brand by default', async () => {
      expect((await api().get('/api/acme/emoji')).status).toBe(404);
      expect((await api().post(notes).send({ acme_settings_store: 'x' })).body).toEqual({});
    });
  });
});
