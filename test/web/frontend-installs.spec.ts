import { SettingsService } from '../../src/config/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { ok } from '../support/fixtures/statuses.js';
import { zipOf } from '../support/fixtures/zip.js';
import { wordsOf } from '../support/pages.js';
import { useApp } from '../support/servers/app.js';
import { useWebHost, WEB_HOST_ADDRESS } from '../support/servers/web-host.js';

const BUILD = zipOf([
  { name: 'dist/index.html', content: Buffer.from('<!doctype html><html><head></head><body>app</body></html>') },
  { name: 'dist/app.js', content: Buffer.from('fetch("/api/acme/frontend_configurations")') },
]);

const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
const host = useWebHost();
const changed: string[] = [];

beforeAll(() => host.at('/build.zip', (_request, response) => response.end(BUILD)));
beforeEach(() => app.world.person('root', { admin: true }));
afterEach(async () => {
  for (const path of changed.splice(0)) await app.get(SettingsService).reset(path);
});

async function set(path: string, value: unknown): Promise<void> {
  changed.push(path);
  await app.get(SettingsService).update([{ path, value }]);
}
const root = () => app.world.as('root', 'admin');
const visit = (path: string) => app.http.get(path).set('accept', 'text/html');

describe('the page of web apps', () => {
  const PATH = '/app/staff/frontends';
  let staff: BrowserVisit;

  beforeEach(async () => {
    staff = await new BrowserVisit(app).signIn('root');
  });

  it('installs a known web app by one button, and shows it to visitors', async () => {
    await set('frontends.available', {
      cup: {
        name: 'cup',
        git: 'https://code.test/cup',
        build_url: `${host.origin}/build.zip`,
        build_dir: 'dist',
        ref: '2.0',
      },
    });
    expect(wordsOf(await staff.get(PATH))).toContain('cup Not installed. Source code Install cup 2.0');
    const installed = wordsOf(await staff.post(`${PATH}/install`, { ...staff.fields, name: 'cup' }));
    expect(installed).toContain('cup/2.0 is installed. It works with the setting instance.compat_brand “acme” only.');
    expect(await ok((await root()).get('/api/v1/svc/admin/frontends'))).toContainEqual(
      expect.objectContaining({ name: 'cup', installed_refs: ['2.0'] }),
    );
    changed.push('frontends.primary');
    await staff.post(`${PATH}/primary`, { ...staff.fields, frontend: 'cup/2.0' });
    expect((await visit('/')).text).toContain('<body>app</body>');
    expect(wordsOf(await staff.get(PATH))).toContain('Visitors see cup/2.0');
    await staff.post(`${PATH}/primary`, { ...staff.fields, frontend: '' });
    expect((await visit('/')).text).not.toContain('<body>app</body>');
    const log = await ok<{ items: { message: string }[] }>((await root()).get('/api/v1/svc/admin/moderation_log'));
    expect(log.items.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('installed frontend #cup/2.0'),
    );
  });

  it('says why a web app cannot be installed, and shows none that is not installed', async () => {
    await staff.get(PATH);
    const unknown = await staff.post(`${PATH}/install`, { ...staff.fields, name: 'nothing' });
    expect(unknown.status).toBe(400);
    expect(wordsOf(unknown)).toContain('There is no address to fetch it from');
    const missing = await staff.post(`${PATH}/primary`, { ...staff.fields, frontend: 'nothing/1.0' });
    expect([missing.status, wordsOf(missing).includes('It is not installed')]).toEqual([400, true]);
  });
});
