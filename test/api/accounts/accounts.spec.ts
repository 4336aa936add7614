import type { Test } from 'supertest';
import {
  type AccountJson,
  AccountShape,
  AccountsService,
  CredentialAccountShape,
  ProfileService,
  UsersService,
} from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

/** A response of supertest, whose body is checked before use. */
type Answer = Omit<Awaited<Test>, 'body'> & { readonly body: unknown };

const app = useApp({ people: ['alice', 'bob'] });

const id = (nickname: string) => app.world.id(nickname);
const update = (nickname: string, changes: Parameters<ProfileService['update']>[1]) =>
  app.get(ProfileService).update(id(nickname), changes);

async function show(idOrNickname: string, client: Client = app.world.anonymous, query = {}): Promise<AccountJson> {
  const body = (await client.get(`/api/v1/accounts/${idOrNickname}`, query).expect(200)).body as unknown;
  expect(checkShape(AccountShape, body)).toEqual([]);
  return body as AccountJson;
}

async function missing(idOrNickname: string, client: Client = app.world.anonymous): Promise<void> {
  await client.get(`/api/v1/accounts/${idOrNickname}`).expect(404, { error: "Can't find user" });
}

describe('an account', () => {
  it('is rendered with all fields', async () => {
    await update('alice', {
      displayName: 'Alice A.',
      note: 'Hello #Birds',
      fields: [{ name: 'site', value: 'https://a.example' }],
    });
    const body = await show(id('alice'));
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000);
    expect(body).toEqual({
      id: id('alice'),
      username: 'alice',
      acct: 'alice',
      fqn: 'alice@svc.test',
      nickname: 'alice',
      uri: 'https://svc.test/users/alice',
      url: 'https://svc.test/users/alice',
      avatar_description: '',
      header_description: '',
      hide_collections: false,
      indexable: true,
      show_featured: true,
      show_media: true,
      show_media_replies: true,
      feature_approval: { automatic: [], manual: [], current_user: 'denied' },
      display_name: 'Alice A.',
      note: '<p>Hello <a class="mention hashtag" data-tag="birds" href="https://svc.test/tag/birds" rel="tag ugc">#<span>Birds</span></a></p>',
      avatar: 'https://svc.test/images/avi.png',
      avatar_static: 'https://svc.test/images/avi.png',
      header: 'https://svc.test/images/banner.png',
      header_static: 'https://svc.test/images/banner.png',
      locked: false,
      bot: false,
      group: false,
      discoverable: false,
      noindex: true,
      memorial: false,
      local: true,
      is_active: true,
      is_confirmed: true,
      created_at: body.created_at,
      last_status_at: null,
      statuses_count: 0,
      followers_count: 0,
      following_count: 0,
      emojis: [],
      fields: [
        { name: 'site', value: '<a href="https://a.example" rel="me ugc">https://a.example</a>', verified_at: null },
      ],
      moved: null,
      roles: { admin: false, moderator: false },
      source: {
        note: 'Hello #Birds',
        fields: [{ name: 'site', value: 'https://a.example' }],
        sensitive: false,
        svc: { discoverable: false, actor_type: 'Person' },
      },
      svc: {
        ap_id: 'https://svc.test/users/alice',
        also_known_as: [],
        background_image: null,
        tags: [],
        is_admin: false,
        is_moderator: false,
        is_confirmed: true,
        confirmation_pending: false,
        deactivated: false,
        hide_favorites: true,
        hide_followers: false,
        hide_follows: false,
        hide_followers_count: false,
        hide_follows_count: false,
        skip_thread_containment: false,
        accepts_chat_messages: true,
        favicon: 'https://svc.test/favicon.png',
        avatar_description: '',
        header_description: '',
        relationship: {},
      },
    });
  });

  it('is found by id, by nickname in any case, and by handle', async () => {
    await app.world.remote('zoe', 'b.example');
    for (const name of [id('alice'), 'alice', 'ALICE', 'alice@svc.test', '@alice']) {
      expect((await show(name)).id).toBe(id('alice'));
    }
    expect(await show('zoe@b.example')).toMatchObject({ acct: 'zoe@b.example', fqn: 'zoe@b.example', local: false });
    await missing('zoe');
    await missing('zoe@c.example');
  });

  it('is found by its id before a nickname that looks like the id', async () => {
    const twin = await app.world.person(id('bob').toLowerCase());
    expect((await show(twin.nickname)).id).toBe(twin.id);
    expect((await show(id('bob'))).id).toBe(id('bob'));
  });

  it('answers 400 or 404 for unknown and malformed names', async () => {
    const odd = ['nobody', '0', '9'.repeat(18), '%00', 'a@b@c', '%F0%9F%90%A6', "'--", 'x'.repeat(3000)];
    for (const name of odd) {
      const { status, body } = (await app.http.get(`/api/v1/accounts/${name}`)) as Answer;
      expect([name, [400, 404].includes(status), typeof (body as { error: unknown }).error]).toEqual([
        name,
        true,
        'string',
      ]);
    }
  });

  it('of a remote server is shown as that server describes it', async () => {
    const { id: zoe } = await app.world.remote('zoe', 'b.example');
    await app.sql(
      `update accounts set actor_type = 'Service', url = 'https://b.example/@zoe', emojis = $2, fields = $3, version = 2 where id = $1`,
      [
        zoe,
        JSON.stringify([
          { shortcode: 'cat', url: 'https://b.example/cat.png', static_url: 'https://b.example/cat.png' },
        ]),
        JSON.stringify([{ name: 'n', value: '<b>v</b>' }]),
      ],
    );
    expect(await show(zoe)).toMatchObject({
      url: 'https://b.example/@zoe',
      bot: true,
      emojis: [{ shortcode: 'cat', visible_in_picker: false }],
      fields: [{ name: 'n', value: '<b>v</b>', verified_at: null }],
      svc: { ap_id: 'https://b.example/users/zoe', accepts_chat_messages: null },
    });
  });
});

describe('a requested account', () => {
  const unseen: [string, string][] = [
    ['deactivated', 'update accounts set deactivated_at = now(), version = version + 1 where id = $1'],
    ['unconfirmed', 'update users set is_confirmed = false where account_id = $1'],
    ['unapproved', 'update users set is_approved = false where account_id = $1'],
  ];

  it.each(unseen)('is hidden from other viewers while it is %s', async (_state, make) => {
    await app.world.follow('alice', 'bob');
    await app.world.follow('bob', 'alice');
    const bob = await app.world.as('bob');
    await app.sql(make, [id('alice')]);
    for (const client of [app.world.anonymous, bob]) {
      await missing(id('alice'), client);
      await missing('alice', client);
      await client.get('/api/v1/accounts/alice/followers').expect(404);
      await client.get('/api/v1/accounts/lookup', { acct: 'alice' }).expect(404, { error: 'Record not found' });
      await client.get('/api/v1/accounts/bob/followers').expect(200, []);
      await client.get('/api/v1/accounts/bob/following').expect(200, []);
    }
    for (const action of ['follow', 'unfollow', 'block', 'mute']) {
      await bob.post(`/api/v1/accounts/${id('alice')}/${action}`).expect(404, { error: "Can't find user" });
    }
  });

  it('is visible to all other viewers, even blocked ones', async () => {
    await (await app.world.as('alice')).post(`/api/v1/accounts/${id('bob')}/block`).expect(200);
    expect((await show('alice', await app.world.as('bob'))).id).toBe(id('alice'));
    expect((await show('alice')).id).toBe(id('alice'));
  });

  it('V12 has more fields for its owner', async () => {
    const body = (await (await app.world.as('alice')).get('/api/v1/accounts/alice').expect(200)).body as unknown;
    expect(checkShape(CredentialAccountShape, body)).toEqual([]);
    const others = JSON.stringify(await show('alice', await app.world.as('bob')));
    for (const field of ['settings_store', 'chat_token', 'unread_', 'privacy', 'follow_requests_count', '@mail.test']) {
      expect(others).not.toContain(field);
    }
  });

  it('has no fields for the owner with a token without the scope', async () => {
    const client = await app.world.as('alice', 'read:statuses');
    expect(await show('alice', client)).not.toHaveProperty('follow_requests_count');
  });

  it('is visible again after its reactivation', async () => {
    const users = app.get(UsersService);
    await show('alice');
    await users.setActive(id('alice'), false);
    await missing('alice');
    await users.setActive(id('alice'), true);
    expect(await show('alice')).toMatchObject({ is_active: true, svc: { deactivated: false } });
  });
});

describe('the cached body', () => {
  it('is replaced after each change', async () => {
    expect((await show('alice')).display_name).toBe('alice');
    await update('alice', { displayName: 'New' });
    expect((await show('alice')).display_name).toBe('New');
    await app.get(UsersService).setRole(id('alice'), { isModerator: true });
    expect(await show('alice')).toMatchObject({
      roles: { admin: false, moderator: true },
      svc: { is_moderator: true },
    });
    await update('alice', { showRole: false });
    expect(await show('alice')).toMatchObject({ roles: { moderator: false }, svc: { is_moderator: null } });
    await update('alice', { defaultSensitive: true });
    expect((await show('alice')).source.sensitive).toBe(true);
  });

  it('has current counters', async () => {
    await show('alice');
    await app.world.follow('bob', 'alice');
    expect(await show('alice')).toMatchObject({ followers_count: 1, following_count: 0 });
    expect(await show('bob')).toMatchObject({ followers_count: 0, following_count: 1 });
  });
});

describe('lookup', () => {
  it('finds accounts by handle, but not by id', async () => {
    const find = (acct: string) => app.http.get('/api/v1/accounts/lookup').query({ acct });
    for (const acct of ['alice', '@alice', '!alice', 'Alice@svc.test']) {
      const body = (await find(acct).expect(200)).body as unknown;
      expect(checkShape(AccountShape, body)).toEqual([]);
      expect(body).toMatchObject({ id: id('alice') });
    }
    for (const acct of [id('alice'), 'nobody', 'alice@b.example', 'a b']) {
      await find(acct).expect(404, { error: 'Record not found' });
    }
    await app.http.get('/api/v1/accounts/lookup').expect(400);
  });
});

describe('finding accounts by handle', () => {
  it('finds active accounts in any case, with and without the local domain', async () => {
    await app.world.remote('zoe', 'b.example');
    await app.world.person('gone');
    await app.get(UsersService).setActive(id('gone'), false);
    const handles = [
      { username: 'ALICE' },
      { username: 'bob', domain: 'svc.test' },
      { username: 'zoe', domain: 'b.example' },
      { username: 'zoe' },
      { username: 'gone' },
    ];
    const known = await app.get(AccountsService).known(handles);
    const found = handles.map((handle) => known.mention(handle)?.accountId);
    expect(found).toEqual([id('alice'), id('bob'), id('zoe@b.example'), undefined, undefined]);
  });
});

describe('a default picture', () => {
  it.each(['avi', 'banner'])('is a cacheable PNG: /images/%s.png', async (name) => {
    const { headers, body } = (await app.http.get(`/images/${name}.png`).expect(200)) as Answer;
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=2592000' });
    expect((body as Buffer).subarray(1, 4).toString()).toBe('PNG');
  });
});

describe('a list of accounts by their ids', () => {
  const list = async (ids: readonly string[], client: Client = app.world.anonymous) =>
    (await client.get('/api/v1/accounts', { 'id[]': ids }).expect(200)).body as AccountJson[];

  it('contains active accounts once, in the requested order', async () => {
    await app.world.persons('carol', 'dave');
    await app.sql('update accounts set deactivated_at = now(), version = version + 1 where id = $1', [id('dave')]);
    const ids = [id('carol'), '999999999999999999', id('dave'), id('alice'), id('carol'), 'x'];
    for (const client of [app.world.anonymous, await app.world.as('alice')]) {
      const found = await list(ids, client);
      expect(found.map(({ acct }) => acct)).toEqual(['carol', 'alice']);
      expect(found.flatMap((account) => checkShape(AccountShape, account))).toEqual([]);
    }
    expect(await list([])).toEqual([]);
    await app.world.anonymous.get('/api/v1/accounts', { 'id[]': Array.from({ length: 41 }, () => 'x') }).expect(400);
  });

  it('hides members-only profiles from visitors', async () => {
    await app.world.remote('zoe', 'b.example');
    const ids = [id('alice'), id('zoe@b.example')];
    const settings = app.get(SettingsService);
    await settings.update([{ path: 'restrict_unauthenticated.profiles', value: { local: true, remote: false } }]);
    expect((await list(ids)).map(({ acct }) => acct)).toEqual(['zoe@b.example']);
    expect(await list(ids, await app.world.as('bob'))).toHaveLength(2);
    await settings.reset('restrict_unauthenticated.profiles');
  });
});
