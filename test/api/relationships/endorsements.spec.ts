import {
  type AccountJson,
  AccountShape,
  EndorsementsService,
  type FamiliarFollowersJson,
  FamiliarFollowersShape,
  FollowsService,
  type RelationshipJson,
  RelationshipShape,
} from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import { post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const id = (nickname: string) => app.world.id(nickname);

async function act(action: string, target = 'bob', values = {}, client = alice): Promise<RelationshipJson> {
  const body = (await client.post(`/api/v1/accounts/${target}/${action}`, values).expect(200)).body as unknown;
  expect(checkShape(RelationshipShape, body)).toEqual([]);
  return body as RelationshipJson;
}

async function endorsed(path: string, client: Client = app.world.anonymous, query = {}): Promise<AccountJson[]> {
  const body = (await client.get(path, query).expect(200)).body as unknown;
  for (const account of body as unknown[]) expect(checkShape(AccountShape, account)).toEqual([]);
  return body as AccountJson[];
}
const names = async (path: string) => (await endorsed(path)).map(({ acct }) => acct);

describe('an endorsement', () => {
  it.each([
    ['endorse', 'unendorse'],
    ['pin', 'unpin'],
  ])('is created by %s and removed by %s, any number of times', async (make, end) => {
    await act('follow');
    for (let times = 0; times < 2; times += 1) expect(await act(make)).toMatchObject({ endorsed: true });
    expect(await app.sql('select 1 from endorsements')).toHaveLength(1);
    for (let times = 0; times < 2; times += 1) expect(await act(end)).toMatchObject({ endorsed: false });
  });

  it('is shown to all viewers, under each path', async () => {
    for (const name of ['bob', 'carol']) {
      await act('follow', name);
      await act('endorse', name);
    }
    for (const path of ['/api/v1/accounts', '/api/v1/svc/accounts', '/api/svc/accounts']) {
      expect(await names(`${path}/alice/endorsements`)).toEqual(['carol', 'bob']);
      expect(await names(`${path}/${id('bob')}/endorsements`)).toEqual([]);
      await app.http.get(`${path}/nobody/endorsements`).expect(404);
      const [first] = await endorsed(`${path}/alice/endorsements`, alice, { with_relationships: true });
      expect(first!.svc.relationship).toMatchObject({ id: id('carol'), endorsed: true });
    }
  });

  it('needs an accepted follow', async () => {
    const refused = { error: 'You have to follow whom you endorse' };
    await alice.post('/api/v1/accounts/bob/endorse').expect(400, refused);
    await alice.post('/api/v1/accounts/alice/endorse').expect(400, refused);
    await app.sql('update accounts set locked = true where id = $1', [id('bob')]);
    await act('follow');
    await alice.post('/api/v1/accounts/bob/endorse').expect(400, refused);
    await alice.post('/api/v1/accounts/nobody/endorse').expect(404);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the follower ends', () => act('unfollow')],
    ['the followee ends', async () => act('remove_from_followers', 'alice', {}, await app.world.as('bob'))],
    ['a block ends', async () => act('block', 'alice', {}, await app.world.as('bob'))],
  ])('ends with a follow that %s', async (_, end) => {
    await act('follow');
    await act('endorse');
    await end();
    expect(await names('/api/v1/accounts/alice/endorsements')).toEqual([]);
    expect(await app.sql('select 1 from endorsements')).toEqual([]);
  });

  it('is limited by the settings, however many requests come at once', async () => {
    await app.get(SettingsService).update([{ path: 'instance.max_endorsed_users', value: 2 }]);
    const people = ['bob', 'carol', ...['d', 'e', 'f', 'g'].map((letter) => `person_${letter}`)];
    await app.world.persons(...people.slice(2));
    for (const name of people) await app.world.follow('alice', name);
    const answers = await Promise.all(
      people.flatMap((name) => [1, 2].map(() => alice.post(`/api/v1/accounts/${name}/pin`))),
    );
    expect(await app.sql('select 1 from endorsements')).toHaveLength(2);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(8);
    for (const { status, body } of refused) {
      expect([status, body]).toEqual([400, { error: 'You have already pinned the maximum number of users' }]);
    }
    const [there] = await names('/api/v1/accounts/alice/endorsements');
    expect(await act('pin', there)).toMatchObject({ endorsed: true });
  });

  it('of a hidden account leaves room for another, and is shown again when that account returns', async () => {
    await app.get(SettingsService).update([{ path: 'instance.max_endorsed_users', value: 1 }]);
    for (const name of ['bob', 'carol']) await act('follow', name);
    await act('endorse');
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id('bob')]);
    expect(await act('endorse', 'carol')).toMatchObject({ endorsed: true });
    await app.sql('update accounts set deactivated_at = null where id = $1', [id('bob')]);
    expect(await names('/api/v1/accounts/alice/endorsements')).toEqual(['carol', 'bob']);
  });

  it('disappears when its follow ends at the same time', async () => {
    const [endorsements, follows] = [app.get(EndorsementsService), app.get(FollowsService)];
    for (let round = 0; round < 10; round += 1) {
      await follows.follow(id('alice'), id('bob'));
      const [made, ended] = await Promise.allSettled([
        endorsements.endorse(id('alice'), id('bob')),
        follows.unfollow(id('alice'), id('bob')),
      ]);
      expect(ended.status).toBe('fulfilled');
      if (made.status === 'rejected') expect(String(made.reason)).toContain('You have to follow');
      expect(await app.sql('select 1 from endorsements')).toEqual([]);
    }
  });
});

describe('a note', () => {
  it('is shown to its author only', async () => {
    expect(await act('note', 'bob', { comment: 'met in Rome' })).toMatchObject({ note: 'met in Rome' });
    expect(await act('note', 'bob', { comment: 'owes me tea' })).toMatchObject({ note: 'owes me tea' });
    const seen = await (await app.world.as('bob')).get('/api/v1/accounts/relationships', { id: id('alice') });
    expect(seen.body).toMatchObject([{ note: '' }]);
    expect(await act('note', 'bob', { comment: '' })).toMatchObject({ note: '' });
    expect(await act('note')).toMatchObject({ note: '' });
    expect(await app.sql('select 1 from account_notes')).toEqual([]);
  });

  it('is limited in length', async () => {
    await alice.post('/api/v1/accounts/bob/note', { comment: 'x'.repeat(2001) }).expect(422);
    await alice.post('/api/v1/accounts/bob/note', { comment: 'x\0' }).expect(400);
    await alice.post('/api/v1/accounts/nobody/note', { comment: 'x' }).expect(404);
    expect((await act('note', 'bob', { comment: 'é'.repeat(2000) })).note).toHaveLength(2000);
  });
});

describe.each(['/api/v1/svc', '/api/svc'])('the older form of notify under %s', (prefix) => {
  const send = async (verb: string, target = 'bob') =>
    (await alice.post(`${prefix}/accounts/${target}/${verb}`).expect(200)).body as RelationshipJson;
  const told = async () => {
    await app.drain();
    const types = { 'types[]': 'status' };
    return ((await alice.get('/api/v1/notifications', types).expect(200)).body as unknown[]).length;
  };

  it('follows and notifies of posts until it is withdrawn', async () => {
    const relationship = await send('subscribe');
    expect(checkShape(RelationshipShape, relationship)).toEqual([]);
    expect(relationship).toMatchObject({ following: true, subscribing: true, notifying: true });
    await post(app, 'bob', 'tea');
    expect(await told()).toBe(1);
    expect(await send('unsubscribe')).toMatchObject({ following: true, subscribing: false, notifying: false });
    await post(app, 'bob', 'more tea');
    expect(await told()).toBe(1);
    await act('unfollow');
    expect(await send('unsubscribe')).toMatchObject({ following: false, subscribing: false });
  });

  it('is refused like a follow', async () => {
    await act('block', 'alice', {}, await app.world.as('bob'));
    await alice
      .post(`${prefix}/accounts/bob/subscribe`)
      .expect(403, { error: 'Could not follow user: bob blocked you.' });
    await alice.post(`${prefix}/accounts/nobody/subscribe`).expect(404);
    await app.http.post(`${prefix}/accounts/bob/subscribe`).expect(401);
  });
});

describe('familiar followers', () => {
  const familiar = async (...ids: string[]): Promise<[string, string[]][]> => {
    const body = (await alice.get('/api/v1/accounts/familiar_followers', { 'id[]': ids }).expect(200)).body as unknown;
    for (const one of body as unknown[]) expect(checkShape(FamiliarFollowersShape, one)).toEqual([]);
    return (body as FamiliarFollowersJson[]).map((one) => [one.id, one.accounts.map(({ acct }) => acct)]);
  };

  beforeEach(async () => {
    await app.world.persons('dora', 'emil', 'fred');
    for (const [follower, followee] of [
      ['alice', 'bob'],
      ['alice', 'carol'],
      ['bob', 'dora'],
      ['carol', 'dora'],
      ['emil', 'dora'],
      ['carol', 'fred'],
    ] as const) {
      await app.world.follow(follower, followee);
    }
  });

  it("are the viewer's followees that follow each of the accounts", async () => {
    expect(await familiar(id('fred'), id('dora'), id('emil'), id('fred'), '999999999999999999')).toEqual([
      [id('fred'), ['carol']],
      [id('dora'), ['carol', 'bob']],
      [id('emil'), []],
    ]);
    expect(await familiar()).toEqual([]);
    const too = { 'id[]': Array.from({ length: 41 }, (_, n) => String(n)) };
    await alice.get('/api/v1/accounts/familiar_followers', too).expect(400);
  });

  it('are found among the newest 2,000 followees', async () => {
    const crowd = 1_999; // and bob, whom alice followed first, and carol
    await app.sql(
      `with crowd as (insert into accounts (id, nickname, ap_id, domain)
         select 'c' || n, 'c' || n, 'https://far.test/' || n, 'far.test' from generate_series(1, $1) n returning id)
       insert into follows (follower_id, followee_id, state) select $2, id, 1 from crowd`,
      [crowd, id('alice')],
    );
    expect(await familiar(id('dora'), id('fred'))).toEqual([
      [id('dora'), ['carol']],
      [id('fred'), ['carol']],
    ]);
    await app.sql(`delete from follows where followee_id = 'c7'`);
    expect(await familiar(id('dora'))).toEqual([[id('dora'), ['carol', 'bob']]]);
  });

  it('V11 leave out hidden lists, hidden accounts and waiting followers', async () => {
    await app.sql('update accounts set hide_follows = true where id = $1', [id('carol')]);
    expect(await familiar(id('dora'))).toEqual([[id('dora'), ['bob']]]);
    await app.sql('update follows set state = 0 where follower_id = $1', [id('bob')]);
    expect(await familiar(id('dora'))).toEqual([[id('dora'), []]]);
    await app.sql('update accounts set hide_follows = false');
    expect(await familiar(id('dora'))).toEqual([[id('dora'), ['carol']]]);
    await app.sql('update accounts set hide_followers = true where id = $1', [id('dora')]);
    expect(await familiar(id('dora'))).toEqual([[id('dora'), []]]);
    await app.sql('update accounts set deactivated_at = now() where id = any($1)', [[id('dora'), id('carol')]]);
    expect(await familiar(id('dora'), id('fred'))).toEqual([[id('fred'), []]]);
  });
});
