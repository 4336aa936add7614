import { FeedsService } from '../../src/timelines/index.js';
import { makeLocalFollowers, makeStatuses } from '../support/fixtures/factories.js';
import { useApp } from '../support/servers/app.js';

/** A job serves 5,000 followers. */
const RANGE = 5_000;
const FOLLOWERS = RANGE + 100;

const app = useApp({ once: ['alice'] });
let status: string;
let facts: Parameters<FeedsService['fanOut']>[0][number];

beforeAll(() => makeLocalFollowers(app, 'alice', FOLLOWERS));

beforeEach(async () => {
  [status = ''] = await makeStatuses(app, 'alice', 1);
  const author = { authorId: app.world.id('alice'), reblogOfId: null };
  facts = { statusId: status, ...author, visibility: 0, hasTags: false };
});

const feeds = async () => (await app.sql('select from home_feed where status_id = $1', [status])).length;
const waiting = async () => {
  const jobs = await app.sql<{ name: string }>(`select name from jobs where name like 'feeds.%'`);
  return jobs.map(({ name }) => name);
};

describe('a post for more followers than a job serves', () => {
  it('reaches all of them, and leaves all of them, in jobs that let others pass', async () => {
    await app.get(FeedsService).fanOut([facts]);
    expect([await feeds(), await waiting()]).toEqual([RANGE, ['feeds.fan-out-further']]);
    await app.drain();
    expect([await feeds(), await waiting()]).toEqual([FOLLOWERS, []]);
    await app.get(FeedsService).withdraw({ statusId: status, authorId: facts.authorId, tagIds: [] });
    expect([await feeds(), await waiting()]).toEqual([FOLLOWERS - RANGE, ['feeds.withdraw-further']]);
    await app.drain();
    expect([await feeds(), await waiting()]).toEqual([0, []]);
  });

  it('reaches no further follower after its deletion', async () => {
    await app.get(FeedsService).fanOut([facts]);
    await app.sql('delete from statuses where id = $1', [status]);
    await app.drain();
    expect(await feeds()).toBe(RANGE);
  });
});
