import { FeedsService } from '../../src/timelines/index.js';
import { StatusFlag, type StatusJson } from '../../src/statuses/index.js';
import { fillFeed, makeFollows, makeStatuses } from '../support/fixtures/factories.js';
import { ok } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';
import { holding, waitersOf } from '../support/locks.js';
import { countQueries } from '../support/queries.js';
import { useApp } from '../support/servers/app.js';

const HOME = '/api/v1/timelines/home';
/** A feed after its trim, and what it gains at once. */
const ROWS = 800;

const app = useApp({ people: ['reader', 'alice', 'bob', 'carol'] });
const id = (name: string) => app.world.id(name);
let reader: Client;

beforeEach(async () => {
  reader = await app.world.as('reader');
  await makeFollows(
    app,
    id('reader'),
    ['alice', 'bob'].map((name) => id(name)),
  );
});

/** Posts of both followees, of which the newest 800 are in the feed. */
async function makeTrimmedFeed(count: number): Promise<string[]> {
  const posts = await makeStatuses(app, ['alice', 'bob'], count);
  await fillFeed(app, 'reader', posts);
  await app.get(FeedsService).trim();
  return posts;
}

const read = async (query: Record<string, string | number | undefined>) =>
  (await ok<StatusJson[]>(reader.get(HOME, { limit: 40, ...query }))).map((post) => post.id);
const rows = async () => (await app.sql('select from home_feed where account_id = $1', [id('reader')])).length;
const waiting = async () => (await app.sql(`select from jobs where name = 'feeds.deepen'`)).length;
const wasDeepened = (ago: string) =>
  app.sql(`update users set feed_deepened_at = now() - $2::interval where account_id = $1`, [id('reader'), ago]);

/** Reads older pages until one is empty; `between` runs after each, with its number. */
async function scroll(between: (page: number, last: string) => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  for (let number = 0; ; number += 1) {
    const page = await read({ max_id: seen.at(-1) });
    if (page.length === 0) return seen;
    seen.push(...page);
    await between(number, page.at(-1)!);
  }
}

describe('a reader who scrolls down the home timeline', () => {
  it('sees each post once, all from the feed, beside a follow, an unfollow and a deletion', async () => {
    const quiet = await makeStatuses(app, 'carol', 30);
    const posts = await makeTrimmedFeed(2_000);
    let followed = '';
    let unfollowed = '';
    const deleted = posts[100]!;
    const { statements, result: seen } = await countQueries(() =>
      scroll(async (page, last) => {
        if (page === 17) {
          await app.world.follow('reader', 'carol');
          followed = last;
        }
        if (page === 24) {
          await reader.post(`/api/v1/accounts/${id('bob')}/unfollow`).expect(200);
          unfollowed = last;
          await (await app.world.as('alice')).delete(`/api/v1/statuses/${deleted}`).expect(200);
        }
        await app.drain();
      }),
    );
    const isShown = (post: string) => post !== deleted && (posts.indexOf(post) % 2 === 0 || post >= unfollowed);
    const expected = [...posts.filter(isShown), ...quiet.filter((post) => post < followed)];
    expect(seen).toEqual(expected.sort().reverse());
    expect(statements.filter((name) => /^timelines\.home\.(scan|lookups)/.test(name))).toEqual([]);
    expect(statements.filter((name) => name === 'feed.rebuild').length).toBeLessThanOrEqual(3);
  });

  it('sees the same while the feed is not deepened, with one job for all pages', async () => {
    const posts = await makeTrimmedFeed(1_100);
    const jobs: number[] = [];
    const seen = await scroll(async () => jobs.push(await waiting()));
    expect(seen).toEqual([...posts].reverse());
    expect([Math.min(...jobs), Math.max(...jobs), jobs.indexOf(1)]).toEqual([0, 1, 17]); // with 120 posts left
    await app.drain();
    expect([await rows(), await waiting()]).toEqual([1_100, 0]);
    expect(await read({ max_id: posts[40] })).toEqual(posts.slice(0, 40).reverse());
    expect(await waiting()).toBe(0); // the feed has all
  });

  it('goes on from a position far below, both ways, in steps that reach it', async () => {
    const posts = await makeTrimmedFeed(3_000);
    expect(await read({ min_id: posts[1_000] })).toEqual(posts.slice(1_001, 1_041).reverse());
    await app.drain();
    expect(await rows()).toBe(3 * ROWS);
    const { statements, result } = await countQueries(() => read({ max_id: posts[900] }));
    expect(result).toEqual(posts.slice(860, 900).reverse());
    expect(statements.filter((name) => name.startsWith('timelines.'))).toEqual(['timelines.home.feed.older']);
  });

  it('gets the feed deepened for the page that asked last, also when an earlier one waits', async () => {
    const posts = await makeTrimmedFeed(3_000);
    await read({ min_id: posts[2_100] });
    expect(await waiting()).toBe(1);
    await read({ min_id: posts[1_000] });
    await app.drain();
    expect(await rows()).toBe(3 * ROWS);
  });

  it('deepens the feed ten times at once, and once more 2.4 hours later', async () => {
    const posts = await makeTrimmedFeed(12 * ROWS + 300);
    expect(await read({ max_id: posts[100] })).toHaveLength(40);
    await app.drain();
    expect(await rows()).toBe(11 * ROWS);
    await wasDeepened('2 hours 23 minutes');
    expect(await read({ max_id: posts[100] })).toEqual(posts.slice(60, 100).reverse());
    expect(await waiting()).toBe(0);
    await wasDeepened('2 hours 24 minutes');
    await read({ max_id: posts[100] });
    await app.drain();
    expect(await rows()).toBe(12 * ROWS);
  });

  it('lets other jobs run between two steps', async () => {
    const posts = await makeTrimmedFeed(3_000);
    await app.get(FeedsService).deepen({ readerId: id('reader'), to: posts[0]! });
    expect([await rows(), await waiting()]).toEqual([2 * ROWS, 1]);
  });
});

describe('a deepened feed', () => {
  it('is trimmed when its reader has not read on for a while', async () => {
    const posts = await makeTrimmedFeed(2_000);
    await app.get(FeedsService).deepen({ readerId: id('reader'), to: posts[1_200]! });
    await app.get(FeedsService).trim();
    expect(await rows()).toBe(2 * ROWS);
    await wasDeepened('1 day');
    await app.get(FeedsService).trim();
    expect(await rows()).toBe(ROWS);
    expect(await scroll(() => app.drain())).toEqual([...posts].reverse());
  });

  it('is not trimmed when its reader reads on while the trim waits', async () => {
    const posts = await makeStatuses(app, 'alice', 1_100);
    await fillFeed(app, 'reader', posts);
    await holding(app, async (holder) => {
      await holder.query('update users set feed_deepened_at = now() where account_id = $1', [id('reader')]);
      const trimming = app.get(FeedsService).trim();
      await waitersOf(holder, 1);
      await holder.query('commit');
      await trimming;
    });
    expect(await rows()).toBe(1_100);
  });

  it.each([
    { by: 'a followee', author: 'alice', hasTags: false },
    { by: 'a followed tag', author: 'carol', hasTags: true },
  ])('has a late post of $by, below the floor, after a step has read the posts', async ({ author, hasTags }) => {
    const [late, ...posts] = await makeTrimmedFeed(1_001);
    await app.sql('delete from statuses where id = $1', [late]);
    await app.sql(
      `with tag as (insert into hashtags (name) values ('tea') returning id)
       insert into followed_tags (account_id, hashtag_id) select $1, id from tag`,
      [id('reader')],
    );
    await holding(app, async (holder) => {
      await holder.query('insert into home_feed (account_id, status_id, author_id) values ($1, $2, $3)', [
        id('reader'),
        posts[0],
        id('bob'),
      ]);
      const deepening = app.get(FeedsService).deepen({ readerId: id('reader'), to: posts[300]! });
      await waitersOf(holder, 1);
      await app.sql(
        `insert into statuses (id, author_id, uri, visibility, content_text, local, flags)
         values ($1, $2, 'https://svc.test/objects/' || $1, 0, 'late', true, $3)`,
        [late, id(author), hasTags ? StatusFlag.tags : 0],
      );
      await app.sql('insert into status_hashtags (status_id, hashtag_id) select $1, id from hashtags', [late]);
      const facts = { reblogOfId: null, visibility: 0, hasTags };
      await app.get(FeedsService).fanOut([{ statusId: late!, authorId: id(author), ...facts }]);
      await holder.query('commit');
      await deepening;
    });
    expect((await scroll(() => app.drain())).slice(-2)).toEqual([posts[0], late]);
  });
});
