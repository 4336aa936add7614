import { UnitOfWork } from '../../../src/platform/index.js';
import { FeedsService } from '../../../src/timelines/index.js';
import { useApp } from '../../support/servers/app.js';
import { fillFeed, makeStatuses } from '../../support/fixtures/factories.js';
import type { Client } from '../../support/fixtures/world.js';

interface Entry {
  readonly id: string;
  readonly content: string;
  readonly account: { readonly acct: string };
  readonly reblog: Entry | null;
}

describe('the home timeline', () => {
  const app = useApp({ people: ['reader', 'alice', 'bob', 'carol'] });

  const post = async (author: string, status: string, options = {}): Promise<Entry> => {
    const answer = await (await app.world.as(author)).post('/api/v1/statuses', { status, ...options }).expect(200);
    return answer.body as Entry;
  };
  const reblog = async (nickname: string, id: string): Promise<Entry> =>
    (await (await app.world.as(nickname)).post(`/api/v1/statuses/${id}/reblog`).expect(200)).body as Entry;
  const page = async (query = {}, reader?: Client): Promise<Entry[]> => {
    const client = reader ?? (await app.world.as('reader'));
    return (await client.get('/api/v1/timelines/home', query).expect(200)).body as Entry[];
  };
  const ids = async (query = {}) => (await page(query)).map((entry) => entry.id);
  const texts = async (query = {}) =>
    (await page(query)).map((entry) => (entry.reblog ?? entry).content.replace(/<[^>]+>/g, ''));
  const setFloor = (floor: string) =>
    app.sql('update users set feed_floor = $2 where account_id = $1', [app.world.id('reader'), floor]);

  /** Resolves when a statement waits for a lock. */
  async function untilStatementWaits(): Promise<void> {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await app.sql(waiting)).length === 0);
  }

  /** Follows `next` (or `prev`) of the Link header until a page is empty; returns the ids of every page. */
  async function walk(rel: 'next' | 'prev', query: Record<string, unknown>): Promise<string[][]> {
    const client = await app.world.as('reader');
    const pages: string[][] = [];
    for (let path = '/api/v1/timelines/home', values = query; ; values = {}) {
      const answer = await client.get(path, values).expect(200);
      const entries = answer.body as Entry[];
      if (entries.length === 0) return pages;
      pages.push(entries.map((entry) => entry.id));
      const link = new RegExp(`<https://svc\\.test([^>]+)>; rel="${rel}"`).exec(answer.get('link') ?? '');
      path = link![1]!;
    }
  }

  it('J11 gets all posts that arrive together, however many followers their authors have', async () => {
    const authors = ['alice', 'bob'].map((name) => app.world.id(name));
    await app.sql(
      `with fans as (
         insert into accounts (id, nickname, ap_id)
         select 'fan' || lpad(n::text, 15, '0'), 'fan' || n, 'https://svc.test/users/fan' || n from generate_series(1, 2600) n
         returning id),
       users as (
         insert into users (account_id, email, password_hash, last_active_at) select id, id || '@svc.test', '', now() from fans)
       insert into follows (follower_id, followee_id) select id, unnest($1::text[]) from fans`,
      [authors],
    );
    const posts = await makeStatuses(app, ['alice', 'bob'], 2);
    const facts = { reblogOfId: null, visibility: 0, hasTags: false };
    await app.get(FeedsService).fanOut(posts.map((statusId, at) => ({ statusId, authorId: authors[at]!, ...facts })));
    await app.drain();
    for (const id of posts)
      expect(await app.sql('select from home_feed where status_id = $1', [id])).toHaveLength(2_600);
  });

  it('lists the own post at once, and posts of followees when their jobs have run', async () => {
    await app.world.follow('reader', 'alice');
    await app.drain(); // else the merge after the follow adds the post too
    await post('reader', 'mine');
    expect(await texts()).toEqual(['mine']);
    await post('alice', 'hers');
    await post('bob', 'a stranger');
    await app.drain();
    expect(await texts()).toEqual(['hers', 'mine']);
  });

  it('lists the own boost of a stranger at once', async () => {
    const boost = await reblog('reader', (await post('bob', 'a stranger')).id);
    expect(await ids()).toEqual([boost.id]);
    await app.drain();
    expect(await ids()).toEqual([boost.id]);
  });

  it('gets a post after a crash between the commit and the job', async () => {
    await app.world.follow('reader', 'alice');
    await app.drain();
    await post('alice', 'posted, then the process was gone'); // no worker was notified: only rows hold the work
    expect(await texts()).toEqual([]);
    expect(await app.drain()).toBeGreaterThan(0);
    expect(await texts()).toEqual(['posted, then the process was gone']);
  });

  it('requires a token with its scope', async () => {
    await app.world.anonymous.get('/api/v1/timelines/home').expect(401);
    await (await app.world.as('reader', 'write')).get('/api/v1/timelines/home').expect(403);
  });

  it('gains older posts with a follow and loses them with the unfollow, before and after the jobs', async () => {
    const older = await makeStatuses(app, 'alice', 3);
    const reader = await app.world.as('reader');
    await reader.post(`/api/v1/accounts/${app.world.id('alice')}/follow`).expect(200);
    await app.drain();
    expect(await ids()).toEqual([...older].reverse());
    await reader.post(`/api/v1/accounts/${app.world.id('alice')}/unfollow`).expect(200);
    expect(await ids()).toEqual([]);
    await app.drain();
    expect(await ids()).toEqual([]);
    const left = await app.sql('select from home_feed where account_id = $1', [app.world.id('reader')]);
    expect(left).toHaveLength(0);
  });

  it('keeps its posts when the job of a revoked unfollow runs late', async () => {
    await app.world.follow('reader', 'alice');
    const { id } = await post('alice', 'hers');
    const boost = await reblog('alice', (await post('bob', 'his')).id);
    await app.drain();
    const [followerId, followeeId] = [app.world.id('reader'), app.world.id('alice')];
    await app.get(FeedsService).removeAuthor({ followerId, followeeId });
    expect(await ids()).toEqual([boost.id, id]);
  });

  it('merges as many posts as a feed holds, raises the floor, and continues below it', async () => {
    const posts = await makeStatuses(app, 'alice', 850);
    await app.world.follow('reader', 'alice');
    await app.drain();
    const [user] = await app.sql<{ feed_floor: string }>('select feed_floor from users where account_id = $1', [
      app.world.id('reader'),
    ]);
    expect(user!.feed_floor).toBe(posts.at(-800));
    const pages = await walk('next', { limit: 40 });
    expect(pages.flat()).toEqual([...posts].reverse());
  });

  it('hides blocked authors and boosts of them at once, and loses the rows of those that it followed in a job', async () => {
    await app.world.follow('reader', 'alice');
    await app.world.follow('reader', 'bob');
    const stranger = await post('carol', 'by carol');
    await reblog('bob', stranger.id);
    await post('alice', 'by alice');
    await app.drain();
    expect(await texts()).toEqual(['by alice', 'by carol']);
    const reader = await app.world.as('reader');
    await reader.post(`/api/v1/accounts/${app.world.id('alice')}/block`).expect(200);
    await reader.post(`/api/v1/accounts/${app.world.id('carol')}/block`).expect(200);
    expect(await texts()).toEqual([]);
    await app.drain();
    expect(await texts()).toEqual([]);
    const left = await app.sql('select author_id from home_feed where account_id = $1', [app.world.id('reader')]);
    expect(left).toEqual([{ author_id: app.world.id('bob') }]);
  });

  it('fills every page in both directions, across the floor and with filters', async () => {
    await app.world.follow('reader', 'alice');
    await app.world.follow('reader', 'bob');
    await app.drain();
    const posts = await makeStatuses(app, ['alice', 'bob', 'carol'], 90);
    const wanted = posts.filter((_, at) => at % 3 !== 2);
    await fillFeed(app, 'reader', wanted.slice(30));
    await setFloor(wanted[30]!);
    const newestFirst = [...wanted].reverse();

    const down = await walk('next', { limit: 7 });
    expect(down.flat()).toEqual(newestFirst);
    expect(down.slice(0, -1).every((each) => each.length === 7)).toBe(true);

    const up = await walk('prev', { limit: 7, min_id: wanted[2] });
    expect([...up].reverse().flat()).toEqual(newestFirst.slice(0, -3));
    expect(up.slice(0, -1).every((each) => each.length === 7)).toBe(true);

    expect(await ids({ limit: 5, max_id: wanted[31] })).toEqual(newestFirst.slice(-31, -26));
    expect(await ids({ limit: 5, min_id: wanted[27] })).toEqual([32, 31, 30, 29, 28].map((at) => wanted[at]));
    expect(await ids({ limit: 5, since_id: wanted[10] })).toEqual(newestFirst.slice(0, 5));
    expect(await ids({ max_id: wanted[33], since_id: wanted[28] })).toEqual([32, 31, 30, 29].map((at) => wanted[at]));

    await (await app.world.as('reader')).post(`/api/v1/accounts/${app.world.id('bob')}/mute`).expect(200);
    const byAlice = newestFirst.filter((id) => posts.indexOf(id) % 3 === 0);
    const filtered = await walk('next', { limit: 7 });
    expect(filtered.flat()).toEqual(byAlice);
    expect(filtered.slice(0, -1).every((each) => each.length === 7)).toBe(true);
    expect((await walk('next', { limit: 7, with_muted: true })).flat()).toEqual(newestFirst);
  });

  it('reads each followee when the newest posts of everyone include too few of theirs', async () => {
    const rare = await makeStatuses(app, 'alice', 5);
    await makeStatuses(app, 'carol', 2_100);
    await app.world.follow('reader', 'alice');
    await app.drain();
    await app.sql('delete from home_feed');
    await setFloor('~');
    expect(await ids()).toEqual([...rare].reverse());
    expect(await ids({ min_id: rare[0], limit: 2 })).toEqual([rare[2], rare[1]]);
  });

  it('searches at most 200 posts of each followee for rare matches', async () => {
    await app.world.follow('reader', 'alice');
    const rare = await post('alice', 'rare', { visibility: 'unlisted' });
    const [oldest] = await makeStatuses(app, 'alice', 200);
    await makeStatuses(app, 'carol', 2_000);
    await app.sql('delete from home_feed');
    await setFloor('~');
    const query = { exclude_visibilities: ['public'] };
    expect(await ids(query)).toEqual([]);
    expect(await ids({ ...query, max_id: oldest })).toEqual([rare.id]);
  });

  it('lists all posts after the feed was trimmed and its floor raised', async () => {
    await app.world.follow('reader', 'alice');
    await app.drain();
    const posts = await makeStatuses(app, 'alice', 1_010);
    await fillFeed(app, 'reader', posts);
    await app.get(FeedsService).trim();
    const [feed] = await app.sql<{ rows: number; floor: string }>(
      `select count(*)::int as rows, (select feed_floor from users where account_id = $1) as floor
       from home_feed where account_id = $1`,
      [app.world.id('reader')],
    );
    expect(feed).toEqual({ rows: 800, floor: posts.at(-800) });
    expect((await walk('next', { limit: 40 })).flat()).toEqual([...posts].reverse());
  });

  it('keeps the feed of a reader who returns while feeds of absent readers are removed', async () => {
    await app.world.follow('reader', 'alice');
    await app.drain();
    await post('alice', 'hello');
    await app.drain();
    const reader = app.world.id('reader');
    await app.sql(`update users set last_active_at = now() - interval '40 days' where account_id = $1`, [reader]);
    const [marked, done] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const returning = app.get(UnitOfWork).run(async () => {
      await app.sql('update users set last_active_at = now() where account_id = $1', [reader]);
      marked.resolve(undefined);
      await done.promise;
    });
    await marked.promise;
    const trimming = app.get(FeedsService).trim();
    await Promise.race([trimming, untilStatementWaits()]);
    done.resolve(undefined);
    await Promise.all([returning, trimming]);
    expect(await app.sql('select from home_feed where account_id = $1', [reader])).toHaveLength(1);
  });

  it('is not stored for absent readers, and complete when they return', async () => {
    await app.world.follow('reader', 'alice');
    await app.drain();
    const before = await post('alice', 'before');
    await app.drain();
    await app.sql(`update users set last_active_at = now() - interval '40 days' where account_id = $1`, [
      app.world.id('reader'),
    ]);
    const during = await post('alice', 'during');
    await app.drain();
    const rows = () => app.sql('select from home_feed where account_id = $1', [app.world.id('reader')]);
    expect(await rows()).toHaveLength(1);

    expect(await ids()).toEqual([during.id, before.id]);
    const after = await post('alice', 'after');
    await app.drain();
    expect(await ids()).toEqual([after.id, during.id, before.id]);
    expect(await rows()).toHaveLength(3);
    const [user] = await app.sql<{ feed_floor: string }>('select feed_floor from users where account_id = $1', [
      app.world.id('reader'),
    ]);
    expect(user!.feed_floor).toBe('');
  });

  it('shows a post once, without boosts of own posts and without unwanted boosts', async () => {
    for (const followee of ['alice', 'bob']) await app.world.follow('reader', followee);
    const hers = await post('alice', 'by alice');
    await reblog('bob', hers.id);
    const strange = await post('carol', 'by carol');
    const first = await reblog('alice', strange.id);
    await reblog('bob', strange.id);
    const mine = await post('reader', 'mine');
    await reblog('alice', mine.id);
    await app.drain();
    expect(await ids()).toEqual([mine.id, first.id, hers.id]);

    await (
      await app.world.as('reader')
    )
      .post(`/api/v1/accounts/${app.world.id('alice')}/follow`, { reblogs: false })
      .expect(200);
    expect(await texts()).toEqual(['mine', 'by carol', 'by alice']);
    const [, second] = await page();
    expect(second?.account.acct).toBe('bob');
  });

  it.each([37, 40])('shows a post again by a boost only when 40 entries lie between: %i', async (rows) => {
    for (const followee of ['alice', 'bob']) await app.world.follow('reader', followee);
    const [hers, strange] = [await post('alice', 'tea'), await post('carol', 'by carol')];
    await reblog('alice', strange.id);
    await app.drain();
    await fillFeed(app, 'reader', await makeStatuses(app, 'alice', rows));
    const again = [(await reblog('bob', strange.id)).id, (await reblog('bob', hers.id)).id];
    await app.drain();
    expect((await ids()).filter((id) => again.includes(id))).toHaveLength(rows === 40 ? 2 : 0);
  });

  it('lists the same posts below the floor as above it', async () => {
    for (const followee of ['alice', 'bob']) await app.world.follow('reader', followee);
    const hers = await post('alice', 'by alice');
    await reblog('bob', hers.id);
    const strange = await post('carol', 'by carol');
    await reblog('alice', strange.id);
    await reblog('bob', strange.id);
    await post('bob', 'for friends', { visibility: 'private' });
    await post('bob', '@alice a secret', { visibility: 'direct' });
    await post('bob', '@reader a secret for you', { visibility: 'direct' });
    await reblog('alice', (await post('reader', 'mine')).id);
    await app.drain();
    const stored = await ids();
    expect(stored).toHaveLength(5);
    await app.sql('delete from home_feed');
    await setFloor('~');
    expect(await ids()).toEqual(stored);
  });

  it('filters by visibility, replies, attachments and origin, and hides muted threads', async () => {
    for (const followee of ['alice', 'bob']) await app.world.follow('reader', followee);
    const plain = await post('alice', 'plain');
    const quiet = await post('alice', 'quiet', { visibility: 'unlisted' });
    const toCarol = await post('alice', '@carol hello', { in_reply_to_id: (await post('carol', 'by carol')).id });
    const toBob = await post('alice', '@bob hello', { in_reply_to_id: (await post('bob', 'by bob')).id });
    const toReader = await post('alice', '@reader hello', { in_reply_to_id: (await post('reader', 'mine')).id });
    await app.drain();
    const all = await ids();
    expect(all).toHaveLength(7);
    expect(await ids({ 'exclude_visibilities[]': ['unlisted'] })).toEqual(all.filter((id) => id !== quiet.id));
    expect(await ids({ reply_visibility: 'following' })).toEqual(all.filter((id) => id !== toCarol.id));
    expect(await ids({ reply_visibility: 'self' })).toEqual(all.filter((id) => id !== toCarol.id && id !== toBob.id));
    expect(all).toContain(toReader.id);
    expect(await ids({ only_media: true })).toEqual([]);
    expect(await ids({ remote: true })).toEqual([]);
    expect(await ids({ local: true })).toEqual(all);

    await app.sql(
      'insert into thread_mutes (account_id, conversation_id) select $1, conversation_id from statuses where id = $2',
      [app.world.id('reader'), plain.id],
    );
    expect(await ids()).toEqual(all.filter((id) => id !== plain.id));
  });

  it('V15 hides posts of deactivated authors and boosts of them', async () => {
    for (const followee of ['alice', 'bob']) await app.world.follow('reader', followee);
    await post('alice', 'by alice');
    await reblog('bob', (await post('carol', 'by carol')).id);
    await app.drain();
    expect(await texts()).toEqual(['by carol', 'by alice']);
    await app.sql('update accounts set deactivated_at = now() where nickname in ($1, $2)', ['alice', 'carol']);
    expect(await texts()).toEqual([]);
  });

  it('loses deleted posts and boosts of them', async () => {
    for (const followee of ['alice', 'bob']) await app.world.follow('reader', followee);
    const strange = await post('carol', 'by carol');
    await reblog('bob', strange.id);
    const hers = await post('alice', 'by alice');
    await app.drain();
    await (await app.world.as('carol')).delete(`/api/v1/statuses/${strange.id}`).expect(200);
    await (await app.world.as('alice')).delete(`/api/v1/statuses/${hers.id}`).expect(200);
    expect(await texts()).toEqual([]);
    await app.drain();
    expect(await texts()).toEqual([]);
  });
});
