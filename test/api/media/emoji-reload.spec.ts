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
});
