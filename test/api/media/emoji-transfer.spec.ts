import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EmojiCache } from '../../../src/emoji/index.js';
import { PackArchives } from '../../../src/emoji/packs/pack-archives.js';
import { PackStore } from '../../../src/emoji/packs/pack.store.js';
import { useApp } from '../../support/servers/app.js';
import { clearPacks, disableEmoji } from '../../support/fixtures/emoji.js';
import { holding, killOwnConnection, restOf, waitersOf } from '../../support/locks.js';
import { picture } from '../../support/fixtures/media-files.js';
import { ok } from '../../support/fixtures/statuses.js';
import { useWebHost, WEB_HOST_ADDRESS } from '../../support/servers/web-host.js';
import type { Client } from '../../support/fixtures/world.js';
import { type ClaimedEntry, unzipped, zipOf } from '../../support/fixtures/zip.js';

/* Import and export of packs. The other server is a stub of our own kind. */

const PACK = '/api/v1/svc/emoji/pack';
const PACKS = '/api/v1/svc/emoji/packs';
const MIB = 1024 * 1024;

const web = useWebHost();
const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let root: Client;
let png: Buffer;

beforeAll(async () => {
  png = await picture();
});
beforeEach(async () => {
  await clearPacks(app);
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin:write');
});

const stored = (...path: string[]) => app.files.names(['emoji', ...path].join('/'));
const drafts = () => readdir(join(app.env.dataDir, 'emoji', '.drafts'));
const known = (name: string) => app.get(EmojiCache).has(name);
const nothing = async () => {
  expect([await stored(), await drafts()]).toEqual([[], []]);
  expect(await app.sql('select from custom_emojis')).toEqual([]);
};
const upload = (archive: Buffer, name = 'Copied') => {
  const form = app.http.post(`${PACKS}/download_zip`).set('authorization', `Bearer ${root.token}`);
  return form.field('name', name).attach('file', archive, 'pack.zip');
};
/** A pack of this server with the emoji `tea`. */
async function makePack(metadata: object = { 'share-files': true }): Promise<void> {
  await upload(zipOf([{ name: 'tea.png', content: png }]), 'Shared').expect(200);
  await root.patch(PACK, { name: 'Shared', metadata }).expect(200);
}
const archiveOf = (name: string) =>
  app.world.anonymous
    .get(`${PACKS}/archive`, { name })
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex').toUpperCase();

describe('the archive of a pack', () => {
  it('has the checksum of its content, also when the pack changes during the request', async () => {
    await makePack();
    const before = await app.get(PackStore).manifest('Shared');
    const form = app.http.post(`${PACKS}/files`).set('authorization', `Bearer ${root.token}`);
    await form.field('name', 'Shared').field('shortcode', 'milk').attach('file', png, 'milk.png').expect(200);
    await app.get(PackArchives).sha256('Shared', before!);
    const { pack } = await ok<{ pack: object }>(app.world.anonymous.get(PACK, { name: 'Shared' }));
    const sent = await archiveOf('Shared').expect(200);
    expect(pack).toMatchObject({ 'download-sha256': sha256(sent.body as Buffer) });
  });

  it('holds the pictures and the manifest, under the published checksum', async () => {
    await makePack({ 'share-files': true, license: 'CC0' });
    const sent = await archiveOf('Shared').expect(200);
    const archive = sent.body as Buffer;
    const files = await unzipped(archive);
    expect(sent.headers).toMatchObject({ 'content-type': 'application/zip', 'x-content-type-options': 'nosniff' });
    expect([...files.keys()]).toEqual(['pack.json', 'tea.png']);
    expect(files.get('tea.png')).toEqual(png);
    expect(JSON.parse(files.get('pack.json')!.toString())).toMatchObject({ files: { tea: 'tea.png' } });
    const told = { pack: { 'can-download': true, 'download-sha256': sha256(archive) } };
    expect(await ok(app.world.anonymous.get(PACK, { name: 'Shared' }))).toMatchObject(told);
    expect(await ok(app.world.anonymous.get(PACKS))).toMatchObject({ packs: { Shared: told }, count: 1 });
    await root.patch(PACK, { name: 'Shared', metadata: { license: 'CC BY' } }).expect(200);
    const changed = await archiveOf('Shared').expect(200);
    expect(await ok(app.world.anonymous.get(PACK, { name: 'Shared' }))).toMatchObject({
      pack: { 'download-sha256': sha256(changed.body as Buffer) },
    });
  });

  it('lacks disabled emoji, as does the pack', async () => {
    const files = { tea: 'tea.png', mug: 'tea.png', milk: 'milk.png' };
    const pack = { name: 'pack.json', content: Buffer.from(JSON.stringify({ files, pack: { 'share-files': true } })) };
    const pictures = ['tea.png', 'milk.png'].map((name) => ({ name, content: png }));
    await upload(zipOf([pack, ...pictures]), 'Shared').expect(200);
    for (const name of ['milk', 'mug']) await disableEmoji(app, name);
    const sent = (await archiveOf('Shared').expect(200)).body as Buffer;
    const content = await unzipped(sent);
    expect([...content.keys()]).toEqual(['pack.json', 'tea.png']);
    expect(JSON.parse(content.get('pack.json')!.toString())).toMatchObject({
      files: { tea: 'tea.png' },
      files_count: 1,
    });
    const sum = { 'can-download': true, 'download-sha256': sha256(sent) };
    const json = { files: { tea: 'tea.png' }, files_count: 1, pack: expect.objectContaining(sum) };
    expect(await ok(app.world.anonymous.get(PACK, { name: 'Shared' }))).toEqual(json);
    expect(await ok(app.world.anonymous.get(PACKS))).toEqual({ packs: { Shared: json }, count: 1 });
  });

  it('E7 is refused for packs that are not shared or lack a file', async () => {
    await makePack({ 'share-files': false });
    const refusal = { error: 'Pack Shared cannot be downloaded: it is not shared, or some of its files are missing' };
    const get = () => app.world.anonymous.get(`${PACKS}/archive`, { name: 'Shared' });
    await get().expect(403, refusal);
    await root.patch(PACK, { name: 'Shared', metadata: { 'share-files': true } }).expect(200);
    await archiveOf('Shared').expect(200);
    await app.files.write(
      'emoji/Shared/pack.json',
      JSON.stringify({ files: { tea: 'tea.png', milk: 'milk.png' }, pack: { 'share-files': true } }),
    );
    await get().expect(403, refusal);
    await app.world.anonymous.get(`${PACKS}/archive`, { name: 'Lost' }).expect(404);
  });
});

describe('an uploaded archive', () => {
  const manifest = (files: object): ClaimedEntry => ({
    name: 'pack.json',
    content: Buffer.from(JSON.stringify({ files, pack: { license: 'CC0', 'share-files': true } })),
  });

  it('becomes a pack, with names from its pack.json or its files', async () => {
    const made = await upload(zipOf([manifest({ cup: 'tea.png' }), { name: 'tea.png', content: png }])).expect(200);
    expect(made.body).toBe('ok');
    expect(await ok(app.world.anonymous.get(PACK, { name: 'Copied' }))).toMatchObject({
      files: { cup: 'tea.png' },
      pack: { license: 'CC0' },
    });
    expect([known('cup'), known('tea'), await drafts()]).toEqual([true, false, []]);
    await upload(zipOf([{ name: 'tea.png', content: png }]), 'Bare').expect(200);
    expect(known('tea')).toBe(true);
    await upload(zipOf([{ name: 'milk.png', content: png }])).expect(409);
    expect([known('milk'), await drafts()]).toEqual([false, []]);
  });

  it('may name a picture for several emoji, which are disabled and renamed one by one', async () => {
    const both = { blob: 'b.png', blobby: 'b.png' };
    await upload(zipOf([manifest(both), { name: 'b.png', content: png }])).expect(200);
    const shows = async () => (await app.http.get('/emoji/Copied/b.png')).status;
    const rename = { name: 'Copied', shortcode: 'blobby', new_shortcode: 'bobby', new_filename: 'b.png' };
    expect(await ok(root.patch(`${PACKS}/files`, rename))).toEqual({ blob: 'b.png', bobby: 'b.png' });
    await disableEmoji(app, 'bobby');
    expect(await shows()).toBe(200);
    await disableEmoji(app, 'blob');
    expect(await shows()).toBe(404);
  });

  it('leaves its name free when its emoji cannot be committed', async () => {
    const store = app.get(PackStore);
    const create = store.create.bind(store);
    let rest: string | undefined;
    const creating = jest.spyOn(store, 'create').mockImplementation(async (...pack) => {
      await create(...pack);
      rest = await restOf(app);
      await killOwnConnection(app);
    });
    const archive = zipOf([{ name: 'tea.png', content: png }]);
    await upload(archive).expect(503);
    creating.mockRestore();
    expect(rest).toBe('1h'); // a bucket may take long
    await nothing();
    await upload(archive).expect(200);
    expect(known('tea')).toBe(true);
  });

  it('is downloaded from a given address', async () => {
    web.at('/pack.zip', (_, response) => response.end(zipOf([{ name: 'tea.png', content: png }])));
    await root.post(`${PACKS}/download_zip`, { name: 'Copied', url: `${web.origin}/pack.zip` }).expect(200);
    expect(known('tea')).toBe(true);
    for (const url of [`${web.origin}/none.zip`, 'http://169.254.169.254/x.zip', 'file:///etc/passwd', '']) {
      await root.post(`${PACKS}/download_zip`, { name: 'Other', url }).expect(400);
    }
  });

  it.each<[string, () => Buffer]>([
    ['E2 with a path that leads out', () => zipOf([{ name: '../tea.png', content: png }])],
    ['E2 with an absolute path', () => zipOf([{ name: '/tmp/tea.png', content: png }])],
    ['E2 with a path that leads out of a folder', () => zipOf([{ name: 'a/../../tea.png', content: png }])],
    [
      'E2 with two files of one name',
      () => zipOf(['x.png', 'a/b.png', 'a_b.png'].map((name) => ({ name, content: png }))),
    ],
    ['E2 with a backslash', () => zipOf([{ name: '..\\tea.png', content: png }])],
    ['E2 with NUL', () => zipOf([{ name: 'tea.png\0.png', content: png }])],
    ['E2 with a link', () => zipOf([{ name: 'tea.png', content: Buffer.from('/etc/passwd'), mode: 0o120777 }])],
    ['E2 with a name twice', () => zipOf(['a.png', 'a.png'].map((name) => ({ name, content: png })))],
    ['E2 with what is no picture', () => zipOf([{ name: 'tea.png', content: png }, { name: 'notes.txt' }])],
    [
      'E2 with what is no part of it',
      () => zipOf([manifest({ tea: 'tea.png' }), { name: 'tea.png', content: png }, { name: 'notes.txt' }]),
    ],
    ['E2 with a false picture', () => zipOf([{ name: 'tea.png', content: png }, { name: 'x.png' }])],
    ['E6 with a drawing', () => zipOf([{ name: 'tea.svg', content: Buffer.from('<svg/>') }])],
    ['with a picture of another type', () => zipOf([{ name: 'tea.gif', content: png }])],
    ['of nothing', () => zipOf([])],
    ['that is none', () => Buffer.from('hello')],
    ['that lacks a file', () => zipOf([manifest({ tea: 'tea.png' })])],
    ['with an unreadable pack.json', () => zipOf([{ name: 'pack.json' }, { name: 'tea.png', content: png }])],
    ['E3 that is a bomb', () => zipOf([{ name: 'tea.png', content: Buffer.alloc(MIB) }])],
    ['E3 with a large picture', () => zipOf([{ name: 'tea.png', content: Buffer.alloc(MIB + 1), method: 0 }])],
    ['E3 of many files', () => zipOf(Array.from({ length: 2_002 }, (_, n) => ({ name: `${n}.png`, method: 0 })))],
    ['E3 that holds an archive', () => zipOf([{ name: 'a.zip', content: zipOf([{ name: 'tea.png' }]) }])],
  ])('refuses %s as a whole', async (_, archive) => {
    const answer = await upload(archive());
    expect([answer.status, typeof (answer.body as { error: unknown }).error]).toEqual([400, 'string']);
    await nothing();
  });
});

describe('a pack of another server', () => {
  const PACK_PATH = '/api/v1/svc/emoji/pack?name=Far&page_size=2000';
  const answer = (path: string, value: unknown) =>
    web.at(path, (_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value)));
  const archive = () => zipOf([{ name: 'cat.png', content: png }]);
  const far = (pack: object = {}) => ({
    files: { cat: 'cat.png', '../x': 'cat.png' },
    files_count: 1,
    pack: { 'share-files': true, 'can-download': true, 'download-sha256': sha256(archive()), ...pack },
  });
  const share = (features: unknown = ['shareable_emoji_packs'], href = `${web.origin}/nodeinfo/2.1`) => {
    answer('/.well-known/nodeinfo', {
      links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.1', href }],
    });
    answer('/nodeinfo/2.1', { metadata: { features } });
  };
  const download = (more = {}) => root.post(`${PACKS}/download`, { url: web.origin, name: 'Far', ...more });

  beforeEach(() => {
    share();
    answer(PACK_PATH, far());
    web.at('/api/v1/svc/emoji/packs/archive?name=Far', (_, response) => response.end(archive()));
  });

  it('is listed', async () => {
    const path = '/api/v1/svc/emoji/packs?page=2&page_size=1';
    answer(path, { packs: { Far: { ...far(), bogus: '<script>' } }, count: 7 });
    const list = await ok(root.get(`${PACKS}/remote`, { url: `${web.origin}/about`, page: 2, page_size: 1 }));
    expect(list).toEqual({
      packs: {
        Far: {
          files: { cat: 'cat.png' },
          files_count: 1,
          pack: { license: '', homepage: '', description: '', 'share-files': true },
        },
      },
      count: 7,
    });
    await nothing();
  });

  it('is copied, also under another name', async () => {
    expect((await download().expect(200)).body).toBe('ok');
    expect(known('cat')).toBe(true);
    expect(await ok(app.world.anonymous.get(PACK, { name: 'Far' }))).toMatchObject({
      files: { cat: 'cat.png' },
      pack: { 'share-files': false },
    });
    await download().expect(409, { error: 'A pack named "Far" already exists' });
    await download({ as: 'Near' }).expect(200);
    expect(await stored('Near')).toEqual(['cat.png', 'pack.json']);
    expect(await app.sql('select pack from custom_emojis')).toEqual([{ pack: 'Far' }]);
  });

  it('is copied from its fallback archive when its server does not share it', async () => {
    const fallback = { 'share-files': false, 'fallback-src': `${web.origin}/elsewhere.zip` };
    web.at('/elsewhere.zip', (_, response) => response.end(archive()));
    answer(PACK_PATH, far({ ...fallback, 'can-download': false }));
    const refusal = { error: 'The pack was not set as shared and there is no fallback src to download from' };
    await download().expect(400, refusal);
    answer(PACK_PATH, far({ ...fallback, 'fallback-src-sha256': sha256(archive()) }));
    await download().expect(200);
    expect(known('cat')).toBe(true);
  });

  it('E4 is refused when its archive has another checksum', async () => {
    answer(PACK_PATH, far({ 'download-sha256': sha256(png) }));
    await download().expect(400, { error: "SHA256 for the pack doesn't match the one sent by the server" });
    const bad = zipOf([{ name: '../cat.png', content: png }]);
    web.at('/api/v1/svc/emoji/packs/archive?name=Far', (_, response) => response.end(bad));
    answer(PACK_PATH, far({ 'download-sha256': sha256(bad) }));
    await download().expect(400);
    await nothing();
  });

  it('S7 cannot lead to internal addresses', async () => {
    const refusal = { error: 'The requested instance does not support sharing emoji packs' };
    const remote = (url: string) => root.get(`${PACKS}/remote`, { url });
    for (const url of ['http://169.254.169.254/', 'http://localhost:1', 'file:///etc/passwd', 'x', '']) {
      expect((await remote(url)).status).toBe(400);
      expect((await root.post(`${PACKS}/download`, { url, name: 'Far' })).status).toBe(400);
    }
    for (const features of [[], 'shareable_emoji_packs', null]) {
      share(features);
      await remote(web.origin).expect(400, refusal);
      await download().expect(400, refusal);
    }
    share(['shareable_emoji_packs'], 'https://other.example/nodeinfo');
    await remote(web.origin).expect(400, refusal);
    await nothing();
  });

  it('answers 500 when the other server fails', async () => {
    web.at('/api/v1/svc/emoji/packs/archive?name=Far', (_, response) => response.writeHead(503).end());
    await download().expect(500, { error: 'The other server answered 503' });
    web.at('/api/v1/svc/emoji/packs/archive?name=Far', (_, response) => response.destroy());
    await download().expect(500, { error: 'The remote server could not be reached' });
    await nothing();
  });
});

describe('the fallback archive of a pack', () => {
  const describeWith = (metadata: object) => root.patch(PACK, { name: 'Shared', metadata });

  it('must hold all of its files', async () => {
    await makePack();
    const good = zipOf([{ name: 'tea.png', content: png }, { name: 'more.txt' }]);
    web.at('/good.zip', (_, response) => response.end(good));
    web.at('/poor.zip', (_, response) => response.end(zipOf([{ name: 'milk.png', content: png }])));
    web.at('/text.zip', (_, response) => response.end('hello'));
    const lacking = { error: 'The fallback archive does not have all files specified in pack.json' };
    await describeWith({ 'fallback-src': `${web.origin}/poor.zip` }).expect(400, lacking);
    for (const path of ['text.zip', 'none.zip'])
      await describeWith({ 'fallback-src': `${web.origin}/${path}` }).expect(400);
    const src = { 'fallback-src': `${web.origin}/good.zip` };
    await describeWith({ ...src, 'fallback-src-sha256': sha256(png) }).expect(400);
    expect(await ok(describeWith(src))).toMatchObject({ ...src, 'fallback-src-sha256': sha256(good) });
    expect(await ok(describeWith({ license: 'CC0' }))).toMatchObject({ ...src, 'fallback-src-sha256': sha256(good) });
    expect(await ok(describeWith({ 'fallback-src': '' }))).not.toHaveProperty('fallback-src-sha256');
  });

  it('is not fetched again for metadata that a dashboard sends back, and replaced with its old checksum', async () => {
    await makePack();
    const [good, other] = ['good', 'other'].map((text) => zipOf([{ name: 'tea.png', content: png }, { name: text }]));
    web.at('/good.zip', (_, response) => response.end(good));
    const shown = await ok<object>(describeWith({ 'fallback-src': `${web.origin}/good.zip` }));
    web.at('/good.zip', (_, response) => response.writeHead(404).end());
    expect(await ok(describeWith({ ...shown, license: 'CC0' }))).toMatchObject({ ...shown, license: 'CC0' });
    web.at('/other.zip', (_, response) => response.end(other));
    const src = { 'fallback-src': `${web.origin}/other.zip` };
    expect(await ok(describeWith({ ...shown, ...src }))).toMatchObject({
      ...src,
      'fallback-src-sha256': sha256(other!),
    });
  });

  it('E8 keeps its checksum during a concurrent change', async () => {
    await makePack();
    const archive = zipOf([{ name: 'tea.png', content: png }]);
    web.at('/good.zip', (_, response) => response.end(archive));
    await holding(app, async (holder) => {
      await holder.query(`select pg_advisory_xact_lock(hashtextextended('emoji packs', 0))`);
      const first = ok(describeWith({ 'fallback-src': `${web.origin}/good.zip` }));
      await waitersOf(holder, 1);
      const second = ok(describeWith({ license: 'CC0' }));
      await waitersOf(holder, 2);
      await holder.query('commit');
      await Promise.all([first, second]);
    });
    const { pack } = await ok<{ pack: object }>(app.world.anonymous.get(PACK, { name: 'Shared' }));
    expect(pack).toMatchObject({ license: 'CC0', 'fallback-src-sha256': sha256(archive) });
  });
});

describe('a picture by URL', () => {
  const add = (file: string) => root.post(`${PACKS}/files`, { name: 'Shared', file });

  it('becomes an emoji', async () => {
    await makePack();
    web.at('/pics/hot%20cup.png?size=2', (_, response) => response.setHeader('content-type', 'image/png').end(png));
    web.at('/page.png', (_, response) => response.setHeader('content-type', 'text/html').end('<p>'));
    expect(await ok(add(`${web.origin}/pics/hot%20cup.png?size=2`))).toEqual({
      hot_cup: 'hot_cup.png',
      tea: 'tea.png',
    });
    for (const url of [`${web.origin}/page.png`, `${web.origin}/none.png`, 'http://127.0.0.2/x.png', 'x']) {
      expect([url, (await add(url)).status]).toEqual([url, 400]);
    }
    expect(await drafts()).toEqual([]);
  });
});
