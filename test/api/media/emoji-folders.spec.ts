import { createHash } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { EmojiCache, PackTransferService } from '../../../src/emoji/index.js';
import { useApp } from '../../support/servers/app.js';
import { describeOnDisk } from '../../support/servers/stored-files.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { clearPacks } from '../../support/fixtures/emoji.js';
import { picture } from '../../support/fixtures/media-files.js';
import { ok } from '../../support/fixtures/statuses.js';
import { useWebHost, WEB_HOST_ADDRESS } from '../../support/servers/web-host.js';
import type { Client } from '../../support/fixtures/world.js';
import { type ClaimedEntry, zipOf } from '../../support/fixtures/zip.js';

/* Packs whose files lie in folders, in each of the ways in which packs come: their files get names without folders. */

const PACK = '/api/v1/svc/emoji/pack';
const PACKS = '/api/v1/svc/emoji/packs';
/** The longest path in a pack. */
const LONGEST_PATH = 500;

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

const manifest = (files: object) => Buffer.from(JSON.stringify({ files, pack: {} }));
const known = (name: string) => app.get(EmojiCache).has(name);
const stored = (...path: string[]) => app.files.names(['emoji', ...path].join('/'));
const shown = (name: string) => ok<{ files: object }>(app.world.anonymous.get(PACK, { name }));
const upload = (entries: readonly ClaimedEntry[]) => {
  const form = app.http.post(`${PACKS}/download_zip`).set('authorization', `Bearer ${root.token}`);
  return form.field('name', 'Copied').attach('file', zipOf(entries), 'pack.zip');
};
const pictures = (...names: string[]) => names.map((name) => ({ name, content: png }));
/** Writes files below a folder of the data folder: pictures, but for those whose content is given. */
async function write(folder: string, files: readonly string[], contents: Record<string, Buffer> = {}): Promise<string> {
  const base = join(app.env.dataDir, folder);
  await mkdir(base, { recursive: true });
  for (const file of [...files, ...Object.keys(contents)]) {
    await mkdir(dirname(join(base, file)), { recursive: true });
    await writeFile(join(base, file), contents[file] ?? png);
  }
  return base;
}

describe('an archive with folders', () => {
  it.each<[string, () => ClaimedEntry[], Record<string, string>]>([
    ['one folder that holds all', () => pictures('a/tea.png'), { tea: 'tea.png' }],
    [
      'an entry for the folder itself',
      () => [{ name: 'a/', content: Buffer.alloc(0) }, ...pictures('a/tea.png')],
      { tea: 'tea.png' },
    ],
    [
      'folders of equal names of files',
      () => pictures('tea.png', 'hot/tea.png', 'hot/iced/tea.png'),
      { tea: 'tea.png', hot_tea: 'hot_tea.png', hot_iced_tea: 'hot_iced_tea.png' },
    ],
    [
      'folders in one whose names begin alike',
      () => pictures('a/hot/tea.png', 'a/hotter/tea.png'),
      { hot_tea: 'hot_tea.png', hotter_tea: 'hotter_tea.png' },
    ],
    [
      'a pack.json in a folder',
      () => [{ name: 'a/b/pack.json', content: manifest({ cup: 'tea.png' }) }, ...pictures('a/b/tea.png')],
      { cup: 'tea.png' },
    ],
    [
      'a pack.json that names files in folders',
      () => [{ name: 'a/pack.json', content: manifest({ cup: 'hot/tea.png' }) }, ...pictures('a/hot/tea.png')],
      { cup: 'hot_tea.png' },
    ],
    ['what macOS adds', () => pictures('a/tea.png', '__MACOSX/a/._tea.png', 'a/.DS_Store'), { tea: 'tea.png' }],
    [
      'E3 the longest path',
      () => pictures(`${'a'.repeat(LONGEST_PATH - '/tea.png'.length)}/tea.png`),
      { tea: 'tea.png' },
    ],
  ])('becomes a pack without any: %s', async (_what, entries, files) => {
    await upload(entries()).expect(200);
    expect(await shown('Copied')).toMatchObject({ files });
    expect(await stored('Copied')).toEqual(['pack.json', ...Object.values(files)].toSorted());
  });

  it.each([
    ['a picture', (folder: string) => `${folder}/tea.png`],
    ['what macOS adds', (folder: string) => `${folder}/.DS_Store`],
  ])('E3 is refused for a longer path of %s', async (_what, pathIn) => {
    const path = pathIn('a'.repeat(LONGEST_PATH + 1 - pathIn('').length));
    await upload(pictures('tea.png', path)).expect(400, {
      error: `A path in a pack has at most ${LONGEST_PATH} characters`,
    });
    expect(await stored()).toEqual([]);
  });
});

describe('a pack of another server whose files lie in folders', () => {
  const answer = (path: string, value: unknown) =>
    web.at(path, (_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value)));
  const share = (archive: Buffer) => {
    const href = `${web.origin}/nodeinfo/2.1`;
    answer('/.well-known/nodeinfo', { links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.1', href }] });
    answer('/nodeinfo/2.1', { metadata: { features: ['shareable_emoji_packs'] } });
    const sum = createHash('sha256').update(archive).digest('hex');
    const pack = {
      files: { cat: 'big/cat.png' },
      files_count: 1,
      pack: { 'share-files': true, 'can-download': true, 'download-sha256': sum },
    };
    answer('/api/v1/svc/emoji/pack?name=Far&page_size=2000', pack);
    answer('/api/v1/svc/emoji/packs?page=1&page_size=50', { packs: { Far: pack }, count: 1 });
    web.at('/api/v1/svc/emoji/packs/archive?name=Far', (_, response) => response.end(archive));
  };

  it.each<[string, () => ClaimedEntry[]]>([
    ['with', () => [{ name: 'pack.json', content: manifest({ cat: 'big/cat.png' }) }, ...pictures('big/cat.png')]],
    ['without', () => pictures('big/cat.png')],
  ])('is listed, and copied from an archive %s a pack.json', async (_how, entries) => {
    share(zipOf(entries()));
    expect(await ok(root.get(`${PACKS}/remote`, { url: web.origin }))).toMatchObject({
      packs: { Far: { files: { cat: 'big_cat.png' } } },
    });
    await root.post(`${PACKS}/download`, { url: web.origin, name: 'Far' }).expect(200);
    expect([await stored('Far'), known('cat')]).toEqual([['big_cat.png', 'pack.json'], true]);
  });

  it('is copied from the page of the staff', async () => {
    share(zipOf(pictures('big/cat.png')));
    const visit = await new BrowserVisit(app).signIn('root');
    await visit.get('/app/staff/emoji');
    const fields = { _csrf: visit.field('_csrf')!, url: web.origin, remote_name: 'Far' };
    expect((await visit.post('/app/staff/emoji/download', fields)).headers['location']).toBe('/app/staff/emoji/Far');
    expect(await stored('Far')).toEqual(['big_cat.png', 'pack.json']);
  });
});

describe('a local folder with folders', () => {
  it('becomes a pack of its pictures, without those in hidden folders and folders of other names', async () => {
    const folder = await write(
      'drinks',
      ['tea.png', 'hot/tea.png', '.thumbnails/tea.png', 'thé/tea.png', 'notes.txt'],
      {
        'pack.json': manifest({ tea: 'tea.png', cup: 'hot/tea.png' }),
        'hot/pack.json': manifest({ other: 'tea.png' }),
      },
    );
    await app.get(PackTransferService).copyFolder('Drinks', folder);
    expect(await shown('Drinks')).toMatchObject({ files: { tea: 'tea.png', cup: 'hot_tea.png' } });
    expect(await stored('Drinks')).toEqual(['hot_tea.png', 'pack.json', 'tea.png']);
  });
});

describeOnDisk('folders within a pack on disk', () => {
  it('lose their pictures to the pack on import, under the names that archives give them', async () => {
    await write('emoji/Loose', ['tea.png', 'hot/tea.png', 'hot/iced/tea.png', '.thumbnails/tea.png']);
    const outside = await write('outside', ['milk.png']);
    await symlink(outside, join(app.env.dataDir, 'emoji', 'Loose', 'linked'));
    await write('emoji/Named', ['hot/tea.png', 'hot/unnamed.png'], { 'pack.json': manifest({ cup: './hot/tea.png' }) });
    await write('emoji/Within', ['a/b/tea.png'], { 'a/pack.json': manifest({ mug: 'b/tea.png' }) });
    expect(await ok(root.get(`${PACKS}/import`))).toEqual(['Loose', 'Named', 'Within']);
    expect((await shown('Loose')).files).toEqual({
      tea: 'tea.png',
      hot_tea: 'hot_tea.png',
      hot_iced_tea: 'hot_iced_tea.png',
    });
    expect((await shown('Named')).files).toEqual({ cup: 'hot_tea.png' });
    expect((await shown('Within')).files).toEqual({ mug: 'b_tea.png' });
    expect(await stored('Within')).toEqual(['a', 'b_tea.png', 'pack.json']);
    await app.http.get('/emoji/Named/hot_tea.png').expect(200);
    expect(await stored('Named', 'hot')).toEqual(['unnamed.png']);
    expect([await ok(root.get(`${PACKS}/import`)), known('linked_milk')]).toEqual([[], false]);
  });

  it.each([
    ['broken', { 'hot/pack.json': Buffer.from('{') }],
    ['broken, with a readable one below it', { 'hot/pack.json': Buffer.from('{'), 'hot/iced/pack.json': manifest({}) }],
  ])('stay as they are where their pack.json is %s', async (_how, contents) => {
    await write('emoji/Drinks', ['tea.png', 'hot/tea.png', 'hot/iced/tea.png'], contents);
    const before = await app.files.paths('emoji/Drinks');
    const warn = jest.spyOn(Logger.prototype, 'warn');
    expect(await ok(root.get(`${PACKS}/import`))).toEqual([]);
    expect(warn).toHaveBeenCalledWith({ pack: 'Drinks' }, expect.stringContaining('unreadable'));
    expect([await app.files.paths('emoji/Drinks'), known('tea')]).toEqual([before, false]);
    await write('emoji/Drinks', [], { 'hot/pack.json': manifest({ cup: 'iced/tea.png' }) });
    expect(await ok(root.get(`${PACKS}/import`))).toEqual(['Drinks']);
    expect((await shown('Drinks')).files).toEqual({ cup: 'iced_tea.png' });
  });

  it('stay as they are where the pack.json above them is a link', async () => {
    const base = await write('emoji/Drinks', ['hot/tea.png'], { 'hot/pack.json': manifest({ tea: 'tea.png' }) });
    await symlink(join(base, 'elsewhere.json'), join(base, 'pack.json'));
    const before = await app.files.paths('emoji/Drinks');
    expect(await ok(root.get(`${PACKS}/import`))).toEqual([]);
    expect(await app.files.paths('emoji/Drinks')).toEqual(before);
  });

  it('keep a picture whose name the pack has already', async () => {
    await write('emoji/Loose', ['hot/tea.png'], { 'hot_tea.png': await picture('png', 7, 7) });
    expect(await ok(root.get(`${PACKS}/import`))).toEqual(['Loose']);
    expect((await shown('Loose')).files).toEqual({ hot_tea: 'hot_tea.png' });
    expect(await stored('Loose', 'hot')).toEqual(['tea.png']);
  });
});
