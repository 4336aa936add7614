import { FollowersDigestRepository } from '../../src/federation/documents/followers-digest.repository.js';
import { makeFollows, makeStatuses } from '../support/fixtures/factories.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

const MANY = 500;
const READER = 'https://far.test/users/zoe';

const app = useApp({ people: ['alice', 'bob'] });

beforeEach(async () => {
  await app.sql(
    `insert into accounts (id, nickname, ap_id, domain) select 'r' || n, 'r' || n, 'https://far.test/' || n, 'far.test'
     from generate_series(1, $1) n`,
    [MANY],
  );
});

describe('a request of another server', () => {
  it('for pinned posts reads no posts of others', async () => {
    await makeStatuses(app, 'bob', MANY);
    const [pinned = ''] = await makeStatuses(app, 'alice', 1);
    await app.sql('insert into pins (account_id, status_id) values ($1, $2)', [app.world.id('alice'), pinned]);
    expect(await rowsRead(app, 'federation.featured', [app.world.id('alice'), 'svc.test', 40])).toBeLessThan(20);
  });

  it('with a signature reads no other accounts to find out whether the author blocks its sender', async () => {
    await app.sql('insert into remote_keys (key_id, owner_uri, public_pem) values ($1, $2, $3)', [
      `${READER}#main-key`,
      READER,
      '',
    ]);
    expect(await rowsRead(app, 'federation.is_refused', ['alice', '', [`${READER}#main-key`, READER]])).toBeLessThan(
      20,
    );
  });

  it('for the followers on its host reads no followers elsewhere, nor more accounts of the host than there are followers', async () => {
    const [alice, bob] = [app.world.id('alice'), app.world.id('bob')];
    const [near, apart, waiting, moved] = await Promise.all(
      ['near', 'apart', 'waiting', 'moved'].map((name) => app.world.remote(name, 'small.test')),
    );
    await app.sql(`update accounts set domain = 'handles.test' where id = $1`, [apart!.id]);
    await app.sql(`update accounts set ap_id = 'https://else.test/moved' where id = $1`, [moved!.id]);
    await app.sql(`insert into follows (follower_id, followee_id) select 'r' || n, $2 from generate_series(1, $1) n`, [
      MANY,
      alice,
    ]);
    await makeFollows(app, [near!.id, apart!.id, moved!.id], alice);
    await makeFollows(app, [near!.id, 'r7'], bob);
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 0)', [waiting!.id, alice]);
    await app.sql('update account_stats set followers_count = case account_id when $1 then $2::int else 2 end', [
      alice,
      MANY + 3,
    ]);
    const followersOn = (id: string, host: string) => app.get(FollowersDigestRepository).followersOn(id, host);
    const uriOf = (id: string) => app.sql<{ uri: string }>('select ap_id as uri from accounts where id = $1', [id]);
    const small = (await Promise.all([near!, apart!].map(({ id }) => uriOf(id)))).flat().map(({ uri }) => uri);
    expect(await followersOn(alice, 'small.test')).toEqual(small);
    expect(await followersOn(alice, 'far.test')).toHaveLength(MANY);
    expect(await followersOn(bob, 'far.test')).toEqual(['https://far.test/7']);
    expect(await rowsRead(app, 'federation.followers_on_host', [alice, 'small.test'])).toBeLessThan(20);
    expect(await rowsRead(app, 'federation.followers_on_host', [bob, 'far.test'])).toBeLessThan(20);
  });
});
