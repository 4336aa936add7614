import type { CredentialAccountJson } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { OauthClient } from '../../support/fixtures/oauth.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

const ADMIN = '/api/v1/svc/admin';
const NO_ADMIN = { error: 'User is not an admin.' };

const app = useApp({ people: ['alice', 'mod'] });
let mod: Client;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  await app.sql('update users set is_moderator = true where account_id = $1', [app.world.id('mod')]);
  mod = await app.world.as('mod', 'admin');
});

const give = (...value: string[]) =>
  app.get(SettingsService).update([{ path: 'instance.moderator_privileges', value }]);

describe('a moderator', () => {
  it('has no right without privileges', async () => {
    expect((await mod.get(`${ADMIN}/reports`).expect(403)).body).toEqual(NO_ADMIN);
    expect((await mod.get(`${ADMIN}/statuses`).expect(403)).body).toEqual(NO_ADMIN);
  });

  it('reads reports in its notifications only while it may read reports', async () => {
    const alice = await app.world.as('alice');
    const { id } = await post(app, 'root', '@alice a secret', { visibility: 'direct' });
    const report = () => ok(alice.post('/api/v1/reports', { account_id: app.world.id('root'), status_ids: [id] }));
    const reader = await app.world.as('mod', 'read');
    const notified = async () => {
      await app.drain();
      const include = { include_types: ['svc:report'] };
      const [list, { notification_groups: groups }, { count }, { count: grouped }] = await Promise.all([
        ok<object[]>(reader.get('/api/v1/notifications', include)),
        ok<{ notification_groups: object[] }>(reader.get('/api/v2/notifications', { types: ['svc:report'] })),
        ok<{ count: number }>(reader.get('/api/v1/notifications/unread_count', { types: ['svc:report'] })),
        ok<{ count: number }>(reader.get('/api/v2/notifications/unread_count', { types: ['svc:report'] })),
      ]);
      return [list.length, groups.length, count, grouped];
    };
    await report();
    expect(await notified()).toEqual([0, 0, 0, 0]);
    await give('admin:read:reports');
    expect(await notified()).toEqual([0, 0, 0, 0]);
    await report();
    expect(await notified()).toEqual([1, 1, 1, 1]);
    await give();
    expect(await notified()).toEqual([0, 0, 0, 0]);
  });

  it('has the rights of its privileges as long as it has them', async () => {
    await give('admin:read:reports', 'admin:write:statuses');
    await ok((await app.world.as('alice')).post('/api/v1/reports', { account_id: app.world.id('root') }));
    const { reports } = await ok<{ reports: object[] }>(mod.get(`${ADMIN}/reports`));
    expect(reports).toMatchObject([{ account: { nickname: 'root', roles: { admin: true }, email: null } }]);
    await mod.get(`${ADMIN}/statuses`).expect(403);
    await mod.patch(`${ADMIN}/reports`, { reports: [] }).expect(403);
    await mod.get(`${ADMIN}/moderation_log`).expect(403);
    await (await app.world.as('alice', 'admin')).get(`${ADMIN}/reports`).expect(403);
    await (await app.world.as('mod', 'read')).get(`${ADMIN}/reports`).expect(403);
    const { id } = await post(app, 'alice', 'rude');
    await ok(mod.put(`${ADMIN}/statuses/${id}`, { sensitive: true }));
    expect(await app.sql('select actor_id from moderation_log')).toEqual([{ actor_id: app.world.id('mod') }]);
    await give();
    await mod.get(`${ADMIN}/reports`).expect(403);
  });

  it('A7 cannot change posts of an administrator', async () => {
    await give('admin:write:statuses');
    const { id } = await post(app, 'root', 'hello');
    const error = 'Only an administrator may change this';
    for (const request of [
      mod.put(`${ADMIN}/statuses/${id}`, { sensitive: true }),
      mod.delete(`${ADMIN}/statuses/${id}`),
    ]) {
      expect((await request.expect(403)).body).toEqual({ error });
    }
    expect(await app.sql('select from moderation_log')).toEqual([]);
    await ok((await app.world.as('root', 'admin')).delete(`${ADMIN}/statuses/${id}`));
  });

  it('O7 gets tokens with admin scopes only with privileges', async () => {
    const oauth = new OauthClient(app);
    const client = await oauth.register('read admin');
    expect((await oauth.signIn(client, 'mod')).scope).toBe('read');
    await give('admin:read:reports');
    expect((await oauth.signIn(client, 'mod')).scope).toBe('read admin');
    expect((await oauth.signIn(client, 'alice')).scope).toBe('read');
  });
});

describe('the privileges that the owner of an account sees', () => {
  const own = async (name: string) => {
    const client = await app.world.as(name, 'read');
    return (await ok<CredentialAccountJson>(client.get('/api/v1/accounts/verify_credentials'))).svc.privileges;
  };

  it.each<[string[], string[]]>([
    [[], []],
    [['admin:read:reports'], []],
    [['admin:read:reports', 'admin:write:reports'], ['reports_manage_reports']],
    [['admin:read:statuses'], ['messages_read']],
    [
      ['admin:write:statuses', 'admin:read:statuses'],
      ['messages_read', 'messages_delete'],
    ],
    [['admin:read:invites', 'admin:write:invites'], ['users_manage_invites']],
    [['admin:write:media_proxy_caches'], []],
  ])('are those of the setting for a moderator: %j', async (setting, privileges) => {
    expect(await own('mod')).toEqual([]);
    await give(...setting);
    expect(await own('mod')).toEqual(privileges);
    expect(await own('alice')).toEqual([]);
    expect(await own('root')).toEqual(expect.arrayContaining(['users_read', 'statistics_read', 'emoji_manage_emoji']));
    expect(await own('root')).toHaveLength(14);
  });
});

it('A7 no privilege gives access to users, settings or all of the admin API', async () => {
  for (const scope of ['admin', 'admin:read', 'admin:write', 'admin:write:accounts', 'admin:read:accounts']) {
    await expect(give(scope)).rejects.toThrow();
  }
});
