import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RetentionService } from '../../../src/retention/index.js';
import { PreviewCardsService } from '../../../src/statuses/index.js';
import { runNight, setAges, storeOld } from '../../support/fixtures/retention.js';
import { ok } from '../../support/fixtures/statuses.js';
import { holding, waitersOf } from '../../support/locks.js';
import { useApp } from '../../support/servers/app.js';

const app = useApp({ people: ['alice', 'bob'] });

/** More than one slice of old posts of an account that nobody follows; returns their ids. */
async function manyPosts(count: number): Promise<string[]> {
  const { id } = await app.world.remote('ann', 'far.test');
  const rows = await app.sql<{ id: string }>(
    `insert into statuses (id, author_id, uri, visibility, local, created_at)
     select '00000000' || lpad(n::text, 10, '0'), $1, 'https://far.test/posts/' || n, 0, false, '2020-01-01'
     from generate_series(1, $2::int) n returning id`,
    [id, count],
  );
  return rows.map((row) => row.id);
}
/** Gives all posts the preview of one page. */
async function givePreviews(): Promise<void> {
  const preview = {
    ...{ title: 't', description: '', author_name: '', author_url: '', provider_name: '' },
    ...{ width: 0, height: 0, image: null, image_description: '', opengraph: {} },
  };
  await app.sql(`insert into cards (url, preview, fetched_at) values ('https://x.test/', $1, '2020-01-01')`, [preview]);
  await app.sql(`insert into status_cards (status_id, card_id) select s.id, c.id from statuses s, cards c`);
}
/**
 * Removes while somebody bookmarks a post that the removal has found, and not locked yet: the table is held so that it can be
 * read, but no row of it locked.
 */
const bookmarkedMeanwhile = (postId: string, kind: 'posts' | 'previews') =>
  holding(app, async (bookmarker) => {
    await bookmarker.query('lock table statuses in exclusive mode');
    const removal = app.get(RetentionService).removeNow(kind, 30);
    await waitersOf(bookmarker, 1);
    await bookmarker.query('insert into bookmarks (account_id, status_id) values ($1, $2)', [
      app.world.id('alice'),
      postId,
    ]);
    await bookmarker.query('commit');
    return removal;
  });
const chain = () => app.sql(`select payload, again from jobs where name = 'retention.remove-slice'`);
const postsLeft = async () => (await app.sql('select from statuses')).length;

describe('the removals of a night', () => {
  it('keep everything unless a setting says otherwise', async () => {
    await manyPosts(3);
    await app.sql(`insert into notifications (receiver_id, type, from_id, seen, created_at)
      select id, 'x', id, true, now() - interval '300 days' from accounts where domain is null`);
    await runNight(app);
    expect(await postsLeft()).toBe(3);
    expect(await app.sql('select from notifications')).toHaveLength(2);
  });

  it('go on where a process died between two jobs', async () => {
    await manyPosts(1_200);
    await setAges(app, [{ path: 'retention.remote_post_days', value: 30 }]);
    const retention = app.get(RetentionService);
    await retention.begin();
    await retention.removeSlice({ kind: 'posts', after: '' }); // the process dies before it notes that the job is done
    expect(await postsLeft()).toBe(200);
    await app.drain();
    expect(await postsLeft()).toBe(0);
    expect(await chain()).toEqual([]);
  });

  it('do not begin beside those of a night before that still work', async () => {
    const posts = await manyPosts(1_200);
    await setAges(app, [{ path: 'retention.remote_post_days', value: 30 }]);
    const retention = app.get(RetentionService);
    await retention.begin();
    await retention.begin(); // while its first job runs
    await retention.removeSlice({ kind: 'posts', after: '' });
    const payload = { kind: 'posts', after: posts[999] };
    expect(await chain()).toEqual([{ payload, again: false }]);
    await retention.begin(); // while its next job waits
    expect(await chain()).toEqual([{ payload, again: true }]);
    await app.drain();
    expect(await postsLeft()).toBe(0);
  });

  it('end when the setting is switched off meanwhile', async () => {
    await manyPosts(1_200);
    await setAges(app, [{ path: 'retention.remote_post_days', value: 30 }]);
    await app.get(RetentionService).removeSlice({ kind: 'posts', after: '' });
    await setAges(app, [{ path: 'retention.remote_post_days', value: 0 }]);
    await app.drain();
    expect(await postsLeft()).toBe(200);
  });

  it('keep a post that is bookmarked at the same moment', async () => {
    const [first] = await manyPosts(2);
    const retention = app.get(RetentionService);
    await holding(app, async (bookmarker) => {
      const bookmark = 'insert into bookmarks (account_id, status_id) values ($1, $2)';
      await bookmarker.query(bookmark, [app.world.id('alice'), first]);
      expect(await retention.removeNow('posts', 30)).toMatchObject({ rows: 1 });
      await bookmarker.query('commit');
    });
    expect(await retention.removeNow('posts', 30)).toMatchObject({ rows: 0 });
    expect(await app.sql('select id from statuses')).toEqual([{ id: first }]);
  });

  it('keep a post that is bookmarked before it is locked', async () => {
    const [first] = await manyPosts(2);
    const removal = await bookmarkedMeanwhile(first!, 'posts');
    expect(removal).toMatchObject({ rows: 1 });
    expect(await app.sql('select id from statuses')).toEqual([{ id: first }]);
  });

  it('keep the link preview of a post that is bookmarked at the same moment', async () => {
    const [first] = await manyPosts(2);
    await givePreviews();
    await holding(app, async (reader) => {
      const bookmark = 'insert into bookmarks (account_id, status_id) values ($1, $2)';
      await reader.query(bookmark, [app.world.id('alice'), first]);
      expect(await app.get(RetentionService).removeNow('previews', 30)).toMatchObject({ rows: 1 });
      await reader.query('commit');
    });
    expect(await app.sql('select status_id from status_cards')).toEqual([{ status_id: first }]);
  });

  it('keep the link preview of a post that is bookmarked before it is locked', async () => {
    const [first] = await manyPosts(2);
    await givePreviews();
    expect(await bookmarkedMeanwhile(first!, 'previews')).toMatchObject({ rows: 1 });
    expect(await app.sql('select status_id from status_cards')).toEqual([{ status_id: first }]);
  });

  it('look at no more notifications than the first slice with a young one', async () => {
    await app.sql(
      `insert into notifications (receiver_id, type, from_id, seen, created_at)
       select $1, 'x', $1, true, case when n > 50 then now() else '2020-01-01' end from generate_series(1, 1_500) n`,
      [app.world.id('alice')],
    );
    await setAges(app, [{ path: 'retention.read_notification_days', value: 30 }]);
    const retention = app.get(RetentionService);
    await retention.removeSlice({ kind: 'notifications', after: '' });
    expect(await app.sql('select from notifications')).toHaveLength(1_450);
    expect(await chain()).toEqual([]);
  });

  it('remove read notifications, but no unread ones and no request that waits', async () => {
    const [from, to] = [app.world.id('bob'), app.world.id('alice')];
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 0)', [from, to]);
    await app.sql(
      `insert into notifications (receiver_id, type, from_id, seen, created_at)
       select $2, n.type, $1, n.seen, now() - n.age * interval '1 day'
       from (values ('follow_request', true, 400), ('read', true, 60), ('unread', false, 60), ('young', true, 10)) n (type, seen, age)`,
      [from, to],
    );
    await setAges(app, [{ path: 'retention.read_notification_days', value: 30 }]);
    expect(await app.get(RetentionService).dryRun('notifications', 30)).toMatchObject({ rows: 1 });
    await runNight(app);
    const left = await app.sql<{ type: string }>('select type from notifications order by type');
    expect(left.map(({ type }) => type)).toEqual(['follow_request', 'unread', 'young']);
  });

  it('take link previews from old remote posts, which show none then', async () => {
    await app.world.remote('ann', 'far.test');
    const [plain, marked] = [
      await storeOld(app, 'ann@far.test', 'plain'),
      await storeOld(app, 'ann@far.test', 'marked'),
    ];
    const alice = await app.world.as('alice');
    const own = await ok(alice.post('/api/v1/statuses', { status: 'mine' }));
    await ok(alice.post(`/api/v1/statuses/${marked.id}/bookmark`));
    await givePreviews();
    await app.sql('update statuses set flags = flags | 4');
    app.invalidateReads();
    await app.dropBodies();
    const cardOf = async (id: string) => (await ok(alice.get(`/api/v1/statuses/${id}`))).card;
    expect(await cardOf(plain.id)).toMatchObject({ title: 't' });
    await setAges(app, [{ path: 'retention.link_preview_days', value: 30 }]);
    expect(await app.get(RetentionService).dryRun('previews', 30)).toMatchObject({ rows: 1 });
    await runNight(app);
    expect(await cardOf(plain.id)).toBeNull();
    expect(await cardOf(marked.id)).toMatchObject({ title: 't' });
    expect(await cardOf(own.id)).toMatchObject({ title: 't' });
    await app.sql('delete from status_cards');
    await app.get(PreviewCardsService).purge();
    expect(await app.sql('select from cards')).toEqual([]);
  });
});

it('a dry run tells what it has found so far, and ends at a signal', async () => {
  await manyPosts(3);
  const retention = app.get(RetentionService);
  const found: number[] = [];
  const progress = ({ rows }: { rows: number }) => found.push(rows);
  expect(await retention.dryRun('posts', 30, { progress })).toMatchObject({ rows: 3 });
  expect(found).toEqual([3]);
  expect(await retention.dryRun('posts', 30, { signal: AbortSignal.abort() })).toMatchObject({ rows: 0 });
});

it('files of remote posts that were fetched long ago go, others stay', async () => {
  const folder = join(app.env.dataDir, 'proxy', 'aaa');
  await mkdir(folder, { recursive: true });
  const name = (letter: string) => `aaa${letter.repeat(61)}.original.5.png`;
  for (const letter of ['b', 'c']) await writeFile(join(folder, name(letter)), 'bytes');
  await utimes(join(folder, name('b')), new Date(), new Date(Date.now() - 40 * 86_400_000));
  const retention = app.get(RetentionService);
  expect(await retention.dryRun('files', 30)).toMatchObject({ rows: 1, bytes: 5 });
  expect(await retention.removeNow('files', 30)).toMatchObject({ rows: 1, bytes: 5 });
  expect(await readdir(folder)).toEqual([name('c')]);
});
