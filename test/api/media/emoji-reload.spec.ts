import { EmojiCache } from '../../../src/emoji/index.js';
import { clearPacks } from '../../support/fixtures/emoji.js';
import { picture } from '../../support/fixtures/media-files.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';
import { STORAGES } from '../../support/servers/stored-files.js';

/* What an import makes of packs that an operator changed by hand. */

const IMPORT = '/api/v1/svc/emoji/packs/import';

describe.each(STORAGES)('packs changed by hand on %s', (storage) => {
  const app = useApp({ storage });
  let root: Client;
  let png: Buffer;

  beforeEach(async () => {
    png = await picture();
    await clearPacks(app);
    await app.world.person('root', { admin: true });
    root = await app.world.as('root', 'admin:write');
  });

  const describePack = (pack: string, files: object) =>
    app.files.write(`emoji/${pack}/pack.json`, JSON.stringify({ files, pack: { license: 'CC0' } }));
  const write = async (pack: string, files: Record<string, string>) => {
    for (const file of Object.values(files)) await app.files.write(`emoji/${pack}/${file}`, png);
    await describePack(pack, files);
  };
  const rows = () => app.sql('select shortcode, pack, file, category, tags, disabled from custom_emojis order by 1');
  const reload = () => ok<string[]>(root.get(IMPORT));
  const row = (shortcode: string, pack: string, more = {}) => ({
    shortcode,
    pack,
    file: `${shortcode}.png`,
    category: null,
    tags: [],
    disabled: false,
    ...more,
  });

  it.each<[string, (manifest: string) => string]>([
    ['broken', (manifest) => manifest.slice(0, -2)],
    ['of another form', () => '{"files": ["cup.png"]}'],
    ['too large', (manifest) => manifest + ' '.repeat(1024 * 1024)],
  ])('stay as they are with a pack.json that is %s', async (_, changed) => {
    await write('Drinks', { tea: 'cup.png', milk: 'milk.png' });
    await app.files.write('emoji/Drinks/hot/mug.png', png);
    expect(await reload()).toEqual(['Drinks']);
    await app.sql(`update custom_emojis set disabled = true, tags = '{hot}' where shortcode = 'tea'`);
    const before = await rows();
    const broken = Buffer.from(changed((await app.files.read('emoji/Drinks/pack.json')).toString()));
    await app.files.write('emoji/Drinks/pack.json', broken);
    const names = await app.files.paths('emoji/Drinks');
    expect(await reload()).toEqual([]);
    expect((await app.files.read('emoji/Drinks/pack.json')).equals(broken)).toBe(true);
    expect([await rows(), await app.files.paths('emoji/Drinks')]).toEqual([before, names]);
    expect(app.get(EmojiCache).has('milk')).toBe(true);
  });

  it('give their emoji with all that was set to a folder of another name', async () => {
    await write('Drinks', { tea: 'tea.png', milk: 'milk.png' });
    await reload();
    await app.sql(`update custom_emojis set disabled = true where shortcode = 'tea'`);
    await app.sql(`update custom_emojis set category = 'Cold', tags = '{white}' where shortcode = 'milk'`);
    await app.files.remove('emoji/Drinks');
    await write('Cups', { tea: 'tea.png', milk: 'milk.png' });
    expect(await reload()).toEqual(['Cups']);
    const moved = [row('milk', 'Cups', { category: 'Cold', tags: ['white'] }), row('tea', 'Cups', { disabled: true })];
    expect(await rows()).toEqual(moved);
    expect(await reload()).toEqual([]);
  });

  it('give an emoji to the first other pack that has it, and lose one that none has', async () => {
    await write('Z', { tea: 'tea.png', milk: 'milk.png', cocoa: 'cocoa.png' });
    await reload();
    await app.sql(`update custom_emojis set disabled = true where shortcode = 'tea'`);
    await write('A', { tea: 'tea.png', cocoa: 'cocoa.png' });
    await write('B', { tea: 'tea.png' });
    await describePack('Z', { cocoa: 'cocoa.png' });
    expect(await reload()).toEqual(['A']);
    expect(await rows()).toEqual([row('cocoa', 'Z'), row('tea', 'A', { disabled: true })]);
  });
});
