import { PackStore } from '../../../src/emoji/packs/pack.store.js';
import { clearPacks } from '../../support/fixtures/emoji.js';
import type { Client } from '../../support/fixtures/world.js';
import { picture } from '../../support/fixtures/media-files.js';
import { ok } from '../../support/fixtures/statuses.js';
import { killOwnConnection } from '../../support/locks.js';
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

const add = (shortcode: string, name = 'Drinks') => {
  const form = app.http.post(FILES).set('authorization', `Bearer ${root.token}`);
  return form.field({ name, shortcode }).attach('file', png, 'picture.png');
};
const rename = () =>
  root.patch(FILES, { name: 'Drinks', shortcode: 'tea', new_shortcode: 'cup', new_filename: 'cup.png' });
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

it('a picture that cannot be stored leaves none', async () => {
  const saving = jest.spyOn(app.get(PackStore), 'save').mockRejectedValueOnce(new Error('The disk is full'));
  await add('milk').expect(500);
  saving.mockRestore();
  expect(await app.files.names('emoji/Drinks')).toEqual(['pack.json', 'tea.png']);
});
