import pg from 'pg';
import { FollowsService } from '../../../src/accounts/index.js';
import { FeedsService } from '../../../src/timelines/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { holding, waitersOf } from '../../support/locks.js';

const app = useApp({ people: ['reader', 'alice', 'bob'] });
let other: pg.Client;

const id = (nickname: string) => app.world.id(nickname);
const stored = () => app.sql<{ account_id: string; status_id: string }>('select account_id, status_id from home_feed');

/** Inserts feed rows one after the other, so that they lie in the table in this order. */
async function fill(lines: readonly (readonly [reader: string, statusId: string])[]): Promise<void> {
  for (const [reader, statusId] of lines) {
    await app.sql(
      `insert into home_feed (account_id, status_id, author_id, reblog_of_id)
       select $1, s.id, s.author_id, s.reblog_of_id from statuses s where s.id = $2`,
      [id(reader), statusId],
    );
  }
}

/** Runs `work` while another writer, which locks rows in the order of reader and post, holds the first of two rows. */
async function beside(lines: readonly (readonly [string, string])[], work: () => Promise<unknown>): Promise<void> {
  other = new pg.Client(app.address);
  await other.connect();
  try {
    await other.query(`set deadlock_timeout = '10ms'`); // a deadlock makes this connection fail
    await other.query('begin');
    const [first, second] = lines.map(
      ([reader, statusId]) =>
        () =>
          other.query('select from home_feed where account_id = $1 and status_id = $2 for update', [
            id(reader),
            statusId,
          ]),
    );
    await first!();
    const working = work();
    await untilStatementWaits();
    expect(await outcome(second!())).toBe('done'); // not "deadlock detected"
    await other.query('commit');
    await working;
  } finally {
    await other.end();
  }
}

/** Returns `done`, or the error of the database. */
const outcome = (query: Promise<unknown>): Promise<string> =>
  query.then(
    () => 'done',
    (error: unknown) => String(error),
  );

async function untilStatementWaits(): Promise<void> {
  for (let waiting = 0; waiting === 0;) {
    await other.query('select pg_stat_clear_snapshot()'); // else a transaction sees the same statistics for ever
    const { rows } = await other.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
    );
    waiting = rows[0]!.waiting;
  }
}

describe('D2 every writer of home feeds locks rows in the same order', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['an unfollow', () => app.get(FeedsService).removeAuthor({ followerId: id('reader'), followeeId: id('alice') })],
    ['the unfollow of a tag', () => app.get(FeedsService).removeTag({ accountId: id('reader'), tagId: '1' })],
  ])('also for %s, when a merge inserted the newest row first', async (_, work) => {
    const [low, high] = (await makeStatuses(app, 'alice', 2)) as [string, string];
    await app.sql(`insert into hashtags (id, name) values (1, 'tea')`);
    await app.sql(`insert into status_hashtags select id, 1 from statuses`);
    await fill([
      ['reader', high],
      ['reader', low],
    ]);
    await beside(
      [
        ['reader', low],
        ['reader', high],
      ],
      work,
    );
    expect(await stored()).toEqual([]);
  });

  it('also for a post that is removed from several feeds', async () => {
    const [statusId] = (await makeStatuses(app, 'alice', 1)) as [string];
    const [low, high] = ['reader', 'bob'].sort((a, b) => (id(a) < id(b) ? -1 : 1)) as [string, string];
    for (const name of ['reader', 'bob']) await app.get(FollowsService).follow(id(name), id('alice'));
    await fill([
      [high, statusId],
      [low, statusId],
    ]);
    await beside(
      [
        [low, statusId],
        [high, statusId],
      ],
      () => app.get(FeedsService).withdraw({ statusId, authorId: id('alice'), tagIds: [] }),
    );
    expect(await stored()).toEqual([]);
  });
});

/** The removal of posts from a feed, a new follow, and the merge for it. */
type Again = readonly [remove: () => Promise<unknown>, follow: () => Promise<unknown>, merge: () => Promise<unknown>];

it.each<[string, () => Again]>([
  [
    'an author',
    () => {
      const parties = { followerId: id('reader'), followeeId: id('alice') };
      const follow = () => app.world.follow('reader', 'alice');
      return [() => app.get(FeedsService).removeAuthor(parties), follow, () => app.get(FeedsService).merge(parties)];
    },
  ],
  [
    'a tag',
    () => {
      const tag = { accountId: id('reader'), tagId: '1' };
      const follow = () => app.sql('insert into followed_tags (account_id, hashtag_id) values ($1, 1)', [id('reader')]);
      return [() => app.get(FeedsService).removeTag(tag), follow, () => app.get(FeedsService).mergeTag(tag)];
    },
  ],
])('D2 the posts of %s stay that is followed again while they are removed', async (_, parts) => {
  const [remove, follow, merge] = parts();
  const [statusId] = (await makeStatuses(app, 'alice', 1)) as [string];
  await app.sql(`insert into hashtags (id, name) values (1, 'tea')`);
  await app.sql('insert into status_hashtags select id, 1 from statuses');
  await fill([['reader', statusId]]);
  await holding(app, async (holder) => {
    await holder.query('select from home_feed for update');
    const removing = remove();
    await waitersOf(holder, 1);
    await follow();
    const merging = merge();
    await Promise.race([merging, waitersOf(holder, 2)]);
    await holder.query('commit');
    await Promise.all([removing, merging]);
  });
  expect(await stored()).toEqual([{ account_id: id('reader'), status_id: statusId }]);
});
