import {
  type AccountJson,
  AccountShape,
  type CredentialAccountJson,
  CredentialAccountShape,
} from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const VERIFY = '/api/v1/accounts/verify_credentials';
const UPDATE = '/api/v1/accounts/update_credentials';

const app = useApp({ people: ['alice'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

function requireOwn(body: unknown): CredentialAccountJson {
  expect(checkShape(CredentialAccountShape, body)).toEqual([]);
  return body as CredentialAccountJson;
}

const verified = async (client = alice) => requireOwn((await client.get(VERIFY).expect(200)).body);
const updated = async (values: Record<string, unknown>) =>
  requireOwn((await alice.patch(UPDATE, values).expect(200)).body);

async function shown(): Promise<AccountJson> {
  const body = (await app.http.get('/api/v1/accounts/alice').expect(200)).body as AccountJson;
  expect(checkShape(AccountShape, body)).toEqual([]);
  return body;
}

const rows = () => app.sql<Record<string, unknown>>('select * from accounts join users on account_id = id order by id');

/** The name of the only value, also within `source`. */
function fieldOf(values: Record<string, unknown>): string {
  const [[name, value] = ['', {}]] = Object.entries(values);
  return name === 'source' ? `source.${fieldOf(value as Record<string, unknown>)}` : name;
}

/** Expects that the update is refused and changes nothing. */
async function refused(status: 400 | 403, values: Record<string, unknown>, error: unknown = expect.any(String)) {
  const before = await rows();
  const answer = await alice.patch(UPDATE, { display_name: 'changed', ...values });
  const details = expect.objectContaining({
    [fieldOf(values)]: [{ error: expect.any(String), description: error }],
  }) as object;
  const body = status === 403 ? { error, details } : { error };
  expect([answer.status, answer.body]).toEqual([status, body]);
  expect(await rows()).toEqual(before);
}

describe('verify_credentials', () => {
  it('shows the owner all fields with one statement', async () => {
    await verified();
    app.invalidateReads();
    const { statements, result } = await countQueries(() => verified());
    expect(statements.filter((name) => name.startsWith('accounts.'))).toEqual(['accounts.own']);
    expect(result).toMatchObject({
      id: app.world.id('alice'),
      follow_requests_count: 0,
      source: {
        note: '',
        fields: [],
        privacy: 'public',
        quote_policy: 'public',
        sensitive: false,
        language: null,
        follow_requests_count: 0,
        discoverable: false,
        indexable: true,
        hide_collections: false,
        attribution_domains: [],
        svc: { show_role: true, no_rich_text: false, discoverable: false, actor_type: 'Person' },
      },
      svc: {
        settings_store: {},
        show_birthday: false,
        allow_following_move: true,
        notification_settings: { block_from_strangers: false, hide_notification_contents: false },
        unread_conversation_count: 0,
        unread_notifications_count: 0,
        chat_token: expect.any(String),
      },
    });
  });

  it('shows the owner hidden roles', async () => {
    await app.world.person('boss', { admin: true });
    const boss = await app.world.as('boss');
    await boss.patch(UPDATE, { show_role: false }).expect(200);
    expect(await verified(boss)).toMatchObject({
      roles: { admin: true },
      svc: { is_admin: true, is_moderator: false },
    });
  });

  it('requires a user and the scope', async () => {
    await app.http.get(VERIFY).expect(401);
    const appOnly = await app.world.asApp();
    expect([401, 403]).toContain((await appOnly.get(VERIFY)).status);
    await (await app.world.as('alice', 'read:statuses')).get(VERIFY).expect(403);
    await (await app.world.as('alice', 'read:accounts')).get(VERIFY).expect(200);
    await (await app.world.as('alice', 'read')).patch(UPDATE, { locked: true }).expect(403);
  });
});

describe('update_credentials', () => {
  it('changes texts and flags one at a time', async () => {
    const changes: [Record<string, unknown>, Record<string, unknown>][] = [
      [{ display_name: ' Alice ' }, { display_name: 'Alice' }],
      [{ display_name: '' }, { display_name: 'alice' }],
      [{ display_name: ' \u200b\u2060' }, { display_name: 'alice' }],
      [{ display_name: 'a\u202eb' }, { display_name: 'a\u202eb' }],
      [{ note: 'a\nb' }, { note: '<p>a<br>b</p>', source: { note: 'a\nb' } }],
      [{ locked: true }, { locked: true }],
      [{ bot: 'true' }, { bot: true, source: { svc: { actor_type: 'Service' } } }],
      [{ bot: false }, { bot: false, source: { svc: { actor_type: 'Person' } } }],
      [{ actor_type: 'Group' }, { group: true, source: { svc: { actor_type: 'Group' } } }],
      [{ bot: false }, { source: { svc: { actor_type: 'Group' } } }],
      [{ discoverable: true }, { discoverable: true, source: { svc: { discoverable: true } } }],
      [{ hide_followers: true }, { svc: { hide_followers: true } }],
      [{ hide_follows: true }, { svc: { hide_follows: true } }],
      [{ hide_followers_count: true }, { svc: { hide_followers_count: true } }],
      [{ hide_follows_count: true }, { svc: { hide_follows_count: true } }],
      [{ hide_favorites: false }, { svc: { hide_favorites: false } }],
      [{ skip_thread_containment: true }, { svc: { skip_thread_containment: true } }],
      [{ accepts_chat_messages: false }, { svc: { accepts_chat_messages: false } }],
      [{ avatar_description: 'me' }, { svc: { avatar_description: 'me' } }],
      [{ header_description: 'hills' }, { svc: { header_description: 'hills' } }],
      [{ also_known_as: ['https://b.example/users/a'] }, { svc: { also_known_as: ['https://b.example/users/a'] } }],
      [{ also_known_as: [] }, { svc: { also_known_as: [] } }],
    ];
    for (const [change, expected] of changes) {
      expect(await updated(change)).toMatchObject(expected);
      expect(await shown()).toMatchObject(expected);
    }
  });

  it('changes fields that only the owner sees', async () => {
    expect(await updated({ show_role: false })).toMatchObject({ source: { svc: { show_role: false } } });
    expect(await updated({ no_rich_text: true })).toMatchObject({ source: { svc: { no_rich_text: true } } });
    expect(await updated({ allow_following_move: false })).toMatchObject({ svc: { allow_following_move: false } });
    for (const indexable of [false, true])
      expect(await updated({ indexable })).toMatchObject({ source: { indexable } });
    expect(await updated({ discoverable: true })).toMatchObject({ source: { discoverable: true } });
    expect(await updated({ default_scope: 'private' })).toMatchObject({ source: { privacy: 'private' } });
    const source = { privacy: 'unlisted', quote_policy: 'followers', sensitive: true, language: 'pt-BR' };
    expect(await updated({ source })).toMatchObject({ source });
    expect(await updated({ source: { language: '' } })).toMatchObject({ source: { ...source, language: null } });
    await updated({ language: 'de' });
    expect(await app.sql('select locale from users')).toEqual([{ locale: 'de' }]);
    expect(await verified()).toMatchObject({ source: { privacy: 'unlisted' } });
  });

  it.each([
    [{ hide_collections: true }, [true, true], true],
    [{ hide_collections: 'false' }, [false, false], false],
    [{ hide_followers: true }, [true, false], false],
    [{ hide_follows: true }, [false, true], false],
    [{ hide_collections: true, hide_follows: false }, [true, false], false],
    [{ hide_followers: true, hide_follows: true }, [true, true], true],
  ])('hides the lists of followers and follows by either name: %j', async (change, hides, hide_collections) => {
    const { source, svc } = await updated(change);
    expect([svc.hide_followers, svc.hide_follows]).toEqual(hides);
    expect(source).toMatchObject({ hide_collections });
    await app.world.person('bob');
    await app.world.follow('bob', 'alice');
    await app.world.follow('alice', 'bob');
    const lists = ['followers', 'following'].map(async (list) => {
      const { body } = await app.http.get(`/api/v1/accounts/alice/${list}`).expect(200);
      return (body as unknown[]).length === 0;
    });
    expect(await Promise.all(lists)).toEqual(hides);
    expect((await updated({ note: 'x' })).source).toMatchObject({ hide_collections });
  });

  it.each([
    [[], []],
    [[''], []],
    [
      ['Blog.example', ' https://blog.example/about ', 'bücher.example'],
      ['blog.example', 'xn--bcher-kva.example'],
    ],
    [['news.blog.example:8080'], ['news.blog.example']],
  ])('keeps the domains of pages that name the account: %j', async (attribution_domains, stored) => {
    expect((await updated({ attribution_domains })).source).toMatchObject({ attribution_domains: stored });
    expect(await verified()).toMatchObject({ source: { attribution_domains: stored } });
  });

  it.each(['nothing', 'a b.example', 'https://'])('refuses an invalid domain: %s', async (domain) => {
    await refused(403, { attribution_domains: ['blog.example', domain] }, `${domain} is not a domain`);
  });

  it('accepts languages with underscores', async () => {
    expect(await updated({ language: 'de_AT', source: { language: 'pt_BR' } })).toMatchObject({
      source: { language: 'pt-BR' },
    });
    expect(await app.sql('select locale from users')).toEqual([{ locale: 'de-AT' }]);
  });

  it('accepts forms and the older path', async () => {
    const patch = (path: string) => app.http.patch(path).auth(alice.token, { type: 'bearer' });
    const fields = { 'fields_attributes[1][name]': 'b', 'fields_attributes[0][name]': 'a' };
    const form = await patch('/api/v1/update_credentials')
      .type('form')
      .send({ 'source[privacy]': 'direct', ...fields });
    expect(requireOwn(form.body).source).toMatchObject({ privacy: 'direct', fields: [{ name: 'a' }, { name: 'b' }] });
    const multipart = await patch(UPDATE).field('display_name', 'Multi').field('avatar', '').expect(200);
    expect(multipart.body).toMatchObject({ display_name: 'Multi' });
  });

  it('drops blank fields, and escapes and links the others', async () => {
    const fields_attributes = [
      { name: '', value: ' ' },
      { name: 'site', value: 'https://x.example/?a=1&b=2' },
      { name: '<b>', value: '<script>alert(1)</script>' },
    ];
    const { fields, source } = await updated({ fields_attributes });
    expect(fields.map(({ value }) => value)).toEqual([
      '<a href="https://x.example/?a=1&amp;b=2" rel="me ugc">https://x.example/?a=1&amp;b=2</a>',
      '&lt;script&gt;alert(1)&lt;/script&gt;',
    ]);
    expect(source.fields).toEqual(fields_attributes.slice(1));
    expect((await updated({ fields_attributes: [] })).fields).toEqual([]);
  });

  it('does not count blank fields, even at the highest limit', async () => {
    const settings = app.get(SettingsService);
    await settings.update([{ path: 'instance.max_account_fields', value: 100 }]);
    const real = Array.from({ length: 100 }, (_, n) => ({ name: `${n}`, value: 'v' }));
    const blank = Array.from({ length: 50 }, () => ({ name: '', value: ' ' }));
    const { source } = await updated({ fields_attributes: [...blank, ...real, ...blank] });
    expect(source.fields).toEqual(real);
    const over = [...blank, ...real, { name: '100', value: 'v' }];
    await refused(403, { fields_attributes: over }, 'A profile has at most 100 fields');
    await settings.reset('instance.max_account_fields');
  });

  it('keeps each alias once, in the given order', async () => {
    const [a, b] = ['https://b.example/users/a', 'https://b.example/users/b'];
    const also_known_as = [b, a, b, a, a];
    expect((await updated({ also_known_as })).svc.also_known_as).toEqual([b, a]);
  });

  it('links the accounts that a bio mentions', async () => {
    await app.world.person('bob');
    await app.world.remote('zoe', 'b.example');
    const { note } = await updated({ note: '@bob @bob@svc.test @zoe@b.example @nobody' });
    expect(note.match(/data-user="[^"]+"/g)).toEqual(
      ['bob', 'bob', 'zoe@b.example'].map((name) => `data-user="${app.world.id(name)}"`),
    );
    expect(note).toContain('@nobody');
  });

  it('H17 H18 refuses the whole update for one field that is too long', async () => {
    const long = 'x'.repeat(100_000);
    const fields = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `${n}`, value: 'v' }));
    await refused(403, { display_name: long }, 'The display name is too long (maximum is 100 characters)');
    await refused(403, { note: long });
    await refused(403, { avatar_description: long });
    await refused(403, { header_description: long });
    await refused(403, { fields_attributes: [{ name: long, value: 'v' }] });
    await refused(403, { fields_attributes: [{ name: 'n', value: long }] });
    await refused(403, { fields_attributes: fields(11) }, 'A profile has at most 10 fields');
    await refused(403, { fields_attributes: fields(300) });
    await refused(403, { also_known_as: Array.from({ length: 21 }, (_, n) => `https://b.example/${n}`) });
    await refused(403, { language: 'no language' });
    await refused(403, { source: { language: 'x;y' } });
  });

  it('counts characters instead of UTF-16 units', async () => {
    expect((await updated({ display_name: '🐦'.repeat(100) })).display_name).toBe('🐦'.repeat(100));
    await refused(403, { display_name: '🐦'.repeat(101) });
  });

  it('refuses malformed values', async () => {
    await refused(400, { display_name: { a: 1 } });
    await refused(400, { actor_type: 'Robot' });
    await refused(400, { default_scope: 'list' });
    await refused(400, { source: 'private' });
    await refused(400, { source: { quote_policy: 'everybody' } });
    await refused(400, { fields_attributes: ['a'] });
    await refused(400, { also_known_as: ['javascript:alert(1)'] });
    await refused(400, { svc_settings_store: 'text' });
    await refused(400, { svc_settings_store: ['a'] });
    await refused(400, { note: 'a\0b' });
  });

  it('V13 ignores fields that owners may not set', async () => {
    const before = await rows();
    await updated({ is_admin: true, isAdmin: true, roles: { admin: true }, id: 'x', nickname: 'x', password: 'x' });
    await updated({
      is_confirmed: false,
      is_approved: false,
      version: 99,
      tags: ['x'],
      email: 'x@y.example',
      ap_id: 'x',
    });
    expect(await rows()).toEqual(before);
  });

  it('raises the version only for changes that other viewers see', async () => {
    const version = async () => (await rows())[0]!['version'];
    await updated({});
    await updated({ default_scope: 'private', no_rich_text: true, svc_settings_store: { fe: {} } });
    expect(await version()).toBe(1);
    await updated({ locked: true });
    expect(await version()).toBe(2);
  });
});

describe('a birthday', () => {
  it('is shown to other viewers when the owner chooses so', async () => {
    expect((await updated({ birthday: '1990-12-31' })).svc.birthday).toBe('1990-12-31');
    expect((await shown()).svc).not.toHaveProperty('birthday');
    await updated({ show_birthday: true });
    expect((await shown()).svc.birthday).toBe('1990-12-31');
    expect((await updated({ birthday: '' })).svc).not.toHaveProperty('birthday');
  });

  it('must be a date in the past', async () => {
    for (const birthday of ['2990-01-01', '1990-02-30', '0000-01-01', 'soon', 'x'.repeat(100_000)]) {
      await refused(403, { birthday });
    }
  });

  it('can be required by a minimum age, of accounts that have named one', async () => {
    const settings = app.get(SettingsService);
    await settings.update([{ path: 'instance.birthday_min_age', value: 6570 }]);
    await updated({ birthday: '' });
    await refused(403, { birthday: new Date().toISOString().slice(0, 10) });
    await updated({ birthday: '1990-12-31' });
    await refused(403, { birthday: '' });
    await settings.reset('instance.birthday_min_age');
  });
});

describe('the settings store', () => {
  it('replaces only the objects of the given names', async () => {
    await updated({ svc_settings_store: { fe: { a: 1, b: 2 }, other: { c: [3] } } });
    const { svc } = await updated({ svc_settings_store: { fe: { b: { deep: true } } } });
    expect(svc.settings_store).toEqual({ fe: { b: { deep: true } }, other: { c: [3] } });
    expect((await verified()).svc.settings_store).toEqual(svc.settings_store);
  });

  it('accepts names as long as the frontend route does', async () => {
    const name = '🐦'.repeat(100);
    const { svc } = await updated({ svc_settings_store: { [name]: { a: 1 } } });
    expect(svc.settings_store).toEqual({ [name]: { a: 1 } });
    await alice.get(`/api/v1/svc/settings/${encodeURIComponent(name)}`).expect(200, { a: 1 });
    const longer = { fe: { a: 1 }, [`${name}x`]: { a: 1 } };
    await refused(400, { svc_settings_store: longer }, 'The name of the frontend is too long');
  });

  it('is limited in size', async () => {
    const filler = (name: string) => ({ svc_settings_store: { [name]: { text: 'x'.repeat(900_000) } } });
    await updated(filler('a'));
    await refused(403, filler('b'), 'The settings store is full');
    await updated(filler('a'));
  });
});

describe('another brand', () => {
  it('changes all names in input and output', async () => {
    const branded = await startApp({ COMPAT_BRAND: 'acme' });
    try {
      await branded.world.person('alice');
      const client = await branded.world.as('alice');
      const change = await client.patch(UPDATE, { acme_settings_store: { fe: { a: 1 } } }).expect(200);
      expect(change.body).toMatchObject({
        source: { acme: { actor_type: 'Person' } },
        acme: { settings_store: { fe: { a: 1 } } },
      });
      await client.patch(UPDATE, { svc_settings_store: { fe: { a: 2 } } }).expect(200);
      const own = await client.get(VERIFY).expect(200);
      expect(own.body).toMatchObject({ acme: { settings_store: { fe: { a: 2 } } } });
      const shown = await branded.http.get('/api/v1/accounts/alice').expect(200);
      expect(shown.body).toMatchObject({ source: { acme: {} }, acme: { relationship: {} } });
      for (const answer of [change, own, shown]) expect(answer.text).not.toMatch(/"svc"/);
    } finally {
      await branded.close();
    }
  });
});
