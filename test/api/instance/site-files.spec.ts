import { SettingsService } from '../../../src/config/index.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import { useApp } from '../../support/servers/app.js';

const app = useApp({ once: ['alice'] });

beforeAll(async () => {
  await app.world.person('root', { admin: true });
});

const changed: string[] = [];
async function set(path: string, value: unknown): Promise<void> {
  changed.push(path);
  await app.get(SettingsService).update([{ path, value }]);
}
afterEach(async () => {
  for (const path of changed.splice(0)) await app.get(SettingsService).reset(path);
});
const text = async (path: string) => (await app.http.get(path).expect(200)).text;

it('robots.txt lets search engines read pages, and nothing of a server that is not public', async () => {
  expect(await text('/robots.txt')).toMatch(/^User-agent: \*\nDisallow: \/api\/\n/);
  await set('instance.public', false);
  expect(await text('/robots.txt')).toBe('User-agent: *\nDisallow: /\n');
});

it('manifest.json names the server and its icon', async () => {
  await set('instance.name', 'Tea "house"');
  const { body, headers } = await app.http.get('/manifest.json').expect(200);
  expect(headers['content-type']).toMatch(/^application\/manifest\+json/);
  expect(body).toMatchObject({ name: 'Tea "house"', start_url: '/', icons: [{ src: '/favicon.png' }] });
});

describe('the documents of the staff', () => {
  it.each([
    ['terms-of-service', '/static/terms-of-service.html'],
    ['privacy-policy', '/static/privacy-policy.html'],
    ['instance-panel', '/instance/panel.html'],
  ])('%s: %s shows the text of the staff, or a short default text', async (name, path) => {
    await set('instance.name', '<b>Tea</b>');
    expect(await text(path)).toContain('<h1>&lt;b&gt;Tea&lt;/b&gt;</h1>');
    const root = await app.world.as('root', 'admin');
    await app.http
      .patch(`/api/v1/svc/admin/instance_document/${name}`)
      .set('authorization', `Bearer ${root.token}`)
      .attach('file', Buffer.from('<h2>Be kind</h2><script>alert(1)</script>'), 'rules.html')
      .expect(200);
    expect(await text(path)).toContain('<h2>Be kind</h2>');
    expect(await text(path)).not.toContain('script');
  });
});

it('the settings of frontends come from the configuration', async () => {
  expect(await ok<unknown>(app.world.anonymous.get('/api/svc/frontend_configurations'))).toEqual({});
  expect(await ok<unknown>(app.world.anonymous.get('/static/config.json'))).toEqual({});
  const root = await app.world.as('root', 'admin');
  const value = [{ tuple: [':svc_fe', { ':theme': 'tea', ':collapseMessageWithSubject': true }] }];
  await ok(
    root.post('/api/v1/svc/admin/config', { configs: [{ group: ':svc', key: ':frontend_configurations', value }] }),
  );
  const settings = { theme: 'tea', collapseMessageWithSubject: true };
  for (const prefix of ['/api/svc', '/api/v1/svc'])
    expect(await ok<unknown>(app.world.anonymous.get(`${prefix}/frontend_configurations`))).toEqual({
      svc_fe: settings,
    });
  expect(await ok<unknown>(app.world.anonymous.get('/static/config.json'))).toEqual(settings);
});

describe('oEmbed', () => {
  it('shows a public post, and the page of the post links to it', async () => {
    const { url, id } = await post(app, 'alice', 'tea & <b>milk</b>');
    const shown = await ok<object>(app.world.anonymous.get('/api/oembed', { url: `${url}?x#y` }));
    expect(shown).toMatchObject({ type: 'rich', version: '1.0', author_name: 'alice', provider_url: app.env.baseUrl });
    expect(shown).toMatchObject({ html: expect.stringContaining('tea &amp; &lt;b&gt;milk&lt;/b&gt;') as string });
    expect(await text(`/notice/${id}`)).toContain(`/api/oembed?url=${encodeURIComponent(url)}`);
  });

  it('hides posts that are not public, and texts behind a content warning', async () => {
    const closed = await post(app, 'alice', 'psst', { visibility: 'private' });
    await app.world.anonymous.get('/api/oembed', { url: closed.url }).expect(404);
    await app.world.anonymous.get('/api/oembed', { url: 'https://far.test/notice/1' }).expect(404);
    const { url } = await post(app, 'alice', 'the end', { spoiler_text: 'a film' });
    const shown = await ok<object>(app.world.anonymous.get('/api/oembed', { url }));
    expect(JSON.stringify(shown)).not.toContain('the end');
  });
});

it.each([
  '/api/oembed?url=x',
  '/pages/style-000000000000.css',
  '/emoji/nothing.png',
  '/media/00/00000000000000000000000000000000.png',
  '/users/nobody/feed.atom',
  '/.well-known/webfinger?resource=acct:nobody@svc.test',
  '/notice/nothing/embed_player',
  '/nothing.txt',
])('no cache may store the failure of %s', async (path) => {
  for (const accept of ['*/*', 'text/html']) {
    const { headers } = await app.http.get(path).set('Accept', accept).expect(404);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers).not.toHaveProperty('etag');
  }
});
