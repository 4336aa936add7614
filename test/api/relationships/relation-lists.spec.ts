import type { Response } from 'supertest';
import { type AccountJson, AccountShape, BlocksService, RelationshipShape } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob', 'carol', 'dora'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const id = (nickname: string) => app.world.id(nickname);

async function list(path: string, client = alice, query = {}): Promise<AccountJson[]> {
  const body = (await client.get(path, query).expect(200)).body as unknown;
  for (const account of body as unknown[]) expect(checkShape(AccountShape, account)).toEqual([]);
  return body as AccountJson[];
}
const names = async (path: string, client = alice, query = {}) =>
  (await list(path, client, query)).map(({ acct }) => acct);

/** Follows the Link headers of a list, one entry a page. */
async function walk(path: string): Promise<string[]> {
  const walked: string[] = [];
  for (let next: string | undefined = `${path}?limit=1`; next !== undefined;) {
    const answer: Response = await alice.get(next).expect(200);
    walked.push(...(answer.body as (AccountJson | string)[]).map((one) => (typeof one === 'string' ? one : one.acct)));
    next = /<https:\/\/svc\.test([^>]+max_id=\d+)>; rel="next"/.exec(answer.get('link') ?? '')?.[1];
  }
  return walked;
}

/** Ways to enter a list of alice's, the first one first. */
const LISTS: readonly [path: string, relate: (name: string) => Promise<unknown>, table: string][] = [
  ['/api/v1/blocks', (name) => alice.post(`/api/v1/accounts/${name}/block`).expect(200), 'blocks'],
  ['/api/v1/mutes', (name) => alice.post(`/api/v1/accounts/${name}/mute`).expect(200), 'mutes'],
  [
    '/api/v1/endorsements',
    async (name) => {
      await alice.post(`/api/v1/accounts/${name}/follow`).expect(200);
      await alice.post(`/api/v1/accounts/${name}/endorse`).expect(200);
    },
    'endorsements',
  ],
  [
    '/api/v1/follow_requests',
    async (name) => {
      await app.sql('update accounts set locked = true where id = $1', [id('alice')]);
      await (await app.world.as(name)).post('/api/v1/accounts/alice/follow').expect(200);
    },
    'follows',
  ],
];

describe.each(LISTS)('%s', (path, relate, table) => {
  beforeEach(async () => {
    for (const name of ['bob', 'carol', 'dora']) await relate(name);
  });

  it('belongs to the caller, newest first', async () => {
    expect(await names(path)).toEqual(['dora', 'carol', 'bob']);
    expect(await names(path, await app.world.as('bob'))).toEqual([]);
    await app.http.get(path).expect(401);
  });

  it('is paged by the ids of the relations', async () => {
    expect(await walk(path)).toEqual(['dora', 'carol', 'bob']);
    const [oldest] = await app.sql<{ id: string }>(`select min(id) as id from ${table}`);
    expect(await names(path, alice, { min_id: oldest!.id, limit: 1 })).toEqual(['carol']);
    expect(await names(path, alice, { since_id: oldest!.id })).toEqual(['dora', 'carol']);
    expect(await names(path, alice, { offset: 1, limit: 1 })).toEqual(['carol']);
  });

  it('leaves out deactivated accounts', async () => {
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id('carol')]);
    expect(await names(path)).toEqual(['dora', 'bob']);
  });
});

describe('lists with relationships', () => {
  it.each(LISTS.slice(0, 3))('%s carries them on request', async (path, relate) => {
    await relate('bob');
    expect((await list(path))[0]!.svc.relationship).toEqual({});
    const [first] = await list(path, alice, { with_relationships: true });
    expect(checkShape(RelationshipShape, first!.svc.relationship)).toEqual([]);
    expect(first!.svc.relationship).toMatchObject({ id: id('bob') });
  });
});

describe('durations', () => {
  it.each([
    ['block', '/api/v1/blocks', 'block_expires_at', 'mute_expires_at'],
    ['mute', '/api/v1/mutes', 'mute_expires_at', 'block_expires_at'],
  ] as const)('of a %s are shown only in %s', async (verb, path, end, other) => {
    await alice.post(`/api/v1/accounts/bob/${verb}`, { duration: 3600 }).expect(200);
    await alice.post(`/api/v1/accounts/carol/${verb}`, { duration: 0 }).expect(200);
    const [carol, bob] = await list(path);
    expect(carol![end]).toBeNull();
    expect(Math.abs(Date.parse(bob![end]!) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(bob).not.toHaveProperty(other);
    expect((await alice.get('/api/v1/accounts/bob').expect(200)).body).not.toHaveProperty(end);
  });

  it('that are over are not listed', async () => {
    await alice.post('/api/v1/accounts/bob/mute', { duration: 3600 }).expect(200);
    await alice.post('/api/v1/accounts/carol/mute').expect(200);
    const [carol, bob] = await list('/api/v1/mutes');
    expect(carol!.mute_expires_at).toBeNull();
    expect(Math.abs(Date.parse(bob!.mute_expires_at!) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(await list('/api/v1/blocks')).toEqual([]);
    await alice.post('/api/v1/accounts/bob/block', { duration: 3600 }).expect(200);
    expect((await list('/api/v1/blocks'))[0]).not.toHaveProperty('mute_expires_at');
    for (const table of ['mutes', 'blocks']) {
      await app.sql(`update ${table} set expires_at = now() - interval '1 second' where expires_at is not null`);
    }
    expect([await names('/api/v1/mutes'), await names('/api/v1/blocks')]).toEqual([['carol'], []]);
    await app.get(BlocksService).endExpired();
    expect(await app.sql('select 1 from mutes union all select 1 from blocks')).toHaveLength(1);
  });
});

describe('requests to follow', () => {
  let bob: Client;
  beforeEach(async () => {
    await app.sql('update accounts set locked = true where id = $1', [id('alice')]);
    bob = await app.world.as('bob');
    await bob.post('/api/v1/accounts/alice/follow').expect(200);
  });

  const answer = (verb: string, name = 'bob', client = alice) =>
    client.post(`/api/v1/follow_requests/${id(name)}/${verb}`);

  it('are accepted', async () => {
    const body = (await answer('authorize').expect(200)).body as unknown;
    expect(checkShape(RelationshipShape, body)).toEqual([]);
    expect(body).toMatchObject({ id: id('bob'), followed_by: true, requested_by: false });
    expect(await list('/api/v1/follow_requests')).toEqual([]);
    expect(await names('/api/v1/accounts/alice/followers')).toEqual(['bob']);
    await answer('authorize').expect(404, { error: 'Record not found' });
    await answer('reject').expect(404);
    expect(await names('/api/v1/accounts/alice/followers')).toEqual(['bob']);
  });

  it('are rejected', async () => {
    expect((await answer('reject').expect(200)).body).toMatchObject({ followed_by: false, requested_by: false });
    expect(await app.sql('select 1 from follows')).toEqual([]);
    await answer('reject').expect(404);
  });

  it('V9 of other accounts, or never made, cannot be answered', async () => {
    await answer('authorize', 'carol').expect(404, { error: 'Record not found' });
    await answer('authorize', 'bob', await app.world.as('carol')).expect(404);
    await answer('authorize', 'alice', bob).expect(404);
    await alice.post('/api/v1/follow_requests/nobody/authorize').expect(404);
    expect(await app.sql('select 1 from follows where state = 1')).toEqual([]);
  });

  it('accepted and withdrawn at once have one outcome, with right counters', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [accepted, withdrawn] = await Promise.all([
        answer('authorize'),
        bob.post('/api/v1/accounts/alice/unfollow'),
      ]);
      expect([200, 404]).toContain(accepted.status);
      expect(withdrawn.status).toBe(200);
      expect(await app.sql('select 1 from follows')).toEqual([]);
      expect(await app.sql('select 1 from account_stats where followers_count <> 0 or following_count <> 0')).toEqual(
        [],
      );
      await bob.post('/api/v1/accounts/alice/follow').expect(200);
    }
  });
});
