import type { AdminUserJson } from '../../../src/admin/index.js';
import type { PlainStatusJson } from '../../../src/statuses/index.js';
import { UsersService } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { useMails } from '../../support/servers/mails.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const USERS = '/api/v1/svc/admin/users';

const mails = useMails();
const app = useApp({ env: () => ({ SMTP_URL: mails.url }) });
let root: Client;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  await app.world.persons('alice', 'bob');
  root = await app.world.as('root', 'admin');
});

const id = (nickname: string) => app.world.id(nickname);
const show = (name: string) => ok<AdminUserJson>(root.get(`${USERS}/${name}`));
const act = (action: string, ...nicknames: string[]) =>
  ok<{ users: AdminUserJson[] }>(root.patch(`${USERS}/${action}`, { nicknames }));
const messages = async () =>
  (await app.sql<{ message: string }>('select message from moderation_log order by id')).map(({ message }) => message);

interface Found {
  readonly users: AdminUserJson[];
  readonly count: number;
  readonly page_size: number;
}
const list = (query: object = {}) => ok<Found>(root.get(USERS, { ...query }));
const found = async (query: object) => (await list(query)).users.map(({ nickname }) => nickname).sort();

describe('a user', () => {
  it('is shown in full by nickname, handle and id, in any state', async () => {
    await app.sql(`update users set registration_reason = 'tea', is_approved = false where account_id = $1`, [
      id('bob'),
    ]);
    const bob = await show('bob');
    expect(bob).toEqual({
      id: id('bob'),
      nickname: 'bob',
      display_name: 'bob',
      avatar: 'https://svc.test/images/avi.png',
      roles: { admin: false, moderator: false },
      local: true,
      tags: [],
      deactivated: false,
      is_active: true,
      confirmation_pending: false,
      is_confirmed: true,
      approval_pending: true,
      is_approved: false,
      is_suggested: false,
      registration_reason: 'tea',
      actor_type: 'Person',
      email: 'bob@mail.test',
      url: 'https://svc.test/users/bob',
      created_at: expect.any(String),
    });
    expect(await show(id('bob'))).toEqual(bob);
    expect(await show('bob@svc.test')).toEqual(bob);
    expect(await show('alice')).toMatchObject({ registration_reason: null });
    const zoe = await app.world.remote('zoe', 'far.test');
    expect(await show('zoe@far.test')).toMatchObject({
      id: zoe.id,
      nickname: 'zoe@far.test',
      local: false,
      email: null,
    });
    const missing = await root.get(`${USERS}/nobody`).expect(404);
    expect(missing.body).toEqual({ error: 'Not found' });
  });

  it.each([
    ['waits for approval', 'is_approved = false'],
    ['waits for confirmation', 'is_confirmed = false'],
    ['waits for both', 'is_approved = false, is_confirmed = false'],
  ])('is not active when it %s', async (_state, change) => {
    const isActive = { filters: 'local,active' };
    expect(await found(isActive)).toEqual(['alice', 'bob', 'root']);
    await app.sql(`update users set ${change} where account_id = $1`, [id('bob')]);
    for (const filters of ['active', 'local,active']) {
      expect(await found({ filters })).toEqual(['alice', 'root']);
      expect((await list({ filters })).count).toBe(2);
    }
    await app.sql('update accounts set deactivated_at = now() where id = any($1)', [[id('alice'), id('bob')]]);
    expect([await found(isActive), (await list(isActive)).count]).toEqual([['root'], 1]);
    expect((await list({ filters: 'active,need_approval' })).count).toBe(0);
  });

  it('can be found by state, name, domain, address, tag and type, and in pages', async () => {
    await app.world.remote('zoe', 'far.test');
    await app.sql(
      `update accounts set tags = '{tea}', display_name = 'Ännie 100%', actor_type = 'Service' where id = $1`,
      [id('alice')],
    );
    await app.sql('update users set is_approved = false, is_confirmed = false where account_id = $1', [id('bob')]);
    await app.sql('update users set is_moderator = true where account_id = $1', [id('alice')]);
    expect(await found({})).toEqual(['alice', 'bob', 'root', 'zoe@far.test']);
    expect(await found({ filters: 'local' })).toEqual(['alice', 'bob', 'root']);
    expect(await found({ filters: 'external,active' })).toEqual(['zoe@far.test']);
    expect(await found({ filters: 'need_approval,unconfirmed' })).toEqual(['bob']);
    expect(await found({ filters: 'is_admin' })).toEqual(['root']);
    expect(await found({ filters: 'is_moderator' })).toEqual(['alice']);
    expect(await found({ filters: 'deactivated' })).toEqual([]);
    for (const query of ['LIC', '@alice', 'alice@svc.test']) expect(await found({ query })).toEqual(['alice']);
    for (const query of ['svc.test', '@SVC.test']) expect(await found({ query })).toEqual(['alice', 'bob', 'root']);
    await app.world.remote('kim', 'xn--bcher-kva.example');
    for (const query of ['bücher.example', '@Kim@Bücher.example'])
      expect(await found({ query })).toEqual(['kim@xn--bcher-kva.example']);
    for (const query of ['zoe', 'far.test', 'zoe@far.test']) expect(await found({ query })).toEqual(['zoe@far.test']);
    expect(await found({ name: 'nnie 100%' })).toEqual(['alice']);
    expect(await found({ name: 'a_%' })).toEqual([]);
    expect(await found({ email: 'BOB@mail' })).toEqual(['bob']);
    expect(await found({ tags: ['tea', 'milk'] })).toEqual(['alice']);
    expect(await found({ actor_types: ['Service', 'Group'] })).toEqual(['alice']);
    const second = await list({ filters: 'local', page: 2, page_size: 2 });
    expect({ ...second, users: second.users.length }).toEqual({ users: 1, count: 3, page_size: 2 });
    const refused = await root.get(USERS, { filters: 'local,odd' }).expect(400);
    expect((refused.body as { error: string }).error).toMatch(/^filters must be of local, /);
  });
});

describe('the statuses of a user', () => {
  it('are listed by nickname or id in pages, in any state of the user, and in full on request', async () => {
    await post(app, 'bob', 'of another');
    const [open, secret] = [
      await post(app, 'alice', 'open'),
      await post(app, 'alice', 'psst', { visibility: 'direct' }),
    ];
    await reblog(app, 'alice', (await post(app, 'bob', 'a boost')).id);
    await act('deactivate', 'alice');
    const of = async (name: string, query: object = {}) => {
      const page = await ok<{ total: number; activities: PlainStatusJson[] }>(
        root.get(`${USERS}/${name}/statuses`, { ...query }),
      );
      return [page.total, ...page.activities.map((status) => status.id)];
    };
    expect(await of('alice')).toEqual([1, open.id]);
    expect(await of(id('alice'), { godmode: true })).toEqual([2, secret.id, open.id]);
    expect(await of('alice', { godmode: true, page: 2, page_size: 1 })).toEqual([2, open.id]);
    expect(await of('alice', { with_reblogs: true })).toEqual([2, expect.any(String), open.id]);
    await root.get(`${USERS}/nobody/statuses`).expect(404, { error: 'Not found' });
  });
});

describe('a deactivated user', () => {
  it('is hidden and signed out at once with its posts, until it is activated again', async () => {
    const { id: statusId } = await post(app, 'alice', 'still here');
    const [alice, bob] = [await app.world.as('alice'), await app.world.as('bob')];
    const seen = async () => [
      (await bob.get(`/api/v1/accounts/${id('alice')}`)).status,
      (await bob.get(`/api/v1/statuses/${statusId}`)).status,
      (await alice.get('/api/v1/accounts/verify_credentials')).status,
    ];
    expect(await seen()).toEqual([200, 200, 200]);
    expect((await act('deactivate', 'alice')).users).toMatchObject([
      { nickname: 'alice', deactivated: true, is_active: false },
    ]);
    expect(await seen()).toEqual([404, 404, 401]);
    expect((await act('activate', 'alice')).users).toMatchObject([{ deactivated: false, is_active: true }]);
    expect(await seen()).toEqual([200, 200, 200]);
    const toggled = await ok<AdminUserJson>(root.patch(`${USERS}/alice/toggle_activation`));
    expect(toggled).toMatchObject({ id: id('alice'), nickname: 'alice', deactivated: true });
    expect(await messages()).toEqual([
      '@root deactivated users: @alice',
      '@root activated users: @alice',
      '@root deactivated users: @alice',
    ]);
  });

  it('may belong to another server', async () => {
    await app.world.remote('zoe', 'far.test');
    expect((await act('deactivate', 'zoe@far.test', 'bob')).users).toMatchObject([
      { nickname: 'zoe@far.test', deactivated: true },
      { nickname: 'bob', deactivated: true },
    ]);
  });

  it('stays active if another one of the request is unknown or the only administrator', async () => {
    await root.patch(`${USERS}/deactivate`, { nicknames: ['alice', 'nobody'] }).expect(404, { error: 'Not found' });
    await root.patch(`${USERS}/deactivate`, {}).expect(400, { error: 'nicknames is missing' });
    await root.patch(`${USERS}/deactivate`, { nicknames: ['alice', 'root'] }).expect(403);
    expect((await show('alice')).deactivated).toBe(false);
    expect(await messages()).toEqual([]);
  });
});

describe('a new user', () => {
  it('can be approved and confirmed', async () => {
    await app.sql('update users set is_approved = false, is_confirmed = false where account_id = $1', [id('bob')]);
    expect((await act('approve', 'bob', 'alice')).users).toMatchObject([
      { approval_pending: false },
      { is_approved: true },
    ]);
    expect(await ok(root.patch(`${USERS}/confirm_email`, { nicknames: ['bob'] }))).toEqual(['bob']);
    expect(await app.get(UsersService).facts(id('bob'))).toMatchObject({ state: 'ok' });
  });

  it('gets another confirmation mail only while it is unconfirmed', async () => {
    await app.drain();
    await app.sql('update users set is_confirmed = false where account_id = $1', [id('bob')]);
    const nicknames = ['bob', 'alice'];
    expect(await ok(root.patch(`${USERS}/resend_confirmation_email`, { nicknames }))).toEqual(nicknames);
    await app.drain();
    expect(mails.all.map(({ to }) => to).flat()).toEqual(['bob@mail.test']);
  });
});

describe('a suggestion', () => {
  it('can be made and withdrawn', async () => {
    const suggested = async () =>
      (await ok<{ account: { acct: string } }[]>((await app.world.as('bob')).get('/api/v2/suggestions'))).map(
        ({ account }) => account.acct,
      );
    expect((await act('suggest', 'alice')).users).toMatchObject([{ is_suggested: true }]);
    expect(await suggested()).toEqual(['alice']);
    expect((await act('unsuggest', 'alice')).users).toMatchObject([{ is_suggested: false }]);
    expect(await suggested()).toEqual([]);
  });
});
