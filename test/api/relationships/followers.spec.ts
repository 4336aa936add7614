import {
  type AccountJson,
  AccountShape,
  AccountView,
  FollowsService,
  ProfileService,
  RelationshipShape,
} from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob'] });

const id = (nickname: string) => app.world.id(nickname);
const update = (nickname: string, changes: Parameters<ProfileService['update']>[1]) =>
  app.get(ProfileService).update(id(nickname), changes);

async function show(idOrNickname: string, client: Client = app.world.anonymous, query = {}): Promise<AccountJson> {
  const body = (await client.get(`/api/v1/accounts/${idOrNickname}`, query).expect(200)).body as unknown;
  expect(checkShape(AccountShape, body)).toEqual([]);
  return body as AccountJson;
}

describe('followers and following', () => {
  beforeEach(async () => {
    await app.world.person('carol');
    for (const follower of ['bob', 'carol']) await app.world.follow(follower, 'alice');
  });

  const names = async (path: string, client: Client = app.world.anonymous, query = {}): Promise<string[]> => {
    const body = (await client.get(`/api/v1/accounts/${path}`, query).expect(200)).body as unknown;
    for (const account of body as unknown[]) expect(checkShape(AccountShape, account)).toEqual([]);
    return (body as AccountJson[]).map(({ acct }) => acct);
  };

  it('are listed newest first', async () => {
    expect(await names('alice/followers')).toEqual(['carol', 'bob']);
    expect(await names('bob/following')).toEqual(['alice']);
    expect(await names('alice/following')).toEqual([]);
    await app.http.get('/api/v1/accounts/nobody/followers').expect(404);
  });

  it('leave out waiting followers', async () => {
    await app.world.person('dora', { locked: true });
    await app.world.follow('alice', 'dora');
    expect(await names('dora/followers')).toEqual([]);
    expect(await names('alice/following')).toEqual([]);
  });

  it('are paged by the ids of the follows in the Link header', async () => {
    const walked: string[] = [];
    let path = '/api/v1/accounts/alice/followers?limit=1';
    for (let pages = 0; pages < 3; pages += 1) {
      const answer = await app.http.get(path).expect(200);
      walked.push(...(answer.body as AccountJson[]).map(({ acct }) => acct));
      const next = /<https:\/\/svc\.test([^>]+max_id=\d+)>; rel="next"/.exec(answer.get('link') ?? '')?.[1];
      if (pages === 2) expect(answer.get('link')).toBeUndefined();
      else path = next!;
    }
    expect(walked).toEqual(['carol', 'bob']);
    const [oldest] = await app.sql<{ id: string }>('select id from follows order by id limit 1');
    expect(await names('alice/followers', app.world.anonymous, { min_id: oldest!.id })).toEqual(['carol']);
    expect(await names('alice/followers', app.world.anonymous, { since_id: '0', max_id: 'junk' })).toEqual([
      'carol',
      'bob',
    ]);
  });

  it('V11 are hidden when the owner chooses so, from all but the owner', async () => {
    await update('alice', { hideFollowers: true, hideFollowersCount: true });
    await update('bob', { hideFollows: true, hideFollowsCount: true });
    const [alice, bob] = [await app.world.as('alice'), await app.world.as('bob')];
    expect(await names('alice/followers')).toEqual([]);
    expect(await names('alice/followers', bob)).toEqual([]);
    expect(await names('alice/followers', alice)).toEqual(['carol', 'bob']);
    expect(await names('bob/following', alice)).toEqual([]);
    expect(await names('bob/following', bob)).toEqual(['alice']);
    expect((await show('alice', bob)).followers_count).toBe(0);
    expect((await show('bob', alice)).following_count).toBe(0);
    const body = (await alice.get('/api/v1/accounts/alice').expect(200)).body as unknown;
    expect(body).toMatchObject({ followers_count: 2, svc: { hide_followers: true, hide_followers_count: true } });
  });

  it('carry relationships on request', async () => {
    const bob = await app.world.as('bob');
    const first = async (query: Record<string, unknown>) => {
      const body = (await bob.get('/api/v1/accounts/bob/following', query).expect(200)).body as unknown;
      return (body as AccountJson[])[0]!.svc.relationship;
    };
    expect(await first({})).toEqual({});
    const relationship = await first({ with_relationships: true });
    expect(checkShape(RelationshipShape, relationship)).toEqual([]);
    expect(relationship).toMatchObject({ id: id('alice'), following: true, followed_by: false });
    expect((await show('alice', bob, { with_relationships: '1' })).svc.relationship).toEqual(relationship);
    expect((await show('alice', app.world.anonymous, { with_relationships: true })).svc.relationship).toEqual({});
  });
});

describe('the number of statements', () => {
  const ours = (statements: readonly string[]) =>
    statements.filter((name) => /^(accounts|follows|relationships)\./.test(name));

  async function friends(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const remote = await app.world.remote(`r${n}`, 'b.example');
      await app.sql('insert into follows (follower_id, followee_id) values ($1, $2)', [remote.id, id('alice')]);
      ids.push(remote.id);
    }
    return ids;
  }

  it('of a view is 2 cold and 1 warm, for 1 and for 20 accounts', async () => {
    const view = app.get(AccountView);
    const ids = await friends(21);
    for (const wanted of [ids.slice(0, 1), ids.slice(1)]) {
      const cold = await countQueries(() => view.many(wanted, {}));
      expect(ours(cold.statements).sort()).toEqual(['accounts.by_ids', 'accounts.counts']);
      app.invalidateReads();
      const warm = await countQueries(() => view.many(wanted, {}));
      expect(ours(warm.statements)).toEqual(['accounts.counts']);
      expect([...warm.result.keys()].sort()).toEqual([...wanted].sort());
      const related = await countQueries(() => view.many(wanted, { viewerId: id('bob'), withRelationships: true }));
      expect(ours(related.statements).sort()).toEqual(['accounts.counts', 'relationships.facts']);
    }
  });

  it('grows by one for stale bodies only', async () => {
    const view = app.get(AccountView);
    const ids = await friends(20);
    await view.many(ids, {});
    await app.sql('update accounts set version = version + 1 where id = any($1)', [ids.slice(0, 5)]);
    const stale = await countQueries(() => view.many(ids, {}));
    expect(ours(stale.statements)).toEqual(['accounts.counts', 'accounts.by_ids']);
    const [first] = await view.many(ids, {}).then((rendered) => [...rendered.values()]);
    expect(checkShape(AccountShape, first!.parse())).toEqual([]);
  });

  it('of a profile is 2 cold and 1 warm', async () => {
    const get = () => {
      app.invalidateReads();
      return countQueries(() => show(id('alice')));
    };
    expect(ours((await get()).statements)).toEqual(['accounts.by_ids', 'accounts.by_ids']);
    expect(ours((await get()).statements)).toEqual(['accounts.by_ids']);
  });

  it('of a page of followers is the same for 1 and for 20', async () => {
    await friends(20);
    const bob = await app.world.as('bob');
    const get = (limit: number) =>
      bob.get('/api/v1/accounts/alice/followers', { limit, with_relationships: true }).expect(200);
    await get(20);
    for (const limit of [1, 20]) {
      app.invalidateReads();
      const { statements, result } = await countQueries(() => get(limit));
      expect(result.body).toHaveLength(limit);
      expect(ours(statements).sort()).toEqual(['accounts.by_handle', 'follows.followers.older', 'relationships.facts']);
    }
  });
});

describe('requests to follow', () => {
  it('wait for the followee, which accepts or rejects them', async () => {
    await app.world.person('lara', { locked: true });
    const follows = app.get(FollowsService);
    await app.world.follow('alice', 'lara');
    await app.world.follow('bob', 'lara');
    const body = (await (await app.world.as('lara')).get('/api/v1/accounts/verify_credentials').expect(200))
      .body as unknown;
    expect(body).toMatchObject({ follow_requests_count: 2, followers_count: 0 });
    await follows.accept(id('lara'), id('alice'));
    await follows.reject(id('lara'), id('bob'));
    expect(await show('lara')).toMatchObject({ followers_count: 1 });
    expect(await show('alice')).toMatchObject({ following_count: 1 });
    expect(await show('bob')).toMatchObject({ following_count: 0 });
    await expect(follows.accept(id('lara'), id('alice'))).rejects.toThrow('Record not found');
    await expect(follows.reject(id('lara'), id('alice'))).rejects.toThrow('Record not found');
  });
});
