import { chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmojiCache } from '../../../src/emoji/index.js';
import { useApp } from '../../support/servers/app.js';
import { runCtl } from '../../support/servers/ctl.js';
import { clearPacks } from '../../support/fixtures/emoji.js';
import { picture } from '../../support/fixtures/media-files.js';
import { zipOf } from '../../support/fixtures/zip.js';

const app = useApp();

beforeEach(() => clearPacks(app));

const ctl = (...args: string[]) => runCtl(app.variables, ...args);
const outputOf = async (...args: string[]): Promise<string> => {
  const { out, ...rest } = await ctl(...args);
  expect(rest).toEqual({ code: 0, err: '' });
  return out;
};
/** Whether the running server has loaded an emoji. */
const isLoaded = async (shortcode: string) => {
  await app.drain();
  await app.get(EmojiCache).settled();
  return app.get(EmojiCache).has(shortcode);
};

it('imports emoji from folders and archives, and hides them, and the running server follows', async () => {
  expect(await outputOf('emoji', 'list')).toBe('There are no custom emoji.');
  const folder = join(app.env.dataDir, 'drinks');
  await mkdir(folder);
  await writeFile(join(folder, 'tea.png'), await picture());
  await writeFile(join(folder, 'notes.txt'), 'x');
  const archive = join(app.env.dataDir, 'more.zip');
  await writeFile(archive, zipOf([{ name: 'milk.png', content: await picture() }]));
  expect(await outputOf('emoji', 'import', 'Drinks', folder)).toBe('The pack Drinks was made: 1 emoji.');
  expect(await outputOf('emoji', 'import', 'More', archive)).toBe('The pack More was made: 1 emoji.');
  expect([await isLoaded('tea'), await isLoaded('milk')]).toEqual([true, true]);
  await outputOf('emoji', 'set', 'tea', '--disabled', '--category', 'Hot', '--tags', 'a, b', '--no-picker');
  expect(await isLoaded('tea')).toBe(false);
  expect(await outputOf('emoji', 'list')).toMatch(/^ +milk +More +milk\.png\n\* +tea +Drinks +tea\.png$/);
  expect(JSON.parse(await outputOf('emoji', 'list', '--json'))).toMatchObject([
    { shortcode: 'milk', category: null, tags: [], visible_in_picker: true },
    { shortcode: 'tea', category: 'Hot', tags: ['a', 'b'], visible_in_picker: false, disabled: true },
  ]);
  await outputOf('emoji', 'set', 'tea', '--no-disabled', '--category', '');
  expect(await isLoaded('tea')).toBe(true);
});

it('imports folders below the data folder', async () => {
  await app.files.write('emoji/Loose/pack.json', JSON.stringify({ files: { tea: 'tea.png' } }));
  await app.files.write('emoji/Loose/tea.png', await picture());
  expect(await outputOf('emoji', 'reload')).toBe('New: Loose');
  expect(await isLoaded('tea')).toBe(true);
  expect(await outputOf('emoji', 'reload')).toBe('Nothing is new.');
});

it('explains a refusal in a sentence', async () => {
  const refused = { code: 1, out: '' };
  expect(await ctl('emoji', 'import', 'X', '/nowhere')).toEqual({ ...refused, err: 'There is no /nowhere.' });
  expect(await ctl('emoji', 'import', '../x', app.env.dataDir)).toMatchObject(refused);
  expect(await ctl('emoji', 'set', 'tea', '--disabled')).toEqual({ ...refused, err: 'There is no emoji :tea:' });
});

const itAsRoot = process.getuid?.() === 0 ? it : it.skip;

itAsRoot('files are written only by the user of the server, who could not read those of another', async () => {
  const { dataDir } = app.env;
  const folder = join(dataDir, 'drinks');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tea.png'), await picture());
  await mkdir(join(dataDir, 'media'), { recursive: true });
  await chown(join(dataDir, 'media'), 65_534, 65_534);
  const before = await readdir(dataDir);
  const refused = await ctl('emoji', 'import', 'Drinks', folder);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("run this as that user, sudo -u '#65534'")]);
  expect([await outputOf('emoji', 'list'), await readdir(dataDir)]).toEqual(['There are no custom emoji.', before]);
  await chown(join(dataDir, 'media'), 0, 0);
});
