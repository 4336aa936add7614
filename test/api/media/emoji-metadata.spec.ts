import { clearPacks } from '../../support/fixtures/emoji.js';
import { picture } from '../../support/fixtures/media-files.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';
import { zipOf } from '../../support/fixtures/zip.js';
import { useApp } from '../../support/servers/app.js';
import { useWebHost, WEB_HOST_ADDRESS } from '../../support/servers/web-host.js';

const PACK = '/api/v1/svc/emoji/pack';
const MAX_TEXT = 5_000;
const MAX_URL = 16_384;

const web = useWebHost();
const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let root: Client;

beforeEach(async () => {
  await clearPacks(app);
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin:write');
});

const patch = (metadata: object) => root.patch(PACK, { name: 'Drinks', metadata });
const shown = async () =>
  (await ok<{ pack: object }>(app.world.anonymous.get(PACK, { name: 'Drinks' }))).pack as Record<string, unknown>;
/** A text of that many code points, each of which takes two units of UTF-16 behind its beginning. */
const long = (length: number, begin = '') => begin + '😀'.repeat(length - begin.length);

it('the metadata of a pack stays as it was sent, up to the longest texts, through further changes', async () => {
  await root.post(PACK, { name: 'Drinks' }).expect(200);
  web.at('/pack.zip', (_, response) => response.end(zipOf([{ name: 'readme.txt' }])));
  const longest = {
    license: long(MAX_TEXT),
    homepage: long(MAX_TEXT, 'https://tea.example/#'),
    description: long(MAX_TEXT),
    'fallback-src': long(MAX_URL, `${web.origin}/pack.zip#`),
  };
  expect(await ok(patch(longest))).toMatchObject(longest);
  expect(await shown()).toMatchObject(longest);
  expect(await ok(patch({ 'share-files': true }))).toMatchObject(longest);
  const form = app.http.post(`${PACK}s/files`).set('authorization', `Bearer ${root.token}`);
  await form
    .field({ name: 'Drinks', shortcode: 'tea' })
    .attach('file', await picture(), 'tea.png')
    .expect(200);
  expect(await shown()).toMatchObject(longest);
  for (const [name, value] of Object.entries(longest)) await patch({ [name]: `${value}😀` }).expect(400);
});

it('a longer text in a pack.json is cut at a whole character, a longer address is left out', async () => {
  const pack = {
    license: long(MAX_TEXT + 1),
    homepage: long(MAX_TEXT + 1, 'https://tea.example/#'),
    description: `${long(MAX_TEXT - 1)}a😀`,
    'fallback-src': long(MAX_URL + 1, 'https://tea.example/pack.zip#'),
    'fallback-src-sha256': 'AB'.repeat(32),
  };
  await app.files.write('emoji/Drinks/pack.json', JSON.stringify({ files: {}, pack }));
  expect(await shown()).toEqual({
    license: long(MAX_TEXT),
    homepage: '',
    description: `${long(MAX_TEXT - 1)}a`,
    'fallback-src-sha256': 'AB'.repeat(32),
    'share-files': false,
    'can-download': false,
  });
});
