import {
  type AccountJson,
  AccountShape,
  type CredentialAccountJson,
  CredentialAccountShape,
  RelationshipShape,
  UsersService,
} from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const UPDATE = '/api/v1/accounts/update_credentials';
const VERIFY = '/api/v1/accounts/verify_credentials';

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  bob = await app.world.as('bob');
});

const id = (name: string) => app.world.id(name);

async function shown(name: string, client: Client = app.world.anonymous, query = {}): Promise<AccountJson> {
  const body = await ok<AccountJson>(client.get(`/api/v1/accounts/${name}`, query));
  expect(checkShape(AccountShape, body)).toEqual([]);
  return body;
}

async function own(): Promise<CredentialAccountJson> {
  const body = await ok<CredentialAccountJson>(alice.get(VERIFY));
  expect(checkShape(CredentialAccountShape, body)).toEqual([]);
  return body;
}

const update = (values: Record<string, unknown>) => alice.patch(UPDATE, values).expect(200);
const move = (from: string, to: string | null) =>
  app.sql('update accounts set moved_to_id = $2 where id = $1', [id(from), to]);

describe('an account', () => {
  it('is hidden from search engines unless its owner allows them', async () => {
    expect(await shown('alice')).toMatchObject({ discoverable: false, noindex: true });
    await update({ discoverable: true });
    expect(await shown('alice')).toMatchObject({ discoverable: true, noindex: false });
  });

  it('shows the day of its last post', async () => {
    expect((await shown('alice')).last_status_at).toBeNull();
    const { created_at: at } = await post(app, 'alice', 'hello');
    expect(await shown('alice')).toMatchObject({ statuses_count: 1, last_status_at: at.slice(0, 10) });
  });

  it('keeps the day of its last post when followers come and go', async () => {
    await alice.post('/api/v1/statuses', { status: 'hello' }).expect(200);
    const { last_status_at: day } = await shown('alice');
    await app.world.follow('bob', 'alice');
    expect(await shown('alice')).toMatchObject({ followers_count: 1, last_status_at: day });
    await ok(bob.post(`/api/v1/accounts/${id('alice')}/unfollow`));
    expect(await shown('alice')).toMatchObject({ followers_count: 0, last_status_at: day });
  });

  it('accepts chat messages or refuses them; for a remote account this may be unknown', async () => {
    const { id: zoe } = await app.world.remote('zoe', 'b.example');
    const accepts = async (name: string) => (await shown(name)).svc.accepts_chat_messages;
    expect([await accepts('alice'), await accepts('zoe@b.example')]).toEqual([true, null]);
    await update({ accepts_chat_messages: false });
    expect(await accepts('alice')).toBe(false);
    for (const value of [true, false]) {
      await app.sql('update accounts set accepts_chat_messages = $2, version = version + 1 where id = $1', [
        zoe,
        value,
      ]);
      expect(await accepts('zoe@b.example')).toBe(value);
    }
  });

  it('V11 hides its counters from other viewers when its owner chooses so', async () => {
    await app.world.follow('alice', 'bob');
    await app.world.follow('bob', 'alice');
    expect(await shown('alice', bob)).toMatchObject({ followers_count: 1, following_count: 1 });
    await update({ hide_followers_count: true });
    expect(await shown('alice', bob)).toMatchObject({ followers_count: 0, following_count: 1 });
    await update({ hide_followers_count: false, hide_follows_count: true });
    expect(await shown('alice', bob)).toMatchObject({ followers_count: 1, following_count: 0 });
    expect(await own()).toMatchObject({ followers_count: 1, following_count: 1 });
  });

  it('shows its owner the counts of follow requests and unread items', async () => {
    expect(await own()).toMatchObject({ follow_requests_count: 0, svc: { unread_notifications_count: 0 } });
    await update({ locked: true });
    await app.world.follow('bob', 'alice');
    await app.drain();
    expect(await own()).toMatchObject({
      follow_requests_count: 1,
      source: { follow_requests_count: 1 },
      svc: { unread_notifications_count: 1, unread_conversation_count: 0 },
    });
  });

  it('does not count follow requests of deactivated accounts', async () => {
    await update({ locked: true });
    await app.world.follow('bob', 'alice');
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('bob')]);
    expect(await own()).toMatchObject({ follow_requests_count: 0, source: { follow_requests_count: 0 } });
    await app.sql('update accounts set deactivated_at = null where id = $1', [app.world.id('bob')]);
    expect(await own()).toMatchObject({ follow_requests_count: 1 });
  });
});

describe('the relationship in an account', () => {
  it('appears on request, also for the own account', async () => {
    await app.world.follow('alice', 'bob');
    const query = { with_relationships: true };
    expect((await shown('bob', alice)).svc.relationship).toEqual({});
    const toBob = (await shown('bob', alice, query)).svc.relationship;
    expect(checkShape(RelationshipShape, toBob)).toEqual([]);
    expect(toBob).toMatchObject({ id: id('bob'), following: true });
    expect((await shown('bob', app.world.anonymous, query)).svc.relationship).toEqual({});
    const body = await ok<CredentialAccountJson>(alice.get('/api/v1/accounts/alice', query));
    expect(checkShape(CredentialAccountShape, body)).toEqual([]);
    expect(body).toMatchObject({ svc: { relationship: { id: id('alice'), following: false } } });
  });
});

describe('the target of a moved account', () => {
  it('is rendered without fields for the viewer', async () => {
    expect((await shown('alice')).moved).toBeNull();
    await move('alice', id('bob'));
    await update({ hide_followers_count: true });
    const moved = (await shown('alice', bob, { with_relationships: true })).moved;
    expect(moved).toMatchObject({ id: id('bob'), acct: 'bob', moved: null, svc: { relationship: {} } });
    expect((await own()).moved).toMatchObject({ id: id('bob') });
    await move('alice', null);
    expect((await shown('alice')).moved).toBeNull();
  });

  it('is rendered without a further move, even in a circle', async () => {
    await app.world.person('carol');
    await move('alice', id('bob'));
    await move('bob', id('alice'));
    expect((await shown('alice')).moved).toMatchObject({ id: id('bob'), moved: null });
    expect((await shown('bob')).moved).toMatchObject({ id: id('alice'), moved: null });
  });

  it('is omitted when it is hidden', async () => {
    await move('alice', id('bob'));
    await app.get(UsersService).setActive(id('bob'), false);
    expect((await shown('alice')).moved).toBeNull();
    expect((await own()).moved).toBeNull();
  });

  it('adds one statement to a page, however many accounts moved', async () => {
    await app.world.persons('carol', 'dave');
    for (const name of ['alice', 'carol', 'dave']) await app.world.follow(name, 'bob');
    const page = async () => {
      const { result, statements } = await countQueries(() => bob.get('/api/v1/accounts/bob/followers').expect(200));
      return { accounts: result.body as AccountJson[], count: statements.length };
    };
    await page();
    const { count } = await page();
    await move('alice', id('bob'));
    await move('carol', id('dave'));
    await page(); // the cache has the bodies from now on
    const { accounts, count: withMoved } = await page();
    expect(accounts.map(({ moved }) => moved?.acct)).toEqual([undefined, 'dave', 'bob']);
    expect(withMoved).toBe(count + 1);
  });
});

describe('an account that is looked up', () => {
  const asked = async (name: string, client: Client) => [
    (await client.get(`/api/v1/accounts/${name}`)).status,
    (await client.get(`/api/v1/accounts/${id(name)}`)).status,
    (await client.get('/api/v1/accounts/lookup', { acct: name })).status,
  ];

  it('is visible to every viewer, even to accounts that it blocks or mutes', async () => {
    for (const action of ['block', 'mute']) await alice.post(`/api/v1/accounts/${id('bob')}/${action}`).expect(200);
    await update({ hide_followers: true, hide_follows: true, discoverable: false, locked: true });
    for (const client of [bob, app.world.anonymous]) expect(await asked('alice', client)).toEqual([200, 200, 200]);
  });

  it('of a remote server is visible until it is deactivated', async () => {
    await app.world.remote('zoe', 'b.example');
    expect(await asked('zoe@b.example', app.world.anonymous)).toEqual([200, 200, 200]);
    await app.get(UsersService).setActive(id('zoe@b.example'), false);
    expect(await asked('zoe@b.example', bob)).toEqual([404, 404, 404]);
  });

  it('is visible to administrators only after its deactivation, and its owner cannot sign in', async () => {
    await app.world.person('boss', { admin: true });
    const boss = await app.world.as('boss');
    await app.get(UsersService).setActive(id('alice'), false);
    expect(await asked('alice', boss)).toEqual([200, 200, 200]);
    expect(await shown('alice', boss)).toMatchObject({ is_active: false, suspended: true, svc: { deactivated: true } });
    for (const client of [bob, app.world.anonymous]) expect(await asked('alice', client)).toEqual([404, 404, 404]);
    expect([401, 403]).toContain((await alice.get(VERIFY)).status);
    expect([401, 403]).toContain((await alice.patch(UPDATE, { display_name: 'x' })).status);
    await app.get(UsersService).setActive(id('alice'), true);
    const active = await shown('alice', boss);
    expect(active.display_name).toBe('alice');
    expect(active).not.toHaveProperty('suspended');
  });
});

it('roles appear and disappear at once', async () => {
  await app.world.person('boss', { admin: true }); // keeps one administrator, who cannot lose the role
  for (const isAdmin of [false, true, false]) {
    await app.get(UsersService).setRole(id('alice'), { isAdmin });
    expect(await shown('alice', bob)).toMatchObject({ roles: { admin: isAdmin }, svc: { is_admin: isAdmin } });
  }
});

describe('hidden roles', () => {
  it('are shown to staff, for single accounts only', async () => {
    await app.world.person('boss', { admin: true });
    await app.get(UsersService).setRole(id('bob'), { isModerator: true });
    await bob.patch(UPDATE, { show_role: false }).expect(200);
    const boss = await app.world.as('boss');
    const hidden = { roles: { admin: false, moderator: false }, svc: { is_moderator: null } };
    const seen = { roles: { admin: false, moderator: true }, svc: { is_admin: false, is_moderator: true } };
    for (const client of [alice, app.world.anonymous]) expect(await shown('bob', client)).toMatchObject(hidden);
    expect(await shown('bob', boss, { with_relationships: true })).toMatchObject({
      ...seen,
      svc: { ...seen.svc, relationship: { id: id('bob') } },
    });
    expect(await ok(boss.get('/api/v1/accounts/lookup', { acct: 'bob' }))).toMatchObject(seen);
    await app.get(UsersService).setRole(id('alice'), { isModerator: true });
    expect(await shown('bob', alice)).toMatchObject(seen);
    expect(await shown('bob')).toMatchObject(hidden); // hidden roles are not cached
    await bob.patch(UPDATE, { show_role: true }).expect(200);
    expect(await shown('bob')).toMatchObject({ roles: { moderator: true }, svc: { is_moderator: true } });
  });
});

describe('concurrent updates', () => {
  it('keep all changes', async () => {
    const changes: Record<string, unknown>[] = [
      { display_name: 'Alice A.' },
      { note: 'about me' },
      { locked: true },
      { discoverable: true },
      { fields_attributes: [{ name: 'n', value: 'v' }] },
      { avatar_description: 'me' },
      { default_scope: 'private' },
      { source: { language: 'de' } },
      { no_rich_text: true },
      { birthday: '1990-12-31', show_birthday: true },
      { svc_settings_store: { one: { a: 1 } } },
      { svc_settings_store: { two: { b: 2 } } },
    ];
    await Promise.all(changes.map((change) => update(change)));
    expect(await own()).toMatchObject({
      display_name: 'Alice A.',
      note: '<p>about me</p>',
      locked: true,
      discoverable: true,
      fields: [{ name: 'n', value: 'v' }],
      source: { privacy: 'private', language: 'de', svc: { no_rich_text: true } },
      svc: {
        avatar_description: 'me',
        birthday: '1990-12-31',
        show_birthday: true,
        settings_store: { one: { a: 1 }, two: { b: 2 } },
      },
    });
  });
});
