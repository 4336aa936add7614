import { BlocksService, FollowsService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { Visibility } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const ZOE = 'zoe@far.test';

describe('V14 a follow that another server has not accepted', () => {
  const app = useApp({ people: ['alice', 'bob'] });
  let alice: Client;
  let secret: string;

  beforeEach(async () => {
    await app.world.remote('zoe', 'far.test');
    alice = await app.world.as('alice');
    [secret] = (await makeStatuses(app, ZOE, 1, { visibility: Visibility.private })) as [string];
    await app.sql(`update statuses set local = false where id = $1`, [secret]);
  });

  const zoe = () => app.world.id(ZOE);
  const listed = async (path: string) => (await ok<{ id: string }[]>(alice.get(path))).map(({ id }) => id);

  /** The places where alice gets the post. */
  async function shown(): Promise<string[]> {
    const bookmarks = await alice.post(`/api/v1/statuses/${secret}/bookmark`);
    const places = ['/api/v1/timelines/home', `/api/v1/accounts/${zoe()}/statuses`, '/api/v1/bookmarks'];
    const found = await Promise.all(places.map(async (path) => ((await listed(path)).includes(secret) ? [path] : [])));
    const byId = (await alice.get(`/api/v1/statuses/${secret}`)).status === 200 ? ['by id'] : [];
    return [...byId, ...(bookmarks.status === 200 ? ['to act on'] : []), ...found.flat()];
  }

  it.each([true, false])('hides followers-only posts, whether the account is locked (%s) or not', async (locked) => {
    await app.sql('update accounts set locked = $2 where id = $1', [zoe(), locked]);
    await ok(alice.post(`/api/v1/accounts/${zoe()}/follow`));
    expect(await ok(alice.get('/api/v1/accounts/relationships', { id: [zoe()] }))).toMatchObject([
      { following: false, requested: true },
    ]);
    expect(await shown()).toEqual([]);
    await app.drain();
    expect(await shown()).toEqual([]);
  });

  it('is refused when the remote account blocks, unless the operator allows requests', async () => {
    const others = [zoe(), app.world.id('bob')];
    for (const other of others) await app.get(BlocksService).block(other, app.world.id('alice'));
    const answers = async () => {
      const statuses: number[] = [];
      for (const other of others) statuses.push((await alice.post(`/api/v1/accounts/${other}/follow`)).status);
      return statuses;
    };
    expect(await answers()).toEqual([403, 403]);
    await app.get(SettingsService).update([{ path: 'user.deny_follow_blocked', value: false }]);
    try {
      expect(await answers()).toEqual([200, 403]);
    } finally {
      await app.get(SettingsService).reset('user.deny_follow_blocked');
    }
  });

  it('cannot be accepted by its follower, or by another local account', async () => {
    await ok(alice.post(`/api/v1/accounts/${zoe()}/follow`));
    for (const name of ['alice', 'bob']) {
      const client = await app.world.as(name);
      for (const id of [zoe(), app.world.id('alice')])
        await client.post(`/api/v1/follow_requests/${id}/authorize`).expect(404);
    }
    await ok(alice.post(`/api/v1/accounts/${zoe()}/follow`, { reblogs: false, notify: true }));
    expect(await shown()).toEqual([]);
  });

  it('shows its follower the posts once it is accepted, until it ends', async () => {
    await ok(alice.post(`/api/v1/accounts/${zoe()}/follow`));
    await app.get(FollowsService).accept(zoe(), app.world.id('alice'));
    await app.drain();
    expect(await shown()).toHaveLength(5);
    await ok(alice.post(`/api/v1/accounts/${zoe()}/unfollow`));
    expect(await shown()).toEqual([]);
  });
});
