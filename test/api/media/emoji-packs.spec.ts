import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmojiCache } from '../../../src/emoji/index.js';
import { MediaStorage } from '../../../src/platform/index.js';
import { useApp } from '../../support/servers/app.js';
import { describeOnDisk } from '../../support/servers/stored-files.js';
import { addEmoji, clearPacks, emojiUrl } from '../../support/fixtures/emoji.js';
import { eventually } from '../../support/eventually.js';
import { holding, waitersOf } from '../../support/locks.js';
import { animation, giantPng, noted, phonePhoto, picture } from '../../support/fixtures/media-files.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import { filesOf } from '../../support/fixtures/uploads.js';
import { zipOf } from '../../support/fixtures/zip.js';
import type { Client } from '../../support/fixtures/world.js';

const PACK = '/api/v1/svc/emoji/pack';
const PACKS = '/api/v1/svc/emoji/packs';
const FILES = `${PACKS}/files`;
/** Invalid pack names (threat E1). */
const BAD_NAMES = ['../up', '/etc', 'a/b', 'a\\b', '.hidden', '..', 'a\u202eb', 'x'.repeat(65), 'tea ', 'tea.', 'té'];
/** The lock that serialises changes of packs. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('emoji packs', 0))`;

interface Pack {
  readonly files: Record<string, string>;
  readonly files_count: number;
  readonly pack: Record<string, unknown>;
}

const app = useApp();
let root: Client;

beforeEach(async () => {
  await clearPacks(app);
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin:write');
});

const folder = (...more: string[]) => join(app.env.dataDir, 'emoji', ...more);
const known = () => app.get(EmojiCache);
const send = (fields: Record<string, string>, file: Buffer | string = '', name = 'tea.png') => {
  const form = app.http.post(FILES).set('authorization', `Bearer ${root.token}`);
  for (const [key, value] of Object.entries(fields)) void form.field(key, value);
  return form.attach('file', Buffer.from(file), name);
};
const add = async (pack: string, shortcode: string) =>
  ok<Record<string, string>>(send({ name: pack, shortcode, filename: `${shortcode}.png` }, await picture()));
const named = (shortcode: string, content: Buffer) => ({ name: `${shortcode}.png`, content });
const create = (name: string) => root.post(PACK, { name }).expect(200);
const shown = (name: string, query = {}) => ok<Pack>(app.world.anonymous.get(PACK, { name, ...query }));
const stored = (...path: string[]) => app.files.names(['emoji', ...path].join('/'));
const drafts = () => readdir(folder('.drafts'));

describe('a pack', () => {
  it('is created, described and removed with its emoji, under both prefixes', async () => {
    const made = await root.post('/api/svc/emoji/pack?name=Tea%20time').expect(200);
    expect(made.body).toBe('ok');
    const empty = { license: '', homepage: '', description: '', 'share-files': false };
    expect(await shown('Tea time')).toEqual({ files: {}, files_count: 0, pack: { ...empty, 'can-download': false } });
    await root.post(PACK, { name: 'Tea time' }).expect(409, { error: 'A pack named "Tea time" already exists' });
    const metadata = { license: 'CC0', homepage: 'https://tea.example', description: 'Cups', 'share-files': 'true' };
    const described = { ...metadata, 'share-files': true };
    expect(await ok(root.patch(PACK, { name: 'Tea time', metadata }))).toEqual(described);
    expect(await ok(root.patch(PACK, { name: 'Tea time', metadata: { license: 'CC BY' } }))).toEqual({
      ...described,
      license: 'CC BY',
    });
    await add('Tea time', 'tea');
    expect(JSON.parse((await app.files.read('emoji/Tea time/pack.json')).toString())).toEqual({
      files: { tea: 'tea.png' },
      pack: { ...described, license: 'CC BY' },
      files_count: 1,
    });
    expect((await root.delete(PACK, { name: 'Tea time' }).expect(200)).body).toBe('ok');
    expect([await stored(), await drafts(), known().has('tea')]).toEqual([[], [], false]);
    await app.http.get('/emoji/Tea%20time/tea.png').expect(404);
    const missing = { error: 'Pack Tea time does not exist' };
    await root.delete(PACK, { name: 'Tea time' }).expect(404, missing);
    await root.patch(PACK, { name: 'Tea time', metadata }).expect(404, missing);
    await app.world.anonymous.get(PACK, { name: 'Tea time' }).expect(404, missing);
  });

  it('E1 rejects names that lead out of the folder', async () => {
    await create('Tea');
    const before = await stored();
    const calls = (name: string) => [
      root.post(PACK, { name }),
      root.patch(PACK, { name, metadata: {} }),
      root.delete(PACK, { name }),
      app.world.anonymous.get(PACK, { name }),
      app.world.anonymous.get(`${PACKS}/archive`, { name }),
      root.post(FILES, { name, file: 'https://a.example/tea.png' }),
      root.patch(FILES, { name, shortcode: 'a', new_shortcode: 'b', new_filename: 'b.png' }),
      root.delete(FILES, { name, shortcode: 'a' }),
      root.post(`${PACKS}/download`, { url: 'https://a.example', name }),
      root.post(`${PACKS}/download`, { url: 'https://a.example', name: 'Tea', as: name || ' ' }),
      root.post(`${PACKS}/download_zip`, { name, url: 'https://a.example/tea.zip' }),
    ];
    for (const name of ['', ...BAD_NAMES]) {
      for (const call of calls(name)) {
        const answer = await call;
        expect([name, answer.status, typeof (answer.body as { error: unknown }).error]).toEqual([name, 400, 'string']);
      }
    }
    await root.post(PACK).expect(400, { error: 'pack name cannot be empty' });
    expect(await stored()).toEqual(before);
  });

  it('lists pages of its emoji, and pages of packs', async () => {
    for (const name of ['A', 'B', 'C']) await create(name);
    for (const name of ['milk', 'tea', 'cocoa']) await add('B', name);
    expect(await shown('B')).toMatchObject({ files: { cocoa: 'cocoa.png', milk: 'milk.png', tea: 'tea.png' } });
    const last = { files: { tea: 'tea.png' }, files_count: 3 };
    expect(await shown('B', { page: 2, page_size: 2 })).toMatchObject(last);
    const list = await ok<{ packs: Record<string, Pack>; count: number }>(
      app.world.anonymous.get(PACKS, { page: 2, page_size: 1 }),
    );
    expect([Object.keys(list.packs), list.count, list.packs['B']!.files_count]).toEqual([['B'], 3, 3]);
    const end = await ok<{ packs: object }>(app.world.anonymous.get(PACKS, { page: 0, page_size: 2 }));
    expect(Object.keys(end.packs)).toEqual(['C']);
    const odd = await ok<{ packs: object }>(app.world.anonymous.get(PACKS, { page: 'x', page_size: 51 }));
    expect(Object.keys(odd.packs)).toEqual(['A', 'B', 'C']);
  });

  it('loses its emoji on import when it was deleted behind the server', async () => {
    await addEmoji(app, 'tea');
    await clearPacks(app);
    expect(await ok(root.get(`${PACKS}/import`))).toEqual([]);
    expect(known().has('tea')).toBe(false);
  });

  it('can be changed by admins only', async () => {
    await app.world.person('alice');
    const alice = await app.world.as('alice', 'admin:write');
    await alice.post(PACK, { name: 'Tea' }).expect(403, { error: 'User is not an admin.' });
    expect(await stored()).toEqual([]);
  });
});

describe('an emoji', () => {
  beforeEach(() => create('Tea time'));

  it('is added, listed at once, and served', async () => {
    const photo = await phonePhoto(40, 30);
    const files = await ok(send({ name: 'Tea time', shortcode: 'tea', filename: 'cup.jpg' }, photo, 'x.jpg'));
    expect(files).toEqual({ tea: 'cup.jpg' });
    const served = await app.http.get('/emoji/Tea%20time/cup.jpg').expect(200).expect('content-type', 'image/jpeg');
    expect((served.body as Buffer).includes('Somebody')).toBe(false);
    const made = await post(app, 'root', 'a cup of :tea:');
    expect(made.emojis).toMatchObject([{ shortcode: 'tea', url: 'https://svc.test/emoji/Tea%20time/cup.jpg' }]);
    expect((await filesOf(app)).temporary).toEqual([]);
    expect(await drafts()).toEqual([]);
  });

  it('gets a missing name from its file', async () => {
    await ok(send({ name: 'Tea time' }, await animation('gif'), 'C:\\pics\\hot tea!.PNG'));
    expect((await shown('Tea time')).files).toEqual({ hot_tea_: 'hot_tea_.gif' });
  });

  it('is added with the others of a zip archive in place of a picture', async () => {
    const [png, gif] = [await picture(), await animation('gif')];
    const archive = zipOf([
      { name: 'hot/tea.png', content: png },
      { name: 'milk.gif', content: gif },
    ]);
    await add('Tea time', 'cup');
    const files = await ok(send({ name: 'Tea time', shortcode: 'unused' }, archive, 'pack.zip'));
    expect(files).toEqual({ cup: 'cup.png', hot_tea: 'hot_tea.png', milk: 'milk.gif' });
    expect(await stored('Tea time')).toEqual(['cup.png', 'hot_tea.png', 'milk.gif', 'pack.json']);
    await app.http.get('/emoji/Tea%20time/hot_tea.png').expect(200).expect('content-type', 'image/png');
    expect([(await filesOf(app)).temporary, await drafts()]).toEqual([[], []]);
  });

  it.each<[what: string, status: number, content: () => Promise<Buffer>]>([
    ['a name that is taken', 409, async () => zipOf([named('milk', await picture()), named('tea', await picture())])],
    [
      'a file that is no picture',
      400,
      async () => zipOf([named('milk', await picture()), named('x', Buffer.from('hello'))]),
    ],
    ['E2 a path that leads out', 400, async () => zipOf([named('../milk', await picture())])],
    ['no file', 400, () => Promise.resolve(zipOf([{ name: 'readme.txt', content: Buffer.from('hello') }]))],
    [
      'E3 a large picture',
      400,
      async () => zipOf([named('milk', Buffer.concat([await picture(), randomBytes(2 ** 20)]))]),
    ],
  ])('is not taken from an archive with %s, nor are the others', async (_what, status, content) => {
    await add('Tea time', 'tea');
    const answer = await send({ name: 'Tea time' }, await content(), 'pack.zip');
    expect([answer.status, typeof (answer.body as { error: unknown }).error]).toEqual([status, 'string']);
    expect([await stored('Tea time'), await drafts()]).toEqual([['pack.json', 'tea.png'], []]);
    expect(await app.sql('select shortcode from custom_emojis')).toEqual([{ shortcode: 'tea' }]);
  });

  it('has a unique name across all packs', async () => {
    await add('Tea time', 'tea');
    await create('Other');
    const taken = { error: 'An emoji with the "tea" shortcode already exists' };
    for (const name of ['Tea time', 'Other']) {
      await send({ name, shortcode: 'tea', filename: 'tea2.png' }, await picture()).expect(409, taken);
    }
    await send({ name: 'Tea time', shortcode: 'milk', filename: 'tea.png' }, await picture()).expect(409);
    expect(await app.sql('select shortcode, pack, file from custom_emojis')).toEqual([
      { shortcode: 'tea', pack: 'Tea time', file: 'tea.png' },
    ]);
    expect(await stored('Other')).toEqual(['pack.json']);
  });

  it.each<[string, number, Record<string, string>, () => Promise<Buffer> | Buffer]>([
    ['an empty shortcode', 422, { shortcode: ' ' }, () => picture()],
    ['an empty filename', 422, { filename: '' }, () => picture()],
    ['E1 a filename with a path', 400, { filename: '../tea.png' }, () => picture()],
    ['E1 a hidden file', 400, { filename: '.tea.png' }, () => picture()],
    ['E1 the manifest', 400, { filename: 'pack.json' }, () => picture()],
    ['E6 a filename of another type', 400, { filename: 'tea.svg' }, () => picture()],
    ['a filename of another picture', 400, { filename: 'tea.gif' }, () => picture()],
    ['F15 a shortcode with markup', 400, { shortcode: '<b>' }, () => picture()],
    ['F15 a shortcode with a path', 400, { shortcode: '../x' }, () => picture()],
    ['a long shortcode', 400, { shortcode: 'x'.repeat(65) }, () => picture()],
    ['E6 a drawing', 400, {}, () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['something else', 400, {}, () => Buffer.from('hello')],
    ['M4 a picture that says it is huge', 400, {}, () => giantPng()],
    ['a picture of many pixels', 400, {}, () => picture('png', 2_049, 10)],
    ['a large file', 413, {}, () => Buffer.alloc(1024 * 1024 + 1)],
  ])('is refused for %s with %i', async (_, status, fields, content) => {
    const answer = await send({ name: 'Tea time', ...fields }, await content());
    expect([answer.status, typeof (answer.body as { error: unknown }).error]).toEqual([status, 'string']);
    expect([await stored('Tea time'), await drafts()]).toEqual([['pack.json'], []]);
    expect(await app.sql('select from custom_emojis')).toEqual([]);
  });

  it.each([
    ['a/tea.png', 'must not hold a slash'],
    ['tea.gif', 'must end in .png, as the picture is of this type'],
    ['té.png', 'must begin with a letter, digit, _ or -, and hold only those, spaces and . +'],
    [`${'x'.repeat(121)}.png`, 'must have at most 120 characters before .png'],
  ])('is refused for the filename %s with an explanation', async (filename, problem) => {
    const fields = { name: 'Tea time', shortcode: 'cup' };
    const refused = await send({ ...fields, filename }, await picture()).expect(400);
    expect(refused.body).toEqual({ error: `"${filename}" ${problem}` });
    await add('Tea time', 'tea');
    const renaming = { name: 'Tea time', shortcode: 'tea', new_shortcode: 'tea', new_filename: filename };
    await root.patch(FILES, renaming).expect(400, { error: `new_filename ${problem}` });
  });

  it('is renamed with its file', async () => {
    await add('Tea time', 'tea');
    const rename = { name: 'Tea time', shortcode: 'tea', new_shortcode: 'cup', new_filename: 'cup.png' };
    expect(await ok(root.patch(FILES, rename))).toEqual({ cup: 'cup.png' });
    expect(await stored('Tea time')).toEqual(['cup.png', 'pack.json']);
    expect([known().has('tea'), known().urlOf('cup')]).toEqual([false, 'https://svc.test/emoji/Tea%20time/cup.png']);
    await root.patch(FILES, rename).expect(400, { error: 'Emoji "tea" does not exist' });
    await root.patch(FILES, { ...rename, new_shortcode: '' }).expect(422);
    await root.patch(FILES, { ...rename, new_filename: ' ' }).expect(422);
    for (const wrong of [{ new_filename: '../x.png' }, { new_filename: 'x.gif' }, { new_shortcode: 'a b' }]) {
      await root.patch(FILES, { ...rename, shortcode: 'cup', ...wrong }).expect(400);
    }
    await add('Tea time', 'milk');
    const over = { ...rename, shortcode: 'milk', new_shortcode: 'hot_milk' };
    await root.patch(FILES, over).expect(409, { error: 'A file named "cup.png" already exists' });
    const lost = { error: 'pack "Lost" is not found' };
    await root.patch(FILES, { ...rename, name: 'Lost' }).expect(404, lost);
  });

  it('replaces another one of its name with `force`', async () => {
    for (const name of ['tea', 'cup']) await add('Tea time', name);
    await create('Other');
    await add('Other', 'milk');
    const rename = { name: 'Tea time', shortcode: 'tea', new_shortcode: 'cup', new_filename: 'tea.png' };
    await root.patch(FILES, rename).expect(409, { error: 'An emoji with the "cup" shortcode already exists' });
    expect(await ok(root.patch(FILES, { ...rename, force: true }))).toEqual({ cup: 'tea.png' });
    expect(await stored('Tea time')).toEqual(['pack.json', 'tea.png']);
    const over = { ...rename, shortcode: 'cup', new_shortcode: 'milk' };
    await root.patch(FILES, over).expect(409);
    await ok(root.patch(FILES, { ...over, force: true }));
    expect(known().urlOf('milk')).toBe(emojiUrl('tea'));
    expect(await shown('Other')).toMatchObject({ files: {}, files_count: 0 });
    expect(await stored('Other')).toEqual(['pack.json']);
    await ok(root.delete(FILES, { name: 'Tea time', shortcode: 'milk' }));
    await ok(root.get(`${PACKS}/import`));
    expect(known().has('milk')).toBe(false);
  });

  it('is removed', async () => {
    for (const name of ['tea', 'cup']) await add('Tea time', name);
    expect(await ok(root.delete(FILES, { name: 'Tea time', shortcode: 'tea' }))).toEqual({ cup: 'cup.png' });
    expect([await stored('Tea time'), known().has('tea')]).toEqual([['cup.png', 'pack.json'], false]);
    await root
      .delete(FILES, { name: 'Tea time', shortcode: 'tea' })
      .expect(400, { error: 'Emoji "tea" does not exist' });
    await root.delete(FILES, { name: 'Tea time', shortcode: '' }).expect(422);
    await root.delete(FILES, { name: 'Lost', shortcode: 'tea' }).expect(404);
  });

  it('M8 is refused when the disk is nearly full', async () => {
    await add('Tea time', 'tea');
    const storage = app.get(MediaStorage);
    Object.assign(storage, { isFull: () => Promise.resolve(true) });
    try {
      await send({ name: 'Tea time', shortcode: 'milk' }, await picture()).expect(503);
      await ok(root.delete(FILES, { name: 'Tea time', shortcode: 'tea' }));
    } finally {
      Reflect.deleteProperty(storage, 'isFull');
    }
    expect(await stored('Tea time')).toEqual(['pack.json']);
  });

  it('E8 is not lost when several are added at once', async () => {
    const names = ['a', 'b', 'c'];
    await holding(app, async (holder) => {
      await holder.query(LOCK);
      const adding = Promise.all(names.map((name) => add('Tea time', name)));
      await waitersOf(holder, names.length);
      await holder.query('commit');
      await adding;
    });
    expect(Object.keys((await shown('Tea time')).files)).toEqual(names);
    expect(names.every((name) => known().has(name))).toBe(true);
    const rivals = await Promise.all(
      ['x.png', 'y.png'].map(async (filename) =>
        send({ name: 'Tea time', shortcode: 'same', filename }, await picture()),
      ),
    );
    expect(rivals.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('E8 keeps its picture while a former one of that name is being removed', async () => {
    await add('Tea time', 'tea');
    const { promise: heardOf, resolve } = Promise.withResolvers<undefined>();
    Object.assign(known(), { settled: () => heardOf });
    try {
      await holding(app, async (holder) => {
        await holder.query(LOCK);
        const removing = ok(root.delete(FILES, { name: 'Tea time', shortcode: 'tea' }));
        await waitersOf(holder, 1);
        const adding = ok(send({ name: 'Tea time', shortcode: 'milk', filename: 'tea.png' }, await picture()));
        await waitersOf(holder, 2);
        await holder.query('commit');
        await eventually(async () => expect((await shown('Tea time')).files).toEqual({ milk: 'tea.png' }));
        resolve(undefined);
        await Promise.all([removing, adding]);
      });
    } finally {
      Reflect.deleteProperty(known(), 'settled');
    }
    await known().settled();
    await app.http.get('/emoji/Tea%20time/tea.png').expect(200);
  });
});

describeOnDisk('packs on disk', () => {
  it('are imported from folders of pictures and foreign packs', async () => {
    await mkdir(folder('Loose'));
    await writeFile(folder('Loose', 'tea.png'), noted('png', await picture())[0]!);
    await writeFile(folder('Loose', 'fake.png'), 'no picture');
    await writeFile(folder('Loose', 'notes.txt'), 'x');
    await writeFile(folder('Loose', 'bad name!.png'), await picture());
    await mkdir(folder('Packed'));
    await writeFile(folder('Packed', 'milk.png'), await picture());
    await writeFile(
      folder('Packed', 'pack.json'),
      JSON.stringify({
        files: { milk: 'milk.png', '../x': 'milk.png', y: '../../secret.png' },
        pack: { license: 'CC0' },
      }),
    );
    await mkdir(folder('Empty'));
    await symlink(folder('Packed'), folder('Linked'));
    expect(await ok(root.get(`${PACKS}/import`))).toEqual(['Loose', 'Packed']);
    expect((await shown('Loose')).files).toEqual({ tea: 'tea.png' });
    expect((await readFile(folder('Loose', 'tea.png'))).includes('secret')).toBe(false);
    expect(await shown('Packed')).toMatchObject({ files: { milk: 'milk.png' }, pack: { license: 'CC0' } });
    expect(['tea', 'milk', 'fake', 'y'].map((name) => known().has(name))).toEqual([true, true, false, false]);
    expect(await ok(root.get(`${PACKS}/import`))).toEqual([]);
    await writeFile(folder('Packed', 'pack.json'), JSON.stringify({ files: { cup: 'milk.png' } }));
    expect(await ok(root.get(`${PACKS}/import`))).toEqual(['Packed']);
    expect(['milk', 'cup'].map((name) => known().has(name))).toEqual([false, true]);
  });

  it('are imported when the emoji are reloaded', async () => {
    await mkdir(folder('Loose'));
    await writeFile(folder('Loose', 'tea.png'), await picture());
    for (const path of ['/api/v1/svc/admin/reload_emoji', '/api/svc/admin/reload_emoji']) {
      expect((await root.post(path).expect(200)).body).toBe('ok');
    }
    expect(known().has('tea')).toBe(true);
    const entries = `select message from moderation_log where action = 'reload_emoji'`;
    expect(await app.sql(entries)).toEqual(Array(2).fill({ message: '@root reloaded the emoji' }));
  });
});
