import type { AccountJson, RelationshipJson } from '../../../src/accounts/index.js';
import type { NotificationJson } from '../../../src/notifications/index.js';
import type { StatusJson } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeFans } from '../../support/fixtures/factories.js';
import { holding, waitersOf } from '../../support/locks.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob'] });
let lara: Client;

beforeEach(async () => {
  await app.world.person('lara', { locked: true });
  await app.world.person('mona', { locked: true });
  await app.world.remote('zoe', 'b.example');
  lara = await app.world.as('lara');
});

const id = (name: string) => app.world.id(name);
const lock = (locked: boolean) => ok(lara.patch('/api/v1/accounts/update_credentials', { locked }));
const waiting = async () => (await ok<AccountJson[]>(lara.get('/api/v1/follow_requests'))).map(({ acct }) => acct);
const states = () =>
  app.sql<{ state: number; follows: number }>(
    'select state, count(*)::int as follows from follows where followee_id = $1 group by state order by state',
    [id('lara')],
  );

describe('an account that is unlocked', () => {
  it('gets each waiting follower once, with its posts in their home timelines', async () => {
    for (const name of ['alice', 'zoe@b.example', 'bob']) await app.world.follow(name, 'lara');
    await app.world.follow('alice', 'mona');
    await post(app, 'lara', 'for followers', { visibility: 'private' });
    await app.drain();
    expect(await waiting()).toEqual(['bob', 'zoe@b.example', 'alice']);
    await lock(false);
    await app.drain();
    expect(await waiting()).toEqual([]);
    expect(await app.world.account('lara')).toMatchObject({ followersCount: 3 });
    const alice = await app.world.as('alice');
    const both = { 'id[]': [id('lara'), id('mona')] };
    expect(await ok<RelationshipJson[]>(alice.get('/api/v1/accounts/relationships', both))).toMatchObject([
      { following: true, requested: false },
      { following: false, requested: true },
    ]);
    const home = await ok<StatusJson[]>(alice.get('/api/v1/timelines/home'));
    expect(home.map(({ content }) => content.replace(/<[^>]+>/g, ''))).toEqual(['for followers']);
    const told = await ok<NotificationJson[]>(lara.get('/api/v1/notifications'));
    expect(told.map(({ type }) => type)).toEqual(['follow', 'follow', 'follow']);
    await lock(true);
    await lock(false);
    await app.drain();
    expect(await app.world.account('lara')).toMatchObject({ followersCount: 3 });
  });

  it('gets no waiting follower when it is locked again before', async () => {
    await app.world.follow('alice', 'lara');
    await lock(false);
    await lock(true);
    await app.drain();
    expect(await waiting()).toEqual(['alice']);
  });

  it('also gets a follower that asks at that moment', async () => {
    await holding(app, async (holder) => {
      await holder.query('insert into follows (follower_id, followee_id, state) values ($1, $2, 0)', [
        id('alice'),
        id('lara'),
      ]);
      const asking = app.world.follow('alice', 'lara');
      await waitersOf(holder, 1);
      const unlocked = lock(false).then(() => app.drain());
      await Promise.race([waitersOf(holder, 2), unlocked]);
      await holder.query('rollback');
      await Promise.all([asking, unlocked]);
    });
    await app.drain();
    expect(await waiting()).toEqual([]);
    expect(await states()).toEqual([{ state: 1, follows: 1 }]);
  });

  it('also gets a follower that asked after it was locked by another request at that moment', async () => {
    await lock(false);
    await app.drain();
    await holding(app, async (holder) => {
      await holder.query('update accounts set locked = true where id = $1', [id('lara')]);
      const unlocking = lock(false);
      await waitersOf(holder, 1);
      await holder.query('insert into follows (follower_id, followee_id, state) values ($1, $2, 0)', [
        id('alice'),
        id('lara'),
      ]);
      await holder.query('commit');
      await unlocking;
    });
    await app.drain();
    expect(await states()).toEqual([{ state: 1, follows: 1 }]);
  });

  it('gets all waiting followers, however many', async () => {
    const fans = await makeFans(app, 205);
    await app.sql(
      'insert into follows (follower_id, followee_id, state) select id, $1, 0 from unnest($2::text[]) as fan(id)',
      [id('lara'), fans],
    );
    await lock(false);
    await app.drain();
    expect(await states()).toEqual([{ state: 1, follows: 205 }]);
    expect(await app.world.account('lara')).toMatchObject({ followersCount: 205 });
  });
});
