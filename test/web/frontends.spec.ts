import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingsService } from '../../src/config/index.js';
import { type ClaimedEntry, zipOf } from '../support/fixtures/zip.js';
import { ok, post } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';
import { useApp } from '../support/servers/app.js';
import { runCtl } from '../support/servers/ctl.js';

const INSTALL = '/api/v1/svc/admin/frontends/install';
const NOT_UNPACKED = { error: 'Could not download or unzip the frontend' };
const NOT_INSTALLED = { error: 'Could not install frontend' };
const INDEX = '<!doctype html><html><head><title>Tea</title><!--server-generated-meta--></head><body>app</body></html>';
const files = (...entries: ClaimedEntry[]) =>
  zipOf([{ name: 'dist/index.html', content: Buffer.from(INDEX) }, ...entries]);
const file = (name: string, text: string): ClaimedEntry => ({ name, content: Buffer.from(text) });

const app = useApp({ once: ['alice'] });
let root: Client;

beforeAll(async () => {
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin');
});

const changed: string[] = [];
async function set(path: string, value: unknown): Promise<void> {
  changed.push(path);
  await app.get(SettingsService).update([{ path, value }]);
}
afterEach(async () => {
  for (const path of changed.splice(0)) await app.get(SettingsService).reset(path);
});

function install(archive: Buffer, fields: Record<string, string> = {}) {
  const request = app.http.post(INSTALL).set('authorization', `Bearer ${root.token}`);
  for (const [name, value] of Object.entries({ name: 'tea', ref: '1.0', ...fields })) void request.field(name, value);
  return request.attach('file', archive, 'tea.zip');
}
const listed = async () =>
  (await ok<{ name: string; installed_refs: string[] }[]>(root.get('/api/v1/svc/admin/frontends'))).find(
    ({ name }) => name === 'tea',
  );
const visit = (path: string) => app.http.get(path).set('accept', 'text/html');

describe('installing a frontend', () => {
  it('lists known frontends by name, and which are installed', async () => {
    const known = await ok<{ name: string }[]>(root.get('/api/v1/svc/admin/frontends'));
    expect(known.find(({ name }) => name === 'pleroma-fe')).toMatchObject({ installed: false, installed_refs: [] });
    const { body } = await install(files()).expect(200);
    expect(body).toContainEqual({
      name: 'tea',
      git: '',
      build_url: '',
      ref: '1.0',
      installed: true,
      installed_refs: ['1.0'],
    });
    const [entry] = (await ok<{ items: { message: string }[] }>(root.get('/api/v1/svc/admin/moderation_log'))).items;
    expect(entry!.message).toBe('@root installed frontend #tea/1.0');
  });

  it('accepts an archive in the folder of frontends, and no other file', async () => {
    const folder = join(app.env.dataDir, 'frontends');
    await writeFile(join(folder, 'here.zip'), files());
    await symlink('/etc/passwd', join(folder, 'link.zip'));
    await root.post(INSTALL, { name: 'tea', ref: '2.0', file: 'here.zip', build_dir: '/dist/' }).expect(200);
    expect((await listed())!.installed_refs).toContain('2.0');
    await root.post(INSTALL, { name: 'tea', ref: '2.1', file: join(folder, 'here.zip') }).expect(200);
    for (const path of [
      'link.zip',
      '/etc/passwd',
      '../secret.key',
      '/dev/zero',
      'file:///etc/passwd',
      'none.zip',
      join(folder, 'none.zip'),
    ]) {
      const { body } = await root.post(INSTALL, { name: 'tea', file: path }).expect(400);
      expect(body).toEqual({ ...NOT_UNPACKED, error_description: expect.stringContaining('DATA_DIR/frontends') });
    }
  });

  it('E5 refuses names and addresses outside the allowed places', async () => {
    for (const fields of [{ name: '../tea' }, { name: '.drafts' }, { ref: '..' }, { ref: 'a/b' }]) {
      await install(files(), fields as Record<string, string>).expect(400, NOT_INSTALLED);
    }
    for (const build_url of ['file:///etc/passwd', 'https://127.0.0.1/x.zip', 'http://far.test/x.zip', 'nonsense']) {
      await root.post(INSTALL, { name: 'tea', build_url }).expect(400, NOT_UNPACKED);
    }
    await root.post(INSTALL, { name: 'tea' }).expect(400, NOT_INSTALLED);
    await install(files(), { build_dir: '../dist' }).expect(400, NOT_INSTALLED);
  });

  it.each([
    ['E2 a path outside', files(file('../../evil.js', 'x')), NOT_UNPACKED],
    [
      'E5 a file and a folder of one name',
      files(file('dist/a/b.js', 'x'), file('dist/a-b', 'x'), file('dist/a', 'x')),
      NOT_UNPACKED,
    ],
    ['E2 an absolute path', files(file('/evil.js', 'x')), NOT_UNPACKED],
    ['E2 a link', files({ name: 'dist/link', content: Buffer.from('/etc/passwd'), mode: 0o120777 }), NOT_UNPACKED],
    ['E3 a bomb', files({ name: 'dist/a.js', content: Buffer.alloc(20_000_000) }), NOT_UNPACKED],
    ['no archive', Buffer.from('hello'), NOT_UNPACKED],
    ['no page', zipOf([file('dist/app.js', 'x')]), NOT_INSTALLED],
  ])('keeps the old version after %s', async (_, archive, error) => {
    await install(files(file('dist/app.js', 'old'))).expect(200);
    await install(archive).expect(400, error);
    await set('frontends.primary', { name: 'tea', ref: '1.0' });
    await app.http.get('/app.js').expect(200, 'old');
  });
});

it('leaves out names that no disk has', async () => {
  const longest = `${'b'.repeat(252)}.js`;
  await install(files(file(`dist/a${longest}`, 'x'), file(`dist/${longest}`, 'y'))).expect(200);
  await set('frontends.primary', { name: 'tea', ref: '1.0' });
  await app.http.get(`/${longest}`).expect(200, 'y');
});

describe('ctl frontend install', () => {
  const ctl = (...args: string[]) => {
    return runCtl(app.variables, 'frontend', 'install', 'tea', ...args);
  };

  it.each([
    ['/api/acme/frontend_configurations', /under the name acme: config set instance.compat_brand acme$/m],
    ['/api/v1/acme/frontend_configurations', /compat_brand acme/],
    ['/api/v1/svc/frontend_configurations', /^(?!.*compat_brand)/s],
    ['/api/v1/instance', /^(?!.*compat_brand)/s],
  ])('names the brand that its scripts ask for: %s', async (address, output) => {
    const path = join(app.env.dataDir, 'build.zip');
    await writeFile(path, files(file('dist/app.js', `fetch("${address}")`)));
    expect(await ctl('--file', path)).toMatchObject({ code: 0, out: expect.stringMatching(output) });
  });

  it('names the address that cannot be fetched, and another way', async () => {
    const { code, err } = await ctl('--build-url', 'https://127.0.0.1/tea.zip');
    expect(code).toBe(1);
    expect(err).toMatch(/https:\/\/127\.0\.0\.1\/tea\.zip cannot be fetched.*--file/s);
  });
});

describe('the main frontend', () => {
  beforeAll(async () => {
    const archive = files(file('dist/static/app.0a1b2c3d.js', 'run()'), file('dist/.env', 'secret'));
    await install(archive, { ref: '3.0' }).expect(200);
  });

  it('replaces the pages of this server, with their titles and previews', async () => {
    const { id } = await post(app, 'alice', 'The <b>kettle</b> sings');
    expect((await visit('/').expect(200)).text).not.toContain('app</body>');
    await set('frontends.primary', { name: 'tea', ref: '3.0' });
    for (const path of [
      '/',
      `/notice/${id}`,
      '/@alice',
      '/tags/tea',
      '/main/all',
      '/settings/profile',
      '/a@b.social',
    ]) {
      const { text, headers } = await visit(path).expect(200);
      expect(text).toContain('app</body>');
      expect(headers['content-security-policy']).toContain("script-src 'self'");
    }
    const { text } = await visit(`/notice/${id}`);
    expect(text).toMatch(/<title>@?alice[^<]*<\/title>/i);
    expect(text).toContain('<meta property="og:description" content="The &lt;b&gt;kettle');
    const [, json] = /id="initial-results">([^<]*)<\/script>/.exec(text)!;
    const answers = JSON.parse(json!) as Record<string, string>;
    const instance = await ok<unknown>(app.world.anonymous.get('/api/v1/instance'));
    expect(JSON.parse(Buffer.from(answers['/api/v1/instance']!, 'base64').toString())).toEqual(instance);
  });

  it('V6 lets caches keep pages by the choice of the visitor, and only where there is one', async () => {
    const varies = async (path: string, cookie = '') =>
      /\bCookie\b/.test((await visit(path).set('cookie', cookie).expect(200)).headers['vary'] ?? '');
    expect(await varies('/@alice')).toBe(false);
    await set('frontends.primary', { name: 'tea', ref: '3.0' });
    for (const cookie of ['', 'preferred_frontend=own']) expect(await varies('/@alice', cookie)).toBe(true);
    expect(await varies('/index.html')).toBe(true);
    expect(await varies('/static/app.0a1b2c3d.js')).toBe(false);
    expect((await visit('/@alice').expect(200)).headers['vary']).toContain('Accept-Language');
    await set('frontends.primary', { name: '', ref: '' });
    await set('frontends.pickable', ['tea/3.0']);
    expect(await varies('/@alice')).toBe(true);
  });

  it('serves its files and ranges of them, but no hidden files', async () => {
    await set('frontends.primary', { name: 'tea', ref: '3.0' });
    const { headers } = await app.http.get('/static/app.0a1b2c3d.js').expect(200, 'run()');
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    await app.http.get('/static/app.0a1b2c3d.js').set('range', 'bytes=0-2').expect(206, 'run');
    await app.http.get('/static/app.0a1b2c3d.js').set('if-none-match', headers['etag']!).expect(304);
    for (const path of [
      '/.env',
      '/static/gone.js',
      '/..%2f..%2fsecret.key',
      '/static/%2e%2e/%2e%2e/secret.key',
      '/%00',
    ]) {
      expect((await visit(path)).text).not.toContain('secret');
      expect([400, 404]).toContain((await visit(path)).status);
    }
  });

  it('does not replace APIs and documents', async () => {
    await set('frontends.primary', { name: 'tea', ref: '3.0' });
    await visit('/api/v1/nothing').expect(404, { error: 'Not implemented' });
    await app.http.get('/somewhere').expect(404, { error: 'Not found' });
    await app.http.get('/users/alice').set('accept', 'application/activity+json').expect(200);
    await visit('/auth/sign_in').expect(200).expect(/<form/);
  });

  it('can be chosen by a visitor among those that the operator offers', async () => {
    await install(files(file('dist/which.txt', 'other')), { ref: '4.0' }).expect(200);
    await set('frontends.primary', { name: 'tea', ref: '3.0' });
    await set('frontends.pickable', ['tea/4.0', 'gone/1.0']);
    const { text } = await visit('/frontend_switcher').expect(200);
    expect([...text.matchAll(/value="([^"]+)"/g)].map(([, value]) => value)).toEqual(['tea/3.0', 'tea/4.0', 'own']);
    await app.http.post('/frontend_switcher').send({ frontend: 'gone/1.0' }).expect(400);
    const chosen = await app.http.post('/frontend_switcher').send({ frontend: 'tea/4.0' }).expect(302);
    const cookie = chosen.headers['set-cookie']![0]!.split(';')[0]!;
    await app.http.get('/which.txt').set('cookie', cookie).expect(200, 'other');
    await app.http.get('/which.txt').expect(404);
    const own = await app.http.get('/').set({ accept: 'text/html', cookie: 'preferred_frontend=own' });
    expect(own.text).not.toContain('app</body>');
  });
});

it('serves the frontend for administration below /svc/admin/', async () => {
  await visit('/svc/admin/').expect(404);
  await install(files(file('dist/static/a.js', 'run()')), { name: 'staff' }).expect(200);
  await set('frontends.admin', { name: 'staff', ref: '1.0' });
  await visit('/svc/admin?a=b').expect(302).expect('location', '/svc/admin/?a=b');
  for (const path of ['/svc/admin/', '/svc/admin/users/1']) {
    expect((await visit(path).expect(200)).text).toContain('app</body>');
  }
  await app.http.get('/svc/admin/static/a.js').expect(200, 'run()');
});

it('serves files of the operator from the folder static; exact paths win', async () => {
  const folder = join(app.env.dataDir, 'static');
  for (const part of ['static', 'instance']) await mkdir(join(folder, part), { recursive: true });
  await writeFile(join(folder, 'static', 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'static', 'config.json'), '{"no":1}');
  await writeFile(join(folder, 'instance', 'about.html'), '<script>alert(1)</script>');
  await symlink(join(app.env.dataDir, 'secret.key'), join(folder, 'static', 'key.txt'));
  expect((await app.http.get('/static/logo.svg').expect(200)).headers['content-security-policy']).toMatch(/^sandbox/);
  expect((await app.http.get('/instance/about.html').expect(200)).headers['content-security-policy']).toContain(
    "default-src 'none'",
  );
  await writeFile(join(folder, '.env'), 'SECRET=1');
  await mkdir(join(folder, '.well-known'));
  await writeFile(join(folder, '.well-known', 'security.txt'), 'Contact: mailto:staff@svc.test');
  await writeFile(join(folder, '.well-known', '.env'), 'SECRET=1');
  await app.http.get('/.well-known/security.txt').expect(200, 'Contact: mailto:staff@svc.test');
  for (const path of ['/.env', '/.well-known/.env', '/.well-known/', '/static/.well-known/security.txt'])
    await app.http.get(path).expect(404);
  await app.http.get('/static/config.json').expect(200, {});
  await app.http.get('/static/key.txt').expect(404);
});

it('redirects from the short address of an account to its page', async () => {
  await visit('/alice').expect(302).expect('location', '/@alice');
  await visit(`/${app.world.id('alice')}`)
    .expect(302)
    .expect('location', '/@alice');
  await visit('/nobody').expect(404);
});
