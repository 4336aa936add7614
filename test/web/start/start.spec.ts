import { SettingsService } from '../../../src/config/index.js';
import { StartLink } from '../../../src/sign-in/index.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { useApp } from '../../support/servers/app.js';

const app = useApp({ people: ['alice'] });

const link = async () => {
  await app.world.person('admin', { admin: true });
  return app.get(StartLink).issue(app.world.id('admin'));
};

describe('the link of the first start', () => {
  it('signs the administrator in once, and leads to the first steps', async () => {
    const path = await link();
    const visit = new BrowserVisit(app);
    await visit.get(path);
    expect((await visit.get(path)).text).toContain('Sign in and begin'); // a visit does not use it up
    expect((await visit.submit()).headers['location']).toBe('/app/start');
    expect((await visit.get('/app/start')).text).toContain('First steps');
    const other = new BrowserVisit(app);
    expect((await other.get(path)).status).toBe(404);
    expect((await other.post('/auth/start', { token: path.split('=')[1]! })).status).toBe(404);
    expect((await other.get('/app/home')).status).toBe(303);
  });

  it.each([
    ['a wrong token', { token: 'wrong' }, {}],
    ['none', {}, {}],
    ['a form of another site', {}, { origin: 'https://evil.test' }],
  ])('gives no sign-in with %s', async (_name, fields, headers) => {
    const token = (await link()).split('=')[1]!;
    const visit = new BrowserVisit(app);
    const sent = 'origin' in headers ? { token } : fields;
    const answer = await visit.post('/auth/start', sent, {
      origin: 'https://svc.test',
      ...headers,
    });
    expect([403, 404]).toContain(answer.status);
    expect((await visit.get('/app/home')).status).toBe(303);
  });

  it('ends after a quarter of an hour', async () => {
    const path = await link();
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 15 * 60_000 + 1);
    expect((await new BrowserVisit(app).get(path)).status).toBe(404);
    clock.mockRestore();
  });
});

describe('the first steps', () => {
  it('are shown to administrators, and mark the steps that are done', async () => {
    await app.world.person('admin', { admin: true });
    const alice = await new BrowserVisit(app).signIn('alice');
    expect((await alice.get('/app/start')).status).toBe(403);
    const admin = await new BrowserVisit(app).signIn('admin');
    const done = async () => [...(await admin.get('/app/start')).text.matchAll(/aria-label="done"/g)].length;
    const before = await done();
    await (await app.world.as('admin')).post('/api/v1/statuses', { status: 'hello' }).expect(200);
    expect(await done()).toBe(before + 1);
  });

  it('name the source as long as it is unknown, and lead to the pages on which they are done', async () => {
    await app.world.person('admin', { admin: true });
    const admin = await new BrowserVisit(app).signIn('admin');
    const { text } = await admin.get('/app/start');
    expect(text).toContain('Name the source code');
    expect(text).toContain('npm run ctl -- doctor --online');
    for (const [, path] of text.matchAll(/<p><a href="(\/(?:app|auth)\/[^"]*)"/g))
      expect([path, (await admin.get(path!)).status]).toEqual([path, 200]);
    await app.get(SettingsService).update([{ path: 'instance.source_url', value: 'https://code.test/svc' }]);
    expect((await admin.get('/app/start')).text).not.toContain('Name the source code');
    expect((await admin.get('/app/staff/settings')).text).toContain('value="https://code.test/svc"');
    await app.get(SettingsService).reset('instance.source_url');
  });
});
