import type { AdminUserJson } from '../../../src/admin/index.js';
import { UsersService } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok } from '../../support/fixtures/statuses.js';
import { holding, waitersOf } from '../../support/locks.js';
import type { Client } from '../../support/fixtures/world.js';

const USERS = '/api/v1/svc/admin/users';

const OPERATOR = 'a token for programs';

const app = useApp({ env: { ADMIN_TOKEN: OPERATOR } });
let root: Client;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  await app.world.persons('alice', 'bob');
  root = await app.world.as('root', 'admin');
});

const id = (nickname: string) => app.world.id(nickname);
const show = (name: string) => ok<AdminUserJson>(root.get(`${USERS}/${name}`));
const person = (nickname: string) => ({ nickname, email: `${nickname}@mail.test`, password: 'long enough' });
const data = (nickname: string) => ({ nickname, email: `${nickname}@mail.test` });

describe('users', () => {
  it('are created ready to sign in, all of a request or none', async () => {
    const created = await ok(root.post(USERS, { users: [person('carol'), person('dora')] }));
    expect(created).toEqual(['carol', 'dora'].map((name) => ({ type: 'success', code: 200, data: data(name) })));
    expect(await app.get(UsersService).verifyPassword('dora', 'long enough')).toMatchObject({ state: 'ok' });
    const users = [
      person('eve'),
      person('ALICE'),
      { ...person('fay'), email: 'bob@mail.test' },
      { ...person('gus'), email: '' },
    ];
    await root.post(USERS, { users }).expect(400);
    const refused = await root.post(USERS, { users: users.slice(0, 3) }).expect(409);
    expect(refused.body).toEqual([
      { type: 'error', code: 409, error: '', data: data('eve') },
      { type: 'error', code: 409, error: 'nickname has already been taken', data: data('ALICE') },
      {
        type: 'error',
        code: 409,
        error: 'email has already been taken',
        data: { nickname: 'fay', email: 'bob@mail.test' },
      },
    ]);
    await root.get(`${USERS}/eve`).expect(404);
    await root.post(USERS, {}).expect(400, { error: 'users is missing' });
  });

  it('are deleted permanently, even remote ones, with both forms of the request', async () => {
    await app.world.remote('zoe', 'far.test');
    expect(await ok(root.delete(USERS, { nicknames: ['alice', 'zoe@far.test'] }))).toEqual(['alice', 'zoe@far.test']);
    expect(await ok(root.delete(`${USERS}?nickname=bob`))).toBe('bob');
    await app.drain();
    for (const name of ['alice', 'bob', 'zoe@far.test', id('alice')]) await root.get(`${USERS}/${name}`).expect(404);
    await root.delete(USERS, { nicknames: ['root'] }).expect(403);
    await root.delete(USERS, {}).expect(400);
  });

  it('follow and unfollow on behalf of an administrator, and unknown accounts are ignored', async () => {
    const follows = () => app.sql('select from follows where follower_id = $1', [id('alice')]);
    const both = { follower: 'alice', followed: 'bob' };
    expect(await ok(root.post(`${USERS}/follow`, both))).toBe('ok');
    expect(await follows()).toHaveLength(1);
    expect(await ok(root.post(`${USERS}/unfollow`, both))).toBe('ok');
    expect(await follows()).toHaveLength(0);
    expect(await ok(root.post(`${USERS}/follow`, { ...both, followed: 'nobody' }))).toBe('ok');
    await root.post(`${USERS}/follow`, { follower: 'alice' }).expect(400);
  });

  it('have each tag once', async () => {
    const nicknames = ['alice', 'bob'];
    await root.put(`${USERS}/tag`, { nicknames, tags: ['tea', 'milk'] }).expect(204, '');
    await root.put(`${USERS}/tag`, { nicknames, tags: ['tea'] }).expect(204);
    await root.delete(`${USERS}/tag?nicknames[]=bob&tags[]=milk`).expect(204, '');
    expect((await show('alice')).tags).toEqual(['milk', 'tea']);
    expect((await show('bob')).tags).toEqual(['tea']);
    const many = Array.from({ length: 50 }, (_, at) => `tag${at}`);
    await root.put(`${USERS}/tag`, { nicknames, tags: many }).expect(400);
    await root.put(`${USERS}/tag`, { nicknames }).expect(400, { error: 'tags is missing' });
  });
});

describe('a permission group', () => {
  const group = (name: string, nickname = '') => `${USERS}${nickname && `/${nickname}`}/permission_group/${name}`;

  it('gets and loses members, with both forms of the request', async () => {
    expect(await ok(root.post(group('moderator'), { nicknames: ['alice'] }))).toEqual({
      ...(await show('alice')),
      is_moderator: true,
    });
    expect(await ok(root.post(group('admin'), { nicknames: ['alice', 'bob'] }))).toEqual({ is_admin: true });
    expect(await ok(root.get(`${USERS}/alice/permission_group`))).toEqual({ is_moderator: true, is_admin: true });
    expect(await ok(root.get(group('admin', 'alice')))).toEqual({ is_moderator: true, is_admin: true });
    expect(await ok(root.delete(group('moderator', 'alice')))).toMatchObject({
      nickname: 'alice',
      is_moderator: false,
    });
    expect(await ok(root.post(group('moderator', 'bob')))).toMatchObject({ nickname: 'bob', is_moderator: true });
  });

  it('opens and closes the admin API at once', async () => {
    const alice = await app.world.as('alice', 'admin');
    await alice.get(USERS).expect(403);
    await ok(root.post(group('admin', 'alice')));
    await alice.get(USERS).expect(200);
    await ok(root.delete(group('admin', 'alice')));
    await alice.get(USERS).expect(403, { error: 'User is not an admin.' });
  });

  it('keeps the last administrator, and refuses administrators who remove themselves', async () => {
    const own = { error: "You can't revoke your own admin status." };
    await root.delete(group('admin', 'root')).expect(403, own);
    await ok(root.post(group('admin', 'alice')));
    await root.delete(group('admin'), { nicknames: ['alice', 'root'] }).expect(403, own);
    expect((await show('alice')).roles.admin).toBe(true);
    await ok(root.delete(group('admin', 'alice')));
    const operator = app.http.delete(group('admin', 'root')).set('x-admin-token', OPERATOR);
    const { body } = await operator.expect(403);
    expect(body).toEqual({
      error: 'The only administrator of the server cannot lose the role. Make somebody else one first.',
    });
  });

  it('keeps the last administrator when two deactivate each other at the same time', async () => {
    await ok(root.post(group('admin', 'alice')));
    const users = app.get(UsersService);
    const outcomes = await holding(app, async (holder) => {
      await holder.query('select from users where is_admin for update');
      const both = Promise.allSettled(['root', 'alice'].map((name) => users.setActive(id(name), false)));
      await waitersOf(holder, 2);
      await holder.query('commit');
      return both;
    });
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await app.sql('select from accounts where domain is null and deactivated_at is not null')).toHaveLength(1);
  });

  it('is admin or moderator, and only for local accounts', async () => {
    const unknown = { error: 'No such permission_group' };
    await root.get(group('owner', 'alice')).expect(404, unknown);
    await root.post(group('owner'), { nicknames: ['alice'] }).expect(404, unknown);
    await root.get(group('admin', 'nobody')).expect(404, { error: 'Not found' });
    await app.world.remote('zoe', 'far.test');
    await root.post(group('admin', 'zoe@far.test')).expect(404, { error: 'Not found' });
  });
});
