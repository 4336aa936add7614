import type { AdminAppJson, AdminAppsJson } from '../../../src/admin/index.js';
import { AppsService } from '../../../src/oauth/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/svc/admin/oauth_app';
const TEA = { name: 'Tea', redirect_uris: 'https://tea.test/done' };

const app = useApp({ people: ['alice'] });
let root: Client;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin');
});

const make = (values: object = {}) => ok<AdminAppJson>(root.post(PATH, { ...TEA, ...values }));
const list = (query: object = {}) => ok<AdminAppsJson>(root.get(PATH, { ...query }));
const messages = async () =>
  (await app.sql<{ message: string }>('select message from moderation_log order by id')).map(({ message }) => message);

describe('apps', () => {
  it('are registered with working credentials', async () => {
    const made = await make({ scopes: ['read', 'write'], website: 'https://tea.test', trusted: true });
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'Tea',
      client_id: expect.any(String),
      client_secret: expect.any(String),
      redirect_uri: 'https://tea.test/done',
      redirect_uris: ['https://tea.test/done'],
      scopes: ['read', 'write'],
      website: 'https://tea.test',
      trusted: true,
    });
    const { client_id, client_secret } = made;
    await ok(app.world.anonymous.post('/oauth/token', { grant_type: 'client_credentials', client_id, client_secret }));
    expect(await make()).toMatchObject({ scopes: ['read'], website: null, trusted: false });
    expect(await messages()).toContain(`@root registered app #${made.id} (Tea)`);
  });

  it('are listed by name, client id and trust, without the app of the server', async () => {
    await app.get(AppsService).own();
    const tea = await make({ trusted: true });
    const milk = await make({ name: '100%_milk' });
    const { apps, count, page_size } = await list();
    expect([count, page_size]).toEqual([3, 50]);
    expect(apps.map(({ name }) => name)).toEqual(['100%_milk', 'Tea', 'Test app']);
    expect(await list({ name: 'te', page_size: 1 })).toMatchObject({ count: 2, apps: [{ name: 'Tea' }], page_size: 1 });
    expect(await list({ name: '0%_' })).toEqual({ count: 1, apps: [milk], page_size: 50 });
    expect(await list({ client_id: milk.client_id })).toMatchObject({ apps: [milk] });
    expect(await list({ client_id: '', name: '' })).toMatchObject({ count: 3 });
    expect(await list({ trusted: true })).toMatchObject({ apps: [tea] });
    expect(await list({ trusted: false })).toMatchObject({ count: 2 });
    expect(await list({ client_id: 'browser' })).toMatchObject({ count: 0, apps: [] });
    expect(await list({ page: 2, page_size: 2 })).toMatchObject({ count: 3, apps: [{ name: 'Test app' }] });
  });

  it('can be changed, and are deleted with their tokens', async () => {
    const { id, ...made } = await make({ website: 'https://tea.test' });
    const path = `${PATH}/${id}`;
    expect(await ok(root.patch(path, { name: 'Cup' }))).toEqual({ ...made, id, name: 'Cup' });
    const changes = { redirect_uris: 'a://b https://c.test', scopes: ['write'], website: null, trusted: true };
    expect(await ok(root.patch(path, changes))).toMatchObject({
      redirect_uri: 'a://b\nhttps://c.test',
      scopes: ['write'],
      website: null,
      trusted: true,
    });
    expect((await root.delete(path).expect(204)).text).toBe('');
    expect((await list()).count).toBe(1);
    const [test] = (await list()).apps;
    const alice = await app.world.as('alice');
    await ok(alice.get('/api/v1/accounts/verify_credentials'));
    await root.delete(`${PATH}/${test!.id}`).expect(204);
    await alice.get('/api/v1/accounts/verify_credentials').expect(401);
    expect((await messages()).slice(1, 4)).toEqual([
      `@root changed app #${id} (Cup)`,
      `@root changed app #${id} (Cup)`,
      `@root deleted app #${id} (Cup)`,
    ]);
  });

  it('are refused with a message for each field', async () => {
    const BLANK = "can't be blank";
    expect((await root.post(PATH).expect(400)).body).toEqual({ name: BLANK, redirect_uris: BLANK });
    const wrong = { name: ' ', redirect_uris: ['javascript:x'], scopes: ['tea'], website: 'tea' };
    const problems = {
      name: BLANK,
      redirect_uris: 'must be absolute URIs without a fragment',
      scopes: 'has an unknown entry',
      website: 'must be a web address',
    };
    expect((await root.post(PATH, wrong).expect(400)).body).toEqual(problems);
    const { id } = await make();
    for (const scopes of ['', [], [' ']])
      expect((await root.patch(`${PATH}/${id}`, { scopes }).expect(400)).body).toEqual({ scopes: BLANK });
    expect((await root.post(PATH, { ...TEA, scopes: [' '] }).expect(400)).body).toEqual({ scopes: BLANK });
    expect((await root.patch(`${PATH}/${id}`, wrong).expect(400)).body).toEqual(problems);
    const own = await app.get(AppsService).own();
    for (const unknown of ['999999', 'x', own.id]) {
      expect((await root.patch(`${PATH}/${unknown}`, { name: 'x' }).expect(400)).body).toBe('Invalid parameters');
      expect((await root.delete(`${PATH}/${unknown}`).expect(400)).body).toBe('Invalid parameters');
    }
    expect(await messages()).toHaveLength(1);
  });
});
