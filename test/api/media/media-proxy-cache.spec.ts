import { rm, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { MediaBansService } from '../../../src/media/index.js';
import { MediaProxyService } from '../../../src/media/proxy/media-proxy.service.js';
import { BannedMediaRepository } from '../../../src/media/proxy/banned-media.repository.js';
import { digestOf, ProxyCache } from '../../../src/media/proxy/proxy-cache.js';
import { Images, LocalSweeps, MediaStorage } from '../../../src/platform/index.js';
import { useApp } from '../../support/servers/app.js';
import { eventually } from '../../support/eventually.js';
import { animation, giantPng, mp3, photo, picture } from '../../support/fixtures/media-files.js';
import {
  forgetFiles,
  gifOf,
  keptFiles,
  letPass,
  previewed,
  proxied,
  proxyOn,
  sending,
} from '../../support/servers/proxied.js';
import { startWebHost, WEB_HOST_ADDRESS, type WebHost } from '../../support/servers/web-host.js';

const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let web: WebHost;

beforeEach(async () => {
  await forgetFiles(app);
  await proxyOn(app);
  await app.get(ProxyCache).sweep();
  web = await startWebHost();
});
afterEach(() => web.close());

const SIZE = 30_000;
const url = (name: string) => `${web.origin}/${name}`;
const set = (settings: Parameters<typeof proxyOn>[1]) => proxyOn(app, settings);
const total = async () => (await keptFiles(app)).reduce((sum, { size }) => sum + size, 0);

/** Requests a file, and returns whether it was cached. */
async function look(name: string): Promise<'fetched' | 'kept'> {
  web.at(`/${name}`, sending(gifOf(SIZE)));
  const answer = await app.http.get(proxied(app, url(name))).expect(200);
  expect((answer.body as Buffer).equals(gifOf(SIZE))).toBe(true);
  return web.asked().length > 0 ? 'fetched' : 'kept';
}

async function whileFull(work: () => Promise<void>): Promise<void> {
  const storage = app.get(MediaStorage);
  Object.assign(storage, { isFull: () => Promise.resolve(true) });
  try {
    await work();
  } finally {
    Reflect.deleteProperty(storage, 'isFull');
  }
}

describe('M8 the cache of remote files', () => {
  it('stays within its bound and drops the least recently used files', async () => {
    await set({ 'media_proxy.cache_size': 110_000 });
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      expect(await look(name)).toBe('fetched');
      await letPass(app, url(name), 60 - at, 60);
    }
    expect(await look('a')).toBe('kept'); // which makes it recently used
    expect(await look('d')).toBe('fetched');
    expect(await total()).toBe(3 * SIZE);
    expect([await look('a'), await look('c'), await look('d'), await look('b')]).toEqual([
      'kept',
      'kept',
      'kept',
      'fetched',
    ]);
    expect(await total()).toBeLessThanOrEqual(110_000);
  });

  it('stays within its bound for many concurrent files of unknown length', async () => {
    await set({ 'media_proxy.cache_size': 110_000, 'media_proxy.max_body_length': 50_000 });
    const names = Array.from({ length: 12 }, (_, at) => `${at}`);
    for (const name of names) {
      web.at(`/${name}`, (_request, response) => {
        response.setHeader('content-type', 'image/gif').write(gifOf(SIZE));
        response.end();
      });
    }
    const answers = await Promise.all(names.map((name) => app.http.get(proxied(app, url(name)))));
    expect(answers.map(({ status, body }) => [status, (body as Buffer).length])).toEqual(names.map(() => [200, SIZE]));
    expect(await total()).toBeLessThanOrEqual(110_000);
  });

  it('recovers once the disk can be read again', async () => {
    await set({ 'media_proxy.cache_size': 110_000 });
    for (const name of ['a', 'b', 'c']) await look(name);
    const broken = join(app.env.dataDir, 'proxy', 'unreadable'); // no such folder can be a cache folder
    await symlink(broken, broken);
    for (const name of ['d', 'e', 'f', 'g']) expect(await look(name)).toBe('fetched');
    await rm(broken);
    expect([await look('h'), await look('h')]).toEqual(['fetched', 'kept']);
  });

  it('fetches old files again, and sweeps them', async () => {
    await look('a');
    await letPass(app, url('a'), 0, 14 * 24 * 60 - 1);
    expect(await look('a')).toBe('kept');
    await letPass(app, url('a'), 0, 14 * 24 * 60 + 1);
    expect(await look('a')).toBe('fetched');
    expect(await look('a')).toBe('kept');
    expect(await keptFiles(app)).toHaveLength(1);
    await letPass(app, url('a'), 0, 14 * 24 * 60 + 1);
    await app.get(ProxyCache).sweep();
    expect(await keptFiles(app)).toEqual([]);
  });

  it('drops what was banned while the process was away, in each process', async () => {
    await look('a');
    await look('b');
    await app.get(MediaProxyService).whole(url('b')); // waits until it is stored
    await app.get(BannedMediaRepository).insert([{ digest: digestOf(url('a')), url: url('a') }]);
    expect(await keptFiles(app)).toHaveLength(2);
    await app.get(LocalSweeps).run();
    expect((await keptFiles(app)).map(({ path }) => path.includes(digestOf(url('b'))))).toEqual([true]);
    await app.get(MediaBansService).unban([url('a')]);
  });

  it('ignores files truncated by a crash', async () => {
    await look('a');
    await app.get(MediaProxyService).whole(url('a')); // waits until it is stored
    const [file] = await keptFiles(app);
    await truncate(file!.path, SIZE - 1);
    expect(await look('a')).toBe('fetched');
    expect(await total()).toBe(SIZE);
  });

  it('caches nothing when its size is 0 or the proxy is off', async () => {
    await look('a');
    await set({ 'media_proxy.cache_size': 0 });
    expect([await look('b'), await look('b')]).toEqual(['fetched', 'fetched']);
    await app.get(ProxyCache).sweep();
    expect(await keptFiles(app)).toEqual([]);
    await set({ 'media_proxy.cache_size': 1_000_000 });
    await look('a');
    await set({ 'media_proxy.enabled': false });
    await app.get(ProxyCache).sweep();
    expect(await keptFiles(app)).toEqual([]);
  });

  it('is bypassed while the disk is nearly full: files pass through, and posting works', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await look(name);
    await whileFull(async () => {
      expect([await look('e'), await look('e')]).toEqual(['fetched', 'fetched']);
      expect(await total()).toBeLessThanOrEqual(2 * SIZE);
      const part = await app.http.get(proxied(app, url('e'))).set('Range', 'bytes=0-5');
      expect([part.status, (part.body as Buffer).length]).toEqual([200, SIZE]);
      await app.http.head(proxied(app, url('e'))).expect(200);
      await app.world.person('alice');
      await (await app.world.as('alice')).post('/api/v1/statuses', { status: 'no picture' }).expect(200);
    });
    expect([await look('e'), await look('e')]).toEqual(['fetched', 'kept']);
  });
});

describe('a preview', () => {
  beforeEach(() => set({ 'media_preview_proxy.enabled': true, 'media_preview_proxy.min_content_length': 20_000 }));

  const small = (name: string, still = false) => app.http.get(previewed(app, url(name), still));

  it('is made once for a large picture', async () => {
    const content = await photo(1_600, 900);
    web.at('/cat.jpg', sending(content, 'image/jpeg'));
    expect(previewed(app, url('cat.jpg'))).toMatch(/^\/proxy\/preview\/[\w-]{27}\/[\w-]+\/cat\.jpg$/);
    const answer = await small('cat.jpg').expect(200);
    const body = answer.body as Buffer;
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': "inline; filename*=UTF-8''cat.jpg.webp",
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    });
    expect(answer.headers['content-security-policy']).toMatch(/^sandbox/);
    const { width, height, format } = await sharp(body).metadata();
    expect([width, height, format]).toEqual([600, 338, 'webp']);
    expect((await small('cat.jpg').expect(200)).body).toEqual(body);
    const unnamed = previewed(app, url('cat.jpg')).replace('/cat.jpg', '');
    expect((await app.http.get(unnamed).expect(200)).body).toEqual(body);
    const whole = await app.http.get(proxied(app, url('cat.jpg'))).expect(200);
    expect(whole.body).toEqual(content);
    expect(web.asked()).toEqual(['/cat.jpg']);
    await set({ 'media_preview_proxy.thumbnail_max_height': 90 });
    expect((await sharp((await small('cat.jpg').expect(200)).body as Buffer).metadata()).height).toBe(90);
  });

  it('is dropped when its file is purged meanwhile', async () => {
    const images = app.get(Images);
    const [made, forgotten] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const preview: Images['preview'] = async (...given) => {
      const picture = await Images.prototype.preview.apply(images, given);
      made.resolve(undefined);
      await forgotten.promise;
      return picture;
    };
    Object.assign(images, { preview });
    web.at('/cat.jpg', sending(await photo(1_600, 900), 'image/jpeg'));
    const first = small('cat.jpg').then(({ status }) => status);
    await made.promise;
    await app.get(MediaBansService).purge([url('cat.jpg')]);
    Reflect.deleteProperty(images, 'preview');
    web.at('/cat.jpg', sending(await photo(900, 900), 'image/jpeg'));
    forgotten.resolve(undefined);
    expect(await first).toBe(302);
    await eventually(async () => {
      const answer = await small('cat.jpg').expect(200);
      expect((await sharp(answer.body as Buffer).metadata()).height).toBe(600);
    });
  });

  it('is the picture itself for small pictures, except stills', async () => {
    web.at('/cat.gif', sending(await animation('gif')));
    expect((await small('cat.gif').expect(302)).headers['location']).toBe(proxied(app, url('cat.gif')));
    expect(previewed(app, url('cat.gif'), true)).toMatch(/\?static=true$/);
    const answer = await small('cat.gif', true).expect(200);
    const { pages, width, format } = await sharp(answer.body as Buffer).metadata();
    expect([pages, width, format]).toEqual([undefined, 60, 'webp']);
  });

  it.each([
    ['sound', 'audio/mpeg', () => mp3()],
    ['a damaged picture', 'image/png', async () => (await picture('png')).subarray(0, 60)],
    ['a picture that says it is huge', 'image/png', () => giantPng()],
    ['a picture of no pixels', 'image/gif', () => gifOf(50_000)],
  ])('falls back to the file itself for %s', async (_what, type, make) => {
    web.at('/file', sending(await make(), type));
    for (const still of [true, false]) {
      expect((await small('file', still).expect(302)).headers['location']).toBe(proxied(app, url('file')));
    }
    expect(web.asked()).toEqual(['/file']);
  });

  it('falls back to the file itself while the cache is off', async () => {
    web.at('/cat.jpg', sending(await photo(1_600, 900), 'image/jpeg'));
    await whileFull(async () => {
      expect((await small('cat.jpg').expect(302)).headers['location']).toBe(proxied(app, url('cat.jpg')));
    });
  });

  it('fails when the file cannot be fetched', async () => {
    const { status, text } = await small('gone.png');
    expect([status, text]).toEqual([424, 'Failed Dependency']);
    web.at('/page', sending('<script>', 'image/png'));
    await small('page').expect(424);
  });

  it("has the file's name, and falls back to the file when previews are off", async () => {
    const path = previewed(app, url('cat.jpg'), true);
    const other = path.replace('cat.jpg', 'dog.jpg');
    expect((await app.http.get(other).expect(302)).headers['location']).toBe(path);
    await set({ 'media_preview_proxy.enabled': false });
    expect((await app.http.get(path).expect(404)).text).toBe('Not Found');
    expect(previewed(app, url('cat.jpg'))).toBe(proxied(app, url('cat.jpg')));
  });
});
