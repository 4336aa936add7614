import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CustomEmojiRepository } from '../../../src/emoji/model/custom-emoji.repository.js';
import { PackStore } from '../../../src/emoji/packs/pack.store.js';
import { clearPacks } from '../../support/fixtures/emoji.js';
import type { Client } from '../../support/fixtures/world.js';
import { picture } from '../../support/fixtures/media-files.js';
import { ok } from '../../support/fixtures/statuses.js';
import { holding, killOwnConnection } from '../../support/locks.js';
import { useApp } from '../../support/servers/app.js';

const PACK = '/api/v1/svc/emoji/pack';
const FILES = '/api/v1/svc/emoji/packs/files';

const app = useApp();
let root: Client;
let png: Buffer;

beforeAll(async () => {
  png = await picture();
});
beforeEach(async () => {
  await clearPacks(app);
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin:write');
  await root.post(PACK, { name: 'Drinks' }).expect(200);
  await add('tea').expect(200);
});

const add = (shortcode: string, name = 'Drinks', content = png) => {
  const form = app.http.post(FILES).set('authorization', `Bearer ${root.token}`);
  return form.field({ name, shortcode }).attach('file', content, 'picture.png');
};
const rename = () =>
  root.patch(FILES, { name: 'Drinks', shortcode: 'tea', new_shortcode: 'cup', new_filename: 'cup.png' });
const drafts = () => readdir(join(app.env.dataDir, 'emoji', '.drafts'));
const remove = () => root.delete(FILES, { name: 'Drinks', shortcode: 'tea' });

it.each([
  ['added to', () => add('milk'), { tea: 'tea.png', milk: 'milk.png' }],
  ['changed by a new name', rename, { cup: 'cup.png' }],
  ['changed by a removal', remove, {}],
])('a pack that is %s stays as it was when that cannot be committed', async (_, change, after) => {
  const store = app.get(PackStore);
  const save = store.save.bind(store);
  const saving = jest.spyOn(store, 'save').mockImplementationOnce(async (...pack) => {
    await save(...pack);
    await killOwnConnection(app);
  });
  await change().expect(503);
  saving.mockRestore();
  expect(await ok(app.world.anonymous.get(PACK, { name: 'Drinks' }))).toMatchObject({ files: { tea: 'tea.png' } });
  expect(await app.files.names('emoji/Drinks')).toEqual(['pack.json', 'tea.png']);
  expect(await ok(change())).toEqual(after);
});

it('two packs of which one takes an emoji of the other stay as they were when that cannot be committed', async () => {
  await root.post(PACK, { name: 'Other' }).expect(200);
  await add('milk', 'Other').expect(200);
  const over = { name: 'Drinks', shortcode: 'tea', new_shortcode: 'milk', new_filename: 'milk.png', force: true };
  const store = app.get(PackStore);
  const save = store.save.bind(store);
  const saving = jest.spyOn(store, 'save').mockImplementationOnce(save);
  saving.mockImplementationOnce(async (...pack) => {
    await save(...pack);
    await killOwnConnection(app);
  });
  await root.patch(FILES, over).expect(503);
  saving.mockRestore();
  for (const [name, emoji] of [
    ['Drinks', 'tea'],
    ['Other', 'milk'],
  ] as const) {
    const files = { [emoji]: `${emoji}.png` };
    expect(await ok(app.world.anonymous.get(PACK, { name }))).toMatchObject({ files });
    expect(await app.files.names(`emoji/${name}`)).toEqual([...Object.values(files), 'pack.json'].sort());
  }
});

it('a picture that is replaced under its name is back when that cannot be committed', async () => {
  const other = await picture('png', 7, 7);
  await add('cup', 'Drinks', other).expect(200);
  const over = { name: 'Drinks', shortcode: 'tea', new_shortcode: 'cup', new_filename: 'cup.png', force: true };
  const store = app.get(PackStore);
  const save = store.save.bind(store);
  const saving = jest.spyOn(store, 'save').mockImplementationOnce(async (...pack) => {
    await save(...pack);
    await killOwnConnection(app);
  });
  await root.patch(FILES, over).expect(503);
  saving.mockRejectedValueOnce(new Error('The disk is full'));
  await root.patch(FILES, over).expect(500);
  saving.mockRestore();
  const files = { cup: 'cup.png', tea: 'tea.png' };
  expect(await ok(app.world.anonymous.get(PACK, { name: 'Drinks' }))).toMatchObject({ files });
  expect((await app.http.get('/emoji/Drinks/cup.png').expect(200)).body).toEqual(other);
  expect((await app.http.get('/emoji/Drinks/tea.png').expect(200)).body).toEqual(png);
  expect(await drafts()).toEqual([]);
  expect(await ok(root.patch(FILES, over))).toEqual({ cup: 'cup.png' });
  expect([(await app.http.get('/emoji/Drinks/cup.png').expect(200)).body, await drafts()]).toEqual([png, []]);
});

it('a pack loses its files after its rows, and a removal that fails in between is repeated', async () => {
  const store = app.get(PackStore);
  let rows: object[] | undefined;
  const detaching = jest.spyOn(store, 'detach').mockImplementationOnce(async () => {
    const seen = await holding(app, (other) => other.query<object>('select shortcode from custom_emojis'));
    rows = seen.rows;
    throw new Error('The disk is away');
  });
  await root.delete(PACK, { name: 'Drinks' }).expect(500, { error: "Couldn't delete the Drinks pack" });
  expect([rows, await app.files.names('emoji/Drinks')]).toEqual([[], ['pack.json', 'tea.png']]);
  detaching.mockRestore();
  await root.delete(PACK, { name: 'Drinks' }).expect(200);
  expect([await app.files.names('emoji'), await drafts()]).toEqual([[], []]);
});

it('a pack stays as it is when its removal cannot be committed', async () => {
  const emoji = app.get(CustomEmojiRepository);
  const remove = emoji.removePack.bind(emoji);
  const removing = jest.spyOn(emoji, 'removePack').mockImplementationOnce(async (name) => {
    await remove(name);
    await killOwnConnection(app);
  });
  await root.delete(PACK, { name: 'Drinks' }).expect(503);
  removing.mockRestore();
  expect(await app.sql('select shortcode from custom_emojis')).toEqual([{ shortcode: 'tea' }]);
  await app.http.get('/emoji/Drinks/tea.png').expect(200);
});

it('a picture that cannot be stored leaves none', async () => {
  const saving = jest.spyOn(app.get(PackStore), 'save').mockRejectedValueOnce(new Error('The disk is full'));
  await add('milk').expect(500);
  saving.mockRestore();
  expect(await app.files.names('emoji/Drinks')).toEqual(['pack.json', 'tea.png']);
});
