import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startApp, useApp } from '../../support/servers/app.js';
import { picture } from '../../support/fixtures/media-files.js';
import { gifOf, keptFiles, proxied, proxyOn, sending } from '../../support/servers/proxied.js';
import { post } from '../../support/fixtures/statuses.js';
import { pathOf, upload } from '../../support/fixtures/uploads.js';
import { useWebHost, WEB_HOST_ADDRESS } from '../../support/servers/web-host.js';

let dataDir: string;
let umask: number;

/** A world-readable data folder of an older release, under umask 0. */
beforeAll(async () => {
  umask = process.umask(0);
  dataDir = await mkdtemp(join(tmpdir(), 'svc-open-'));
  for (const folder of ['media', 'media/.drafts', 'emoji', 'proxy', 'uploads']) await mkdir(join(dataDir, folder));
  await chmod(dataDir, 0o755);
  await writeFile(join(dataDir, 'secret.key'), `${'cd'.repeat(32)}\n`);
});
const web = useWebHost();
const app = useApp({
  once: [],
  env: () => ({ DATA_DIR: dataDir, ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS }),
  storage: 'disk',
});
afterAll(async () => {
  process.umask(umask);
  await rm(dataDir, { recursive: true, force: true });
});

/** The accesses of other users, by path in the data folder. */
async function openPaths(): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = [dataDir, ...entries.map((entry) => join(entry.parentPath, entry.name))];
  const modes = await Promise.all(paths.map(async (path) => ({ path, mode: (await stat(path)).mode & 0o777 })));
  return modes.filter(({ mode }) => (mode & 0o077) !== 0).map(({ path }) => relative(dataDir, path) || '.');
}

describe('P11 the data folder', () => {
  it('is closed to other users at the start', async () => {
    expect(await openPaths()).toEqual([]);
  });

  it('holds only private files', async () => {
    await app.world.persons('alice');
    await app.world.person('root', { admin: true });
    await upload(app, 'alice');
    await post(app, 'alice', 'hello');
    await (await app.world.as('alice')).post('/api/v1/svc/backups').expect(200);
    await app.drain();

    const root = await app.world.as('root', 'admin:write');
    await root.post('/api/v1/svc/emoji/pack', { name: 'tea' }).expect(200);
    await app.http
      .post('/api/v1/svc/emoji/packs/files')
      .set('authorization', `Bearer ${root.token}`)
      .field({ name: 'tea', shortcode: 'tea', filename: 'tea.png' })
      .attach('file', await picture('png'), 'tea.png')
      .expect(200);

    await proxyOn(app);
    web.at('/cat.gif', sending(gifOf(100)));
    await app.http.get(proxied(app, `${web.origin}/cat.gif`)).expect(200);
    await keptFiles(app);

    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const written = entries.filter((entry) => entry.isFile()).map((entry) => relative(dataDir, entry.parentPath));
    expect(new Set(written.map((folder) => folder.split('/')[0]))).toEqual(
      new Set(['', 'archives', 'emoji', 'media', 'proxy']),
    );
    expect(await openPaths()).toEqual([]);
  });
});

describe('P11 MEDIA_FILE_MODE=0640', () => {
  it('lets the group read media, and nothing else', async () => {
    const shared = await mkdtemp(join(tmpdir(), 'svc-group-'));
    const other = await startApp({ DATA_DIR: shared, MEDIA_FILE_MODE: '0640' }, 0, 'disk');
    try {
      await other.world.persons('alice');
      const path = pathOf((await upload(other, 'alice')).url).slice(1);
      const modeOf = async (name: string) => ((await stat(join(shared, name))).mode & 0o777).toString(8);
      const [media, folder = ''] = path.split('/');
      expect([await modeOf('.'), await modeOf(media!), await modeOf(`media/${folder}`), await modeOf(path)]).toEqual([
        '710',
        '750',
        '750',
        '640',
      ]);
      for (const name of ['media/.drafts', 'emoji', 'archives', 'uploads']) expect(await modeOf(name)).toBe('700');
    } finally {
      await other.close();
      await rm(shared, { recursive: true, force: true });
    }
  });
});
