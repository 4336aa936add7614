import { MediaStorage, StorageError } from '../../../src/platform/index.js';
import { useApp } from '../../support/servers/app.js';
import { STORAGES } from '../../support/servers/stored-files.js';
import { picture, webm } from '../../support/fixtures/media-files.js';
import { pathOf, upload } from '../../support/fixtures/uploads.js';

describe.each(STORAGES)('files on %s', (storage) => {
  const app = useApp({ once: [], storage });
  let content: Buffer;
  let path: string;

  beforeAll(async () => {
    await app.world.person('alice');
    content = await picture('png', 120, 80);
    path = pathOf((await upload(app, 'alice', content)).url);
  });

  const get = (headers: Record<string, string> = {}, target = path) => app.http.get(target).set(headers);
  const size = () => content.length;

  it('are public, with their type and a strict policy', async () => {
    const answer = await get().expect(200);
    expect(answer.body).toEqual(content);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(size()),
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=1209600, immutable',
      'accept-ranges': 'bytes',
    });
    const policy = answer.headers['content-security-policy'];
    expect(policy).toMatch(/^sandbox; default-src 'none';/);
    expect(policy).not.toMatch(/script|unsafe-eval|allow-/);
  });

  it('have no content in answers to HEAD', async () => {
    const answer = await app.http.head(path).expect(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': String(size()) });
  });

  it('M2 keep their type for any requested name', async () => {
    const answer = await get({ Accept: 'application/activity+json' }).expect(200);
    expect(answer.headers['content-type']).toBe('image/png');
    const video = await upload(app, 'alice', webm());
    expect((await get({}, pathOf(video.url)).expect(200)).headers['content-type']).toBe('video/webm');
  });

  it('M1 are served as downloads only when their type is unknown', async () => {
    const storage = app.get(MediaStorage);
    for (const key of ['ab/page.html', 'ab/drawing.svg', 'ab/nothing']) {
      await storage.put(key, Buffer.from('<script>alert(1)</script>'));
      const { headers } = await get({}, `/media/${key}`).expect(200);
      expect(headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment',
      });
    }
  });

  describe('in byte ranges', () => {
    it.each([
      ['bytes=0-9', 0, 9],
      ['bytes=10-10', 10, 10],
      ['bytes=5-', 5, -1],
      ['bytes=-7', -7, -1],
      ['bytes=-999999999', 0, -1],
      ['bytes=0-999999999', 0, -1],
      ['bytes=0-4, 5-9', 0, 9],
    ])('are served for %s', async (range, first, last) => {
      const from = first < 0 ? size() + first : first;
      const to = last < 0 ? size() + last : last;
      const answer = await get({ Range: range }).expect(206);
      expect(answer.body).toEqual(content.subarray(from, to + 1));
      expect(answer.headers).toMatchObject({
        'content-range': `bytes ${from}-${to}/${size()}`,
        'content-length': String(to - from + 1),
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
      });
    });

    it.each(['bytes=999999999-', 'bytes=-0'])('are refused for %s', async (range) => {
      const answer = await get({ Range: range }).expect(416);
      expect(answer.headers).toMatchObject({ 'content-range': `bytes */${size()}`, 'cache-control': 'no-store' });
      expect(answer.headers['content-security-policy']).toMatch(/^sandbox/);
    });

    it.each(['bytes=x', 'lines=0-1', 'bytes=9-5,', 'bytes=0-1,20-21', `bytes=${'0-,'.repeat(2000)}`])(
      'are never served as multipart for %s',
      async (range) => {
        const answer = await get({ Range: range });
        expect([200, 206, 416]).toContain(answer.status);
        expect(answer.headers['content-type']).not.toMatch(/multipart/);
      },
    );

    it('are served in part only for the matching entity tag', async () => {
      const etag = (await get()).headers['etag'] ?? '';
      await get({ Range: 'bytes=0-9', 'If-Range': etag }).expect(206);
      await get({ Range: 'bytes=0-9', 'If-Range': '"other"' }).expect(200);
    });
  });

  it('are answered with 304 when they are cached', async () => {
    const etag = (await get()).headers['etag'] ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    const answer = await get({ 'If-None-Match': etag }).expect(304);
    expect(answer.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=1209600, immutable' });
    await get({ 'If-None-Match': '"other"' }).expect(200);
  });

  it.each([
    ['cat.png', "inline; filename*=UTF-8''cat.png"],
    ['cat', "inline; filename*=UTF-8''cat.png"],
    ['page.html', "inline; filename*=UTF-8''page.html.png"],
    ['Käse & Brot.PNG', "inline; filename*=UTF-8''K%C3%A4se%20%26%20Brot.PNG"],
    ['../../etc/passwd', "inline; filename*=UTF-8''_.._etc_passwd.png"],
    ['a"; filename=evil.exe', "inline; filename*=UTF-8''a_%3B%20filename%3Devil.exe.png"],
    ["it's (1)*.png", "inline; filename*=UTF-8''it%27s%20%281%29_.png"],
    ['\u202Egnp.exe', "inline; filename*=UTF-8''_gnp.exe.png"],
    ['a\r\nSet-Cookie: x=1', "inline; filename*=UTF-8''a_Set-Cookie_%20x%3D1.png"],
    ['...', 'inline'],
    ['', 'inline'],
  ])('M3 with the name %j are saved under a harmless name', async (name, disposition) => {
    const answer = await app.http.get(path).query({ name }).expect(200);
    expect(answer.headers['content-disposition']).toBe(disposition);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('M3 with very long names are saved under shorter ones', async () => {
    const answer = await app.http
      .get(path)
      .query({ name: '😀'.repeat(1000) })
      .expect(200);
    expect(decodeURIComponent(answer.headers['content-disposition'] ?? '')).toMatch(/''(😀){120}\.png$/u);
  });

  it('are not cached when the storage fails after it named them', async () => {
    jest.spyOn(app.get(MediaStorage), 'open').mockRejectedValueOnce(new StorageError('does not answer'));
    const { headers } = await get({}, `${path}?name=a`).expect(503);
    expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'retry-after': '30' });
    for (const name of ['etag', 'content-disposition', 'accept-ranges']) expect(headers).not.toHaveProperty(name);
    await get().expect(200);
  });

  it('do not include folders', async () => {
    const folder = path.slice(0, path.lastIndexOf('/'));
    expect((await get({}, folder)).status).toBe(404);
    expect((await app.http.head(folder)).status).toBe(404);
  });

  it.each([
    '/media/',
    '/media/nothing.png',
    '/media/..%2f..%2fpackage.json',
    '/media/%2e%2e/secret-key',
    '/media/.drafts/x',
    '/media/ab%00.png',
    '/media/ab//c.png',
    '/media/AB/C.PNG',
    '/media/%ff',
  ])('do not exist at %s', async (target) => {
    const answer = await get({}, target);
    expect([400, 404]).toContain(answer.status);
    expect(typeof (answer.body as { error: unknown }).error).toBe('string');
  });
});
