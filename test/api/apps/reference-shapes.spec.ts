import { UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { ReferenceShapes1764000210000 } from '../../../src/migrations/config/1764000210000-reference-shapes.js';
import { useApp } from '../../support/servers/app.js';
import { Subscriber } from '../../support/servers/push-service.js';
import { connect, isMarker, sendMarker } from '../../support/servers/sockets.js';
import type { Client } from '../../support/fixtures/world.js';
import { ok, post } from '../../support/fixtures/statuses.js';

const STATUSES = '/api/v1/statuses';
const OBJECT = { admin: true, moderator: false };
const LIST = [{ id: 'admin', name: 'Admin', color: '' }];
const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString();

interface Seen {
  readonly id: string;
  readonly visibility: string;
}

const app = useApp({ people: ['alice', 'bob'], listening: true });

beforeEach(async () => {
  await app.get(UsersService).setRole(app.world.id('alice'), { isAdmin: true });
  await app.get(UsersService).setRole(app.world.id('bob'), { isModerator: true });
});

const tusky = (nickname = 'alice') => app.world.asWith('Tusky', nickname);
const other = (nickname = 'alice') => app.world.asWith('Other', nickname);
const setDefault = async (privacy: string) =>
  (await other()).patch('/api/v1/accounts/update_credentials', { source: { privacy } }).expect(200);
const stored = async (id: string) => (await ok<Seen>((await other()).get(`${STATUSES}/${id}`))).visibility;
const listPost = async () => {
  const { id } = await ok<{ id: string }>((await other()).post('/api/v1/lists', { title: 'Friends' }));
  return post(app, 'alice', 'hello', { visibility: `list:${id}` });
};

describe('the setting apps.reference_shapes', () => {
  it.each([
    ['the name', 'Tusky', 'x', undefined, LIST],
    ['a part of the name, in any case', 'TUSKY nightly', 'x', undefined, LIST],
    ['the User-Agent', 'App', 'MastodonAndroid/2.9', undefined, LIST],
    ['neither', 'Elk', 'Mozilla/5.0', undefined, OBJECT],
    ['the name of another app', 'Tusky', 'x', ['Elk'], OBJECT],
    ['the name of an own choice', 'Elk', 'x', ['elk'], LIST],
    ['no app', 'Tusky', 'Tusky', [], OBJECT],
    ['every app', 'Elk', 'x', ['*'], LIST],
  ])('recognises apps by %s', async (_case, name, agent, value, roles) => {
    if (value) await app.get(SettingsService).update([{ path: 'apps.reference_shapes', value }]);
    const client = await app.world.asWith(name, 'alice');
    const path = `/api/v1/accounts/${app.world.id('alice')}`;
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await ok(client.get(path).set('user-agent', agent))).toMatchObject({ roles });
      expect(await ok((await other()).get(path))).toMatchObject({ roles: value?.[0] === '*' ? LIST : OBJECT });
    }
  });

  it('recognises apps without a token by their User-Agent', async () => {
    const show = () => app.world.anonymous.get(`/api/v1/accounts/${app.world.id('bob')}`);
    expect(await ok(show())).toMatchObject({ roles: { admin: false, moderator: true } });
    const roles = [{ id: 'moderator', name: 'Moderator', color: '' }];
    expect(await ok(show().set('user-agent', 'Tusky/27.0 Android/15 OkHttp/4.12.0'))).toMatchObject({ roles });
  });
});

describe.each([
  ['array', ['*']],
  ['absent', ['*']],
  ['object', undefined],
])('the earlier choice %s for the roles of accounts', (choice, value) => {
  it(value ? 'stays' : 'is the default', async () => {
    const change = 'insert into config_items (group_name, key, value) values ($1, $2, to_jsonb($3::text))';
    await app.sql(change, ['instance', 'account_roles_shape', choice]);
    await app.sql((new ReferenceShapes1764000210000() as unknown as { statements: string }).statements);
    const rows = await app.sql('select group_name, key, value from config_items');
    expect(rows).toEqual(value ? [{ group_name: 'apps', key: 'reference_shapes', value }] : []);
  });
});

describe('an app of the reference reads', () => {
  const subscription = { endpoint: 'https://push.example/a', keys: new Subscriber('https://push.example/a').keys };

  it.each<[string, () => Promise<string>, object, object]>([
    [
      'roles of the own account',
      () => Promise.resolve('/api/v1/accounts/verify_credentials'),
      { roles: OBJECT },
      { roles: LIST },
    ],
    [
      'roles of authors',
      async () => `${STATUSES}/${(await post(app, 'alice', 'x')).id}`,
      { account: { roles: OBJECT } },
      { account: { roles: LIST } },
    ],
    [
      'the visibility local as unlisted',
      async () => `${STATUSES}/${(await post(app, 'alice', 'x', { visibility: 'local' })).id}`,
      { visibility: 'local' },
      { visibility: 'unlisted' },
    ],
    [
      'the visibility list as private',
      async () => `${STATUSES}/${(await listPost()).id}`,
      { visibility: 'list' },
      { visibility: 'private' },
    ],
    [
      'filters that blur as those that warn',
      async () => {
        const filter = { title: 'tea', context: ['home'], filter_action: 'blur' };
        const { id } = await ok<{ id: string }>((await other()).post('/api/v2/filters', filter));
        return `/api/v2/filters/${id}`;
      },
      { filter_action: 'blur' },
      { filter_action: 'warn' },
    ],
    [
      'texts unchanged',
      async () => `${STATUSES}/${(await post(app, 'alice', '"visibility":"local" ü', { visibility: 'private' })).id}`,
      { svc: { content: { 'text/plain': '"visibility":"local" ü' } } },
      { svc: { content: { 'text/plain': '"visibility":"local" ü' } } },
    ],
    [
      'the default visibility local as unlisted',
      () => setDefault('local').then(() => '/api/v1/accounts/verify_credentials'),
      { source: { privacy: 'local' } },
      { source: { privacy: 'unlisted' } },
    ],
    [
      'the default visibility in the preferences as unlisted',
      () => setDefault('local').then(() => '/api/v1/preferences'),
      { 'posting:default:visibility': 'local' },
      { 'posting:default:visibility': 'unlisted' },
    ],
    [
      'scheduled posts',
      async () => {
        await post(app, 'alice', 'x', { visibility: 'local', scheduled_at: IN_AN_HOUR });
        return '/api/v1/scheduled_statuses';
      },
      [{ params: { visibility: 'local' } }],
      [{ params: { visibility: 'unlisted' } }],
    ],
    [
      'results of a search',
      () => Promise.resolve('/api/v2/search?q=alice'),
      { accounts: [{ roles: OBJECT }] },
      { accounts: [{ roles: LIST }] },
    ],
    [
      'records of our own API unchanged',
      async () => {
        await app.sql("update oauth_tokens set scopes = '{read,write,admin}'");
        return '/api/v1/svc/admin/users';
      },
      { users: expect.arrayContaining([expect.objectContaining({ roles: OBJECT })]) as unknown },
      { users: expect.arrayContaining([expect.objectContaining({ roles: OBJECT })]) as unknown },
    ],
  ])('%s', async (_case, make, forOthers, forReference) => {
    const [reader, writer] = [await tusky(), await other()];
    const path = await make();
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await ok(reader.get(path))).toMatchObject(forReference);
      expect(await ok(writer.get(path))).toMatchObject(forOthers);
    }
  });

  it('a number as the id of a push subscription', async () => {
    const path = '/api/v1/push/subscription';
    const made = await ok<{ id: unknown }>((await tusky()).post(path, { subscription }));
    expect(made.id).toEqual(expect.any(Number));
    expect((await ok<{ id: unknown }>((await tusky()).get(path))).id).toBe(made.id);
    const { id } = await ok<{ id: unknown }>((await other()).post(path, { subscription }));
    expect(id).toEqual(expect.any(String));
  });

  it.each([
    ['open account', false, { following: true, requested: false }],
    ['account that is locked', true, { following: false, requested: true }],
  ])('an %s on another server as followed at once only when it is open', async (_case, locked, shown) => {
    const { id } = await app.world.remote('zoe', 'far.test');
    await app.sql('update accounts set locked = $2, version = version + 1 where id = $1', [id, locked]);
    expect(await ok((await tusky()).post(`/api/v1/accounts/${id}/follow`))).toMatchObject(shown);
    const waiting = { following: false, requested: true };
    expect(await ok((await other('bob')).post(`/api/v1/accounts/${id}/follow`))).toMatchObject(waiting);
    expect(await ok((await tusky()).get('/api/v1/accounts/relationships', { id }))).toMatchObject([waiting]);
  });
});

describe('a visibility that an app of the reference sends', () => {
  it.each([
    ['public', 'local', 'unlisted', 'local'],
    ['public', 'local', 'public', 'public'],
    ['public', 'local', 'private', 'private'],
    ['local', 'unlisted', 'unlisted', 'unlisted'],
    ['local', 'public', 'unlisted', 'local'],
    ['local', undefined, 'unlisted', 'local'],
    ['local', undefined, undefined, 'local'],
    ['public', undefined, 'unlisted', 'unlisted'],
    ['public', 'list', 'private', 'list'],
    ['public', 'private', 'private', 'private'],
    ['private', 'public', 'private', 'private'],
  ])('with the default %s, in an answer to a %s post, is read from %s as %s', async (scope, parent, sent, meant) => {
    await setDefault(scope);
    const answered =
      parent === 'list' ? await listPost() : parent && (await post(app, 'alice', 'x', { visibility: parent }));
    const values = { status: 'y', ...(answered && { in_reply_to_id: answered.id }), ...(sent && { visibility: sent }) };
    const { id } = await ok<Seen>((await tusky()).post(STATUSES, values));
    expect(await stored(id)).toBe(meant);
    if (!answered && sent) expect((await ok<Seen>((await other()).post(STATUSES, values))).visibility).toBe(sent);
  });

  it('keeps its meaning until a scheduled post is published', async () => {
    await setDefault('local');
    const values = { status: 'y', visibility: 'unlisted', scheduled_at: IN_AN_HOUR };
    await ok((await tusky()).post(STATUSES, values));
    await app.sql('update scheduled_statuses set scheduled_at = now()');
    await app.sql("update jobs set run_at = now() where name = 'statuses.post-scheduled'");
    await app.drain();
    const [made] = await ok<Seen[]>((await other()).get(`/api/v1/accounts/${app.world.id('alice')}/statuses`));
    expect(made?.visibility).toBe('local');
  });

  it.each(['local', 'list'])('does not change a %s post that is edited', async (visibility) => {
    const { id } = visibility === 'list' ? await listPost() : await post(app, 'alice', 'x', { visibility });
    const edit = { status: 'z', visibility: visibility === 'list' ? 'private' : 'unlisted' };
    await ok((await tusky()).put(`${STATUSES}/${id}`, edit));
    expect(await stored(id)).toBe(visibility);
  });

  it.each([
    ['local', 'unlisted', 'local'],
    ['local', 'public', 'public'],
    ['public', 'unlisted', 'unlisted'],
  ])('changes the default %s, sent as %s, to %s', async (scope, privacy, kept) => {
    for (const path of ['/api/v1/accounts/update_credentials', '/api/v1/profile']) {
      await setDefault(scope);
      await ok((await tusky()).patch(path, { source: { privacy } }));
      expect(await ok((await other()).get('/api/v1/preferences'))).toMatchObject({
        'posting:default:visibility': kept,
      });
    }
  });
});

it('streams give an app of the reference its shapes and no notification of a type that it does not know', async () => {
  const clients = [await tusky(), await other()];
  const sockets = await Promise.all(clients.map(({ token }) => connect(app, { stream: 'user', access_token: token })));
  const { id } = await post(app, 'alice', 'x', { visibility: 'local' });
  const bob = await other('bob');
  await bob.put(`/api/v1/svc/statuses/${id}/reactions/${encodeURIComponent('🍵')}`).expect(200);
  await app.drain();
  await bob.post(`${STATUSES}/${id}/favourite`).expect(200);
  await app.drain();
  await sendMarker(app, ['alice']);
  const read = await Promise.all(
    sockets.map(async (socket) =>
      (await socket.until(isMarker)).map(({ event, payload = '' }) => ({ event, ...(JSON.parse(payload) as object) })),
    ),
  );
  const bobs = [{ id: 'moderator', name: 'Moderator', color: '' }];
  expect(read[0]).toMatchObject([
    { event: 'update', visibility: 'unlisted', account: { roles: LIST } },
    { event: 'notification', type: 'favourite', account: { roles: bobs }, status: { visibility: 'unlisted' } },
  ]);
  expect(read[1]).toMatchObject([
    { event: 'update', visibility: 'local', account: { roles: OBJECT } },
    { event: 'notification', type: 'svc:emoji_reaction' },
    { event: 'notification', type: 'favourite', status: { visibility: 'local' } },
  ]);
  await Promise.all(sockets.map((socket) => socket.close()));
});

it('groups of notifications have only the types that an app of the reference knows', async () => {
  const { id } = await post(app, 'alice', 'x');
  const bob = await other('bob');
  const clients = [await tusky(), await other()];
  await ok(clients[0]!.post('/api/v2/notifications/clear'));
  await bob.put(`/api/v1/svc/statuses/${id}/reactions/${encodeURIComponent('🍵')}`).expect(200);
  await bob.post(`${STATUSES}/${id}/favourite`).expect(200);
  await app.drain();
  const typesFor = async (client: Client) => {
    const list = await ok<{ notification_groups: { type: string }[] }>(client.get('/api/v2/notifications'));
    const { count } = await ok<{ count: number }>(client.get('/api/v2/notifications/unread_count'));
    return [count, ...list.notification_groups.map(({ type }) => type)];
  };
  expect(await typesFor(clients[0]!)).toEqual([1, 'favourite']);
  expect(await typesFor(clients[1]!)).toEqual([2, 'favourite', 'svc:emoji_reaction']);
});
