import { ActivitySourcesRepository } from '../../src/federation/outbox/activity-sources.repository.js';
import { makeFollows, makeStatuses } from '../support/fixtures/factories.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

const LOCAL_FOLLOWERS = 500;

const app = useApp({ people: ['alice'] });
let alice: string;
let post: string;

beforeEach(async () => {
  alice = app.world.id('alice');
  [post = ''] = await makeStatuses(app, 'alice', 1);
  await app.sql(
    `insert into accounts (id, nickname, ap_id, domain, inbox_url)
     select kind || n, kind || n, 'https://svc.test/' || kind || n, domain, domain from generate_series(1, $1) n,
       (values ('l', null), ('r', 'far.test')) given(kind, domain)`,
    [LOCAL_FOLLOWERS],
  );
  await app.sql(`insert into follows (follower_id, followee_id) select 'l' || n, $2 from generate_series(1, $1) n`, [
    LOCAL_FOLLOWERS,
    alice,
  ]);
});

const hasReceivers = () => app.get(ActivitySourcesRepository).hasReceivers(post);
const insert = () => {
  const activity = ['https://svc.test/1', alice, 'Create', null, '{}', post];
  const audience = [[alice], null, [], true, 'svc.test', true, [], [], false, false, [], []];
  return [...activity, ...audience, null, null, false, false];
};

describe('an author with many local followers', () => {
  it('has no receivers elsewhere, which is found without reading these followers', async () => {
    expect(await hasReceivers()).toBe(false);
    expect(await rowsRead(app, 'outbox.has_receivers', [post])).toBeLessThan(10);
  });

  it('has receivers elsewhere after a follow by a remote account, not after a request of one', async () => {
    const { id } = await app.world.remote('zoe', 'far.test');
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 0)', [id, alice]);
    expect(await hasReceivers()).toBe(false);
    await app.sql('update follows set state = 1 where follower_id = $1', [id]);
    expect(await hasReceivers()).toBe(true);
    expect(await rowsRead(app, 'outbox.has_receivers', [post])).toBeLessThan(10);
  });

  it('has an audience that is found by the remote followers alone', async () => {
    const fans = ['zoe', 'amy'].map((name) => app.world.remote(name, `${name}.test`));
    await makeFollows(
      app,
      (await Promise.all(fans)).map(({ id }) => id),
      alice,
    );
    expect(await rowsRead(app, 'outbox.insert', insert())).toBeLessThan(20);
  });
});
