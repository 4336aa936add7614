import { SettingsService } from '../../../src/config/index.js';
import { UsersService } from '../../../src/accounts/index.js';
import { CodesService } from '../../../src/oauth/index.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { OauthClient, type TokenAnswer } from '../../support/fixtures/oauth.js';
import { ok } from '../../support/fixtures/statuses.js';
import { holding, waitersOf } from '../../support/locks.js';
import { type Client, PASSWORD } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

const SUCCESS = { status: 'success' };
const WRONG = { error: 'Invalid password.' };
const NEW = 'a new password';

const app = useApp({ people: ['alice', 'bob'] });
let oauth: OauthClient;
let alice: Client;
let asked: TokenAnswer;
let other: TokenAnswer;

beforeAll(() => {
  oauth = new OauthClient(app);
});
beforeEach(async () => {
  alice = await app.world.as('alice');
  const client = await oauth.register();
  asked = await oauth.signIn(client, 'alice');
  other = await oauth.signIn(client, 'alice');
});

const post = (path: string, values: object, token = asked.access_token) =>
  app.http.post(`/api/svc/${path}`).set('authorization', `Bearer ${token}`).send(values).expect(200);

describe('POST change_password', () => {
  const change = (values: object) =>
    post('change_password', { password: PASSWORD, new_password: NEW, new_password_confirmation: NEW, ...values });

  it('O10 ends all other sign-ins', async () => {
    expect((await change({})).body).toEqual(SUCCESS);
    expect([await oauth.statusOf(asked.access_token), await oauth.statusOf(other.access_token)]).toEqual([200, 401]);
    await oauth.token(await oauth.register(), { grant_type: 'password', username: 'alice', password: NEW }).expect(200);
  });

  it('is done once for simultaneous requests, and refuses the others for their former password', async () => {
    const answers = await holding(app, async (holder) => {
      await holder.query('select from users where account_id = $1 for update', [app.world.id('alice')]);
      const changes = Promise.all(Array.from({ length: 4 }, () => change({})));
      await waitersOf(holder, 4);
      await holder.query('commit');
      return changes;
    });
    const bodies = answers.map(({ body }) => body as object);
    expect(bodies.filter((body) => 'status' in body)).toEqual([SUCCESS]);
    expect(bodies.filter((body) => 'error' in body)).toEqual(Array.from({ length: 3 }, () => WRONG));
  });

  it.each([
    ['a wrong password', { password: 'wrong' }, 'Invalid password.'],
    ['another confirmation', { new_password_confirmation: 'other' }, 'New password does not match confirmation.'],
    ['a short one', { new_password: 'x', new_password_confirmation: 'x' }, expect.stringMatching(/^New password /)],
  ])('refuses %s with status 200', async (_what, values, error) => {
    expect((await change(values)).body).toEqual({ error });
    expect(await oauth.statusOf(other.access_token)).toBe(200);
  });
});

describe('POST change_email', () => {
  const email = async () => (await app.get(UsersService).facts(app.world.id('alice'))).email;

  it('changes and removes the address', async () => {
    expect((await post('change_email', { password: PASSWORD, email: ' new@mail.test ' })).body).toEqual(SUCCESS);
    expect(await email()).toBe('new@mail.test');
    expect((await post('change_email', { password: PASSWORD, email: ' ' })).body).toEqual(SUCCESS);
    expect(await email()).toBeNull();
  });

  it.each([
    ['a wrong password', { password: 'wrong', email: 'new@mail.test' }, 'Invalid password.'],
    ['no address', { password: PASSWORD, email: 'a@b@c' }, 'Email has invalid format.'],
    ['the address of another user', { password: PASSWORD, email: 'BOB@mail.test' }, 'Email has already been taken.'],
  ])('O23 refuses %s with status 200', async (_what, values, error) => {
    expect((await post('change_email', values)).body).toEqual({ error });
    expect(await email()).toBe('alice@mail.test');
  });

  it.each([{}, { email: null }])('refuses %j with 400 and keeps the address', async (values) => {
    await app.world.person('carol');
    const carol = await app.world.as('carol');
    await carol.post('/api/svc/change_email', { password: PASSWORD, ...values }).expect(400);
    expect((await app.get(UsersService).facts(app.world.id('carol'))).email).toBe('carol@mail.test');
  });

  it('refuses to remove the address where the server requires one', async () => {
    await app.get(SettingsService).update([{ path: 'instance.account_activation_required', value: true }]);
    expect((await post('change_email', { password: PASSWORD, email: '' })).body).toEqual({
      error: 'Email is required.',
    });
    await app.get(SettingsService).reset('instance.account_activation_required');
  });
});

it('O10 POST disable_account ends all sign-ins, also for the time after the account is activated again', async () => {
  expect((await post('disable_account', { password: 'wrong' })).body).toEqual(WRONG);
  expect((await post('disable_account', { password: PASSWORD })).body).toEqual(SUCCESS);
  for (const isActive of [false, true]) {
    await app.get(UsersService).setActive(app.world.id('alice'), isActive);
    expect([await oauth.statusOf(asked.access_token), await oauth.statusOf(other.access_token)]).toEqual([401, 401]);
  }
});

it('O10 POST disable_account ends a code that an app is getting at that moment', async () => {
  const accountId = app.world.id('alice');
  const [row] = await app.sql<{ appId: string }>('select app_id::text as "appId" from oauth_tokens where id = $1', [
    other.id,
  ]);
  const grant = { appId: row!.appId, accountId, redirectUri: 'app://back', scopes: ['read'], challenge: null };
  await holding(app, async (holder) => {
    await holder.query('select from oauth_tokens where id = $1 for update', [other.id]);
    const issuing = app.get(CodesService).issue(String(other.id), grant);
    await waitersOf(holder, 1);
    const disabling = post('disable_account', { password: PASSWORD }).then(({ body }) => body as unknown);
    await waitersOf(holder, 2);
    await holder.query('commit');
    expect([await issuing, await disabling]).toEqual([expect.any(String), SUCCESS]);
  });
  expect(await app.sql('select from oauth_codes')).toEqual([]);
});

it('POST move_account moves only to an account that names this account as its alias', async () => {
  const move = (values: object) =>
    app.http
      .post('/api/svc/move_account')
      .set('authorization', `Bearer ${asked.access_token}`)
      .send({ password: PASSWORD, target_account: 'bob', ...values });
  expect((await move({ password: 'wrong' }).expect(200)).body).toEqual(WRONG);
  expect((await move({ target_account: 'nobody' }).expect(404)).body).toEqual({ error: 'Target account not found.' });
  expect((await move({}).expect(200)).body).toEqual({ error: expect.stringContaining('alias') });
  await ok((await app.world.as('bob')).put('/api/svc/aliases', { alias: 'alice' }));
  expect((await move({}).expect(200)).body).toEqual(SUCCESS);
  const { moved } = await ok<{ moved: { acct: string } }>(alice.get(`/api/v1/accounts/${app.world.id('alice')}`));
  expect(moved.acct).toBe('bob');
});

it('O10 POST move_account moves nothing when the password changes during the request', async () => {
  const [id, target] = [app.world.id('alice'), app.world.id('bob')];
  await ok((await app.world.as('bob')).put('/api/svc/aliases', { alias: 'alice' }));
  await holding(app, async (holder) => {
    await holder.query(`update users set password_hash = 'another' where account_id = $1`, [id]);
    const moving = post('move_account', { password: PASSWORD, target_account: 'bob' }).then(
      ({ body }) => body as unknown,
    );
    await waitersOf(holder, 1);
    await holder.query('commit');
    expect(await moving).toEqual(WRONG);
  });
  expect(await app.sql('select from accounts where moved_to_id = $1', [target])).toEqual([]);
});

describe('the sign-ins of an account', () => {
  const list = (path = '/api/oauth_tokens') =>
    ok<{ id: number; app_name: string; valid_until: string }[]>(alice.get(path));

  it('are listed, also at a path with a suffix, and can be ended by their owner only', async () => {
    const rows = await list('/api/oauth_tokens.json');
    expect(rows.slice(0, 2)).toEqual([
      { id: other.id, app_name: 'An app', valid_until: expect.any(String) },
      { id: asked.id, app_name: 'An app', valid_until: expect.any(String) },
    ]);
    const bob = await app.world.as('bob');
    await bob.delete(`/api/oauth_tokens/${other.id}`).expect(404);
    expect((await alice.delete('/api/oauth_tokens/x').expect(400)).body).toBe('Invalid parameters');
    await alice.delete(`/api/oauth_tokens/${other.id}`).expect(200, {});
    expect(await oauth.statusOf(other.access_token)).toBe(401);
    expect((await list()).map(({ id }) => id)).not.toContain(other.id);
  });

  it('are listed with their apps and can be ended while an app can renew them, but not when a browser has expired', async () => {
    const client = await oauth.register('read', undefined, 'An idle app');
    const idle = await oauth.signIn(client, 'alice');
    await new BrowserVisit(app).signIn('alice');
    await app.sql(
      `update oauth_tokens t set expires_at = now() - interval '1 day' from oauth_apps app
       where app.id = t.app_id and (t.id = $1 or app.client_id = 'browser')`,
      [idle.id],
    );
    const names = (await list()).map(({ app_name }) => app_name);
    expect([names.includes('An idle app'), names.includes('Browser')]).toEqual([true, false]);
    const apps = (await ok<{ name: string }[]>(alice.get('/api/v1/svc/apps'))).map(({ name }) => name);
    expect([apps.includes('An idle app'), apps.includes('Browser')]).toEqual([true, false]);
    await alice.delete(`/api/oauth_tokens/${idle.id}`).expect(200, {});
    await oauth.refresh(client, idle.refresh_token).expect(400);
  });

  it('belong to apps that are listed as well', async () => {
    const apps = await ok<{ name: string; client_secret?: string }[]>(alice.get('/api/v1/svc/apps'));
    expect(apps.map(({ name }) => name)).toContain('An app');
    expect(apps[0]).not.toHaveProperty('client_secret');
  });
});
