import { SettingsService } from '../../../src/config/index.js';
import type { PlainStatusJson } from '../../../src/statuses/index.js';
import { INBOX_HOST_ADDRESS, type InboxHost, startInboxHost } from '../../support/federation/inbox-host.js';
import { makeFollows } from '../../support/fixtures/factories.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const ADMIN = '/api/v1/svc/admin';
const PATH = `${ADMIN}/statuses`;
const UNKNOWN = 'AAAAAAAAAAAAAAAAAA';

const OPERATOR = 'only the operator knows';

const app = useApp({
  people: ['alice', 'bob'],
  env: { ADMIN_TOKEN: OPERATOR, ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS },
});
let far: InboxHost;
let root: Client;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin');
  far = await startInboxHost();
});
afterEach(() => far.close());

const messages = async () =>
  (await app.sql<{ message: string }>('select message from moderation_log order by id')).map(({ message }) => message);
const contents = (statuses: readonly PlainStatusJson[]) =>
  statuses.map(({ content }) => content.replace(/<[^>]+>/g, ''));

/** The activities that the other server received after all jobs. */
async function sent(): Promise<Record<string, unknown>[]> {
  await app.drain();
  return far.received().map(({ activity }) => activity);
}

/** Counts it too, as its arrival would. */
async function remoteStatus(authorId: string, id: string, visibility = 0): Promise<void> {
  await app.sql(
    `insert into statuses (id, author_id, uri, visibility, content_html, local) values ($1, $2, $3, $4, $1, false)`,
    [id, authorId, `https://far.test/${id}`, visibility],
  );
  await app.sql(
    `insert into status_totals as t (domain, visibility, slot, count) select domain, $2, 0, 1 from accounts where id = $1
     on conflict (domain, visibility, slot) do update set count = t.count + 1`,
    [authorId, visibility],
  );
}

describe('the statuses of the server', () => {
  const list = async (query: object = {}) => contents(await ok<PlainStatusJson[]>(root.get(PATH, { ...query })));

  it('show the admin view of their authors', async () => {
    const { id } = await post(app, 'alice', 'hi');
    const author = expect.objectContaining({
      acct: 'alice',
      nickname: 'alice',
      is_active: true,
      email: 'alice@mail.test',
    });
    const shown = expect.objectContaining({ id, account: author });
    expect(await ok<unknown>(root.get(PATH))).toEqual([shown]);
    expect(await ok<unknown>(root.get(`${PATH}/${id}`))).toEqual(shown);
    expect(await ok<unknown>(root.get(`${ADMIN}/users/alice/statuses`))).toEqual({ total: 1, activities: [shown] });
  });

  it('are listed newest first; options select local posts, boosts and posts of every visibility', async () => {
    const { id } = await post(app, 'alice', 'public');
    await post(app, 'alice', 'unlisted', { visibility: 'unlisted' });
    await post(app, 'alice', 'private', { visibility: 'private' });
    await post(app, 'alice', 'direct', { visibility: 'direct' });
    await reblog(app, 'bob', id);
    const zoe = await app.world.remote('zoe', 'b.example');
    await remoteStatus(zoe.id, 'zzzzzzzzzzzzzzzzzz');
    expect(await list()).toEqual(['zzzzzzzzzzzzzzzzzz', 'unlisted', 'public']);
    expect(await list({ local_only: true })).toEqual(['unlisted', 'public']);
    expect(await list({ local_only: true, with_reblogs: true })).toHaveLength(3);
    expect(await list({ local_only: true, godmode: true })).toEqual(['direct', 'private', 'unlisted', 'public']);
    expect(await list({ page: 2, page_size: 2 })).toEqual(['public']);
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('alice')]);
    expect(await list({ local_only: true })).toEqual(['unlisted', 'public']);
  });

  it('can be listed by server', async () => {
    await post(app, 'alice', 'here');
    const { id: zoe } = await app.world.remote('zoe', 'b.example');
    const { id: yan } = await app.world.remote('yan', 'b.example');
    await remoteStatus(zoe, 'zzzzzzzzzzzzzzzzz1');
    await remoteStatus(yan, 'zzzzzzzzzzzzzzzzz2');
    await remoteStatus(yan, 'zzzzzzzzzzzzzzzzz3', 2);
    const of = (server: string, query: object = {}) =>
      ok<{ total: number; activities: PlainStatusJson[] }>(
        root.get(`${ADMIN}/instances/${server}/statuses`, { ...query }),
      );
    const { total, activities } = await of('B.example');
    expect([total, contents(activities)]).toEqual([2, ['zzzzzzzzzzzzzzzzz2', 'zzzzzzzzzzzzzzzzz1']]);
    expect(await of('b.example', { godmode: true, page_size: 1 })).toMatchObject({
      total: 3,
      activities: [{ content: 'zzzzzzzzzzzzzzzzz3' }],
    });
    expect(contents((await of('svc.test')).activities)).toEqual(['here']);
    const { id: kim } = await app.world.remote('kim', 'xn--bcher-kva.example');
    await remoteStatus(kim, 'zzzzzzzzzzzzzzzzz4');
    expect(contents((await of(encodeURIComponent('Bücher.example'))).activities)).toEqual(['zzzzzzzzzzzzzzzzz4']);
    const page = Number.MAX_SAFE_INTEGER;
    expect((await of('b.example', { page })).activities).toEqual([]);
    expect(await list({ local_only: true, page })).toEqual([]);
    expect(await of('c.example')).toEqual({ total: 0, activities: [] });
  });
});

describe('a status', () => {
  const path = (id: string) => `${PATH}/${id}`;

  it('is shown with any visibility', async () => {
    const { id } = await post(app, 'alice', 'direct', { visibility: 'direct' });
    expect(await ok(root.get(path(id)))).toMatchObject({
      id,
      content: '<p>direct</p>',
      account: { nickname: 'alice' },
    });
    for (const request of [root.get(path(UNKNOWN)), root.put(path(UNKNOWN)), root.delete(path(UNKNOWN))]) {
      expect((await request.expect(404)).body).toEqual({ error: 'Not found' });
    }
    expect(await messages()).toEqual([]);
  });

  it('can get another visibility and sensitivity, here and on other servers', async () => {
    await makeFollows(app, [await far.account(app, 'zoe')], app.world.id('alice'));
    const { id } = await post(app, 'alice', 'hello');
    await sent();
    expect(await ok(root.put(path(id), { sensitive: 'true' }))).toMatchObject({
      id,
      sensitive: true,
      visibility: 'public',
    });
    expect(await sent()).toMatchObject([{ type: 'Update', object: { type: 'Note', sensitive: true } }]);
    expect(await ok(root.put(path(id), { visibility: 'private' }))).toMatchObject({
      visibility: 'private',
      sensitive: true,
    });
    expect(await sent()).toMatchObject([{ type: 'Update', to: ['https://svc.test/users/alice/followers'], cc: [] }]);
    await app.world.anonymous.get(`/api/v1/statuses/${id}`).expect(404);
    for (const visibility of ['unlisted', 'public']) {
      expect(await ok(root.put(path(id), { visibility }))).toMatchObject({ visibility });
    }
    await app.world.anonymous.get(`/api/v1/statuses/${id}`).expect(200);
    expect((await messages()).slice(0, 2)).toEqual([
      `@root changed status #${id}: sensitive true`,
      `@root changed status #${id}: visibility private`,
    ]);
  });

  it('keeps its visibility when that is direct or local, and cannot become direct or local', async () => {
    const { id } = await post(app, 'alice', 'public');
    const { id: direct } = await post(app, 'alice', 'direct', { visibility: 'direct' });
    const { id: local } = await post(app, 'alice', 'local', { visibility: 'local' });
    for (const [status, visibility] of [
      [id, 'direct'],
      [id, 'local'],
      [id, 'x'],
      [direct, 'public'],
      [local, 'public'],
    ]) {
      const { body } = await root.put(path(status!), { visibility }).expect(400);
      expect(body).toBe('Unsupported visibility');
    }
    expect(await ok(root.put(path(direct), { sensitive: true }))).toMatchObject({
      visibility: 'direct',
      sensitive: true,
    });
  });

  it('of any server can be deleted, and a Delete is sent for local ones', async () => {
    const zoe = await far.account(app, 'zoe');
    await makeFollows(app, [zoe], app.world.id('alice'));
    const { id } = await post(app, 'alice', 'hello');
    await sent();
    expect(await ok(root.delete(path(id)))).toEqual({});
    expect(await sent()).toMatchObject([{ type: 'Delete' }]);
    await remoteStatus(zoe, 'zzzzzzzzzzzzzzzzzz');
    expect(await ok(root.delete(path('zzzzzzzzzzzzzzzzzz')))).toEqual({});
    expect(await sent()).toEqual([]);
    expect(await app.sql('select from statuses')).toEqual([]);
    expect(await messages()).toEqual([`@root deleted status #${id}`, '@root deleted status #zzzzzzzzzzzzzzzzzz']);
  });
});

describe.each([ADMIN, '/api/svc/admin'])('the routes under %s', (prefix) => {
  it('A1 are for administrators only', async () => {
    const { id } = await post(app, 'alice', 'hello');
    for (const client of [app.world.anonymous, await app.world.as('alice', 'admin')]) {
      const refused = [
        client.get(`${prefix}/statuses`),
        client.get(`${prefix}/instances/b.example/statuses`),
        client.get(`${prefix}/statuses/${id}`),
        client.put(`${prefix}/statuses/${id}`, { visibility: 'private' }),
        client.delete(`${prefix}/statuses/${id}`),
      ];
      const error = client.token ? 'User is not an admin.' : 'Invalid credentials.';
      for (const request of refused) expect((await request.expect(403)).body).toEqual({ error });
    }
  });
});

it('leaves nothing for visitors of what an operator read', async () => {
  const { id } = await post(app, 'alice', 'closed', { poll: { options: ['a', 'b'], expires_in: 300 } });
  const operator = () => app.http.get(`${PATH}/${id}`).set('x-admin-token', OPERATOR).expect(200);
  await operator();
  const { poll } = await ok(app.world.anonymous.get(`/api/v1/statuses/${id}`));
  expect(poll).not.toHaveProperty('voted');
  await app
    .get(SettingsService)
    .update([{ path: 'restrict_unauthenticated.activities', value: { local: true, remote: true } }]);
  await operator();
  await app.world.anonymous.get(`/api/v1/statuses/${id}`).expect(404);
});
