import supertest from 'supertest';
import { createApp } from '../../src/server.js';
import { TagsService } from '../../src/timelines/index.js';
import { useApp } from '../support/servers/app.js';
import {
  fillFeed,
  makeAdversaries,
  makeBookmarks,
  makeReblogs,
  makeEndorsements,
  makeConversations,
  makeFans,
  makeFavourites,
  makeFollows,
  makeStatuses,
  shareCard,
} from '../support/fixtures/factories.js';
import { countQueries } from '../support/queries.js';

/** Resolves the caller: is sent only for a token that is not cached, and is not in the counts below. */
const RESOLVE = 'oauth.resolve';
const FANS = 40;

/** Requests that are answered from memory (ADR 25). */
const CACHED = [
  '/api/v1/timelines/home',
  '/api/v1/timelines/public?local=true',
  '/api/v1/accounts/{alice}',
  '/api/v1/accounts/{alice}?with_relationships=true',
  '/api/v1/accounts/{alice}/statuses',
  '/api/v1/accounts/lookup?acct=alice',
  '/api/v1/accounts/relationships?{oneId}',
  '/api/v1/accounts/verify_credentials',
  '/api/v1/statuses/{plain}',
  '/api/v1/statuses/{boost}',
  '/api/v1/statuses/{root}/context',
  '/api/v1/notifications',
  '/.well-known/webfinger?resource=acct:alice@svc.test',
  '/users/alice',
];

interface Pinned {
  /** Names in braces stand for ids that the test creates. */
  readonly path: string;
  /** How many entries it must return, since few and many must take the same number of statements. */
  readonly entries?: number;
  /** The number of statements when the caches hold every body. */
  readonly warm: number;
  /** The number of statements when the caches are empty, as after a start. */
  readonly cold: number;
  readonly as?: 'alice' | 'late' | 'anonymous';
}

/**
 * How many statements a request sends. A list of statuses takes three: the page, the accounts (versions and counters), and the
 * actions of the viewer. The bodies of accounts and those of statuses take two more when they are not cached. Anonymous
 * callers have no actions, so they take one less.
 */
const PINNED: readonly Pinned[] = [
  { path: '/api/v1/timelines/home?limit=1', entries: 1, warm: 3, cold: 5 },
  { path: '/api/v1/timelines/home?limit=40', entries: 40, warm: 3, cold: 5 },
  { path: '/api/v1/timelines/home?limit=20&min_id={oldest}', entries: 20, warm: 3, cold: 5 },
  // Below the floor of the feed the posts themselves are read: this is the most expensive page.
  { path: '/api/v1/timelines/home?limit=1', entries: 1, warm: 4, cold: 6, as: 'late' },
  { path: '/api/v1/timelines/home?limit=40', entries: 24, warm: 5, cold: 7, as: 'late' }, // the scan finds too few
  { path: '/api/v1/timelines/public?limit=1', entries: 1, warm: 3, cold: 5 },
  { path: '/api/v1/timelines/public?limit=20', entries: 20, warm: 3, cold: 5 },
  { path: '/api/v1/timelines/public?limit=1', entries: 1, warm: 2, cold: 4, as: 'anonymous' },
  { path: '/api/v1/timelines/public?limit=20&local=true', entries: 20, warm: 2, cold: 4, as: 'anonymous' },
  { path: '/api/v1/timelines/tag/tea?limit=1', entries: 1, warm: 3, cold: 5 },
  { path: '/api/v1/timelines/tag/tea?limit=20&any[]=fog&none[]=number1', entries: 19, warm: 3, cold: 5 },
  { path: '/api/v1/timelines/tag/tea?limit=1', entries: 1, warm: 2, cold: 4, as: 'anonymous' },
  { path: '/api/v1/timelines/link?limit=1&url=https://pages.test/', entries: 1, warm: 3, cold: 5 },
  { path: '/api/v1/timelines/link?limit=20&url=https://pages.test/', entries: 20, warm: 3, cold: 5 },
  // The list is looked up.
  { path: '/api/v1/timelines/list/{few}?limit=1', entries: 1, warm: 4, cold: 6 },
  { path: '/api/v1/timelines/list/{list}?limit=40', entries: 40, warm: 4, cold: 6 },
  { path: '/api/v1/followed_tags?limit=1', entries: 1, warm: 3, cold: 3 },
  { path: '/api/v1/followed_tags?limit=20', entries: 20, warm: 3, cold: 3 },
  { path: '/api/v1/tags/tea', warm: 3, cold: 3 },
  // The ranking; how the tags were used, and whether the reader follows them.
  { path: '/api/v1/trends?limit=1', entries: 1, warm: 3, cold: 3 },
  { path: '/api/v1/trends/tags?limit=20', entries: 20, warm: 3, cold: 3 },
  { path: '/api/v1/trends/tags?limit=20', entries: 20, warm: 2, cold: 2, as: 'anonymous' },
  { path: '/api/v1/trends/statuses?limit=1', entries: 1, warm: 3, cold: 5 },
  { path: '/api/v1/trends/statuses?limit=20', entries: 20, warm: 3, cold: 5 },
  { path: '/api/v1/trends/links', entries: 0, warm: 0, cold: 0 },
  // The account of the path is looked up before its posts.
  { path: '/api/v1/accounts/{alice}/statuses?limit=1', entries: 1, warm: 4, cold: 6 },
  { path: '/api/v1/accounts/{alice}/statuses?limit=20', entries: 20, warm: 4, cold: 6 },
  { path: '/api/v1/statuses/{plain}', warm: 3, cold: 5 },
  { path: '/api/v1/statuses/{boost}', warm: 3, cold: 5 },
  { path: '/api/v1/statuses/{answered}/context', entries: 1, warm: 3, cold: 5 },
  { path: '/api/v1/statuses/{root}/context', entries: 20, warm: 3, cold: 5 },
  { path: '/api/v1/favourites?limit=1', entries: 1, warm: 3, cold: 5 },
  { path: '/api/v1/favourites?limit=20', entries: 20, warm: 3, cold: 5 },
  // Also the account of the path.
  { path: '/api/v1/svc/accounts/{alice}/favourites?limit=1', entries: 1, warm: 4, cold: 6 },
  { path: '/api/v1/svc/accounts/{alice}/favourites?limit=20', entries: 20, warm: 4, cold: 6 },
  // The account of the path, the page, versions and counters; then the body of the one account.
  { path: '/api/v1/svc/accounts/{alice}/scrobbles?limit=1', entries: 1, warm: 3, cold: 4 },
  { path: '/api/v1/svc/accounts/{alice}/scrobbles?limit=20', entries: 20, warm: 3, cold: 4 },
  { path: '/api/v1/bookmarks?limit=1', entries: 1, warm: 3, cold: 5 },
  { path: '/api/v1/bookmarks?limit=20', entries: 20, warm: 3, cold: 5 },
  { path: '/api/v1/accounts/{alice}/statuses?pinned=true', entries: 10, warm: 4, cold: 6 },
  // The visibility of the status, the page, versions and counters; then the bodies.
  { path: '/api/v1/statuses/{root}/favourited_by?limit=1', entries: 1, warm: 3, cold: 4 },
  { path: '/api/v1/statuses/{root}/favourited_by?limit=20', entries: 20, warm: 3, cold: 4 },
  { path: '/api/v1/statuses/{root}/reblogged_by?limit=1', entries: 1, warm: 3, cold: 4 },
  { path: '/api/v1/statuses/{root}/reblogged_by?limit=20', entries: 20, warm: 3, cold: 4 },
  // The account of the path, and a page that brings versions and counters; then the bodies.
  { path: '/api/v1/accounts/{alice}/followers?limit=1', entries: 1, warm: 2, cold: 3 },
  { path: '/api/v1/accounts/{alice}/followers?limit=20', entries: 20, warm: 2, cold: 3 },
  { path: '/api/v1/accounts/{alice}/following?limit=1', entries: 1, warm: 2, cold: 3 },
  { path: '/api/v1/accounts/{alice}/following?limit=20', entries: 20, warm: 2, cold: 3 },
  { path: '/api/v1/accounts/{alice}/following?limit=20&with_relationships=true', entries: 20, warm: 3, cold: 4 },
  { path: '/api/v1/accounts/{alice}/endorsements?limit=1', entries: 1, warm: 2, cold: 3 },
  { path: '/api/v1/accounts/{alice}/endorsements?limit=40', entries: 40, warm: 2, cold: 3 },
  { path: '/api/v1/svc/accounts/{alice}/endorsements?limit=40', entries: 40, warm: 2, cold: 3, as: 'anonymous' },
  // Lists of the caller: a page with versions and counters; the bodies; the relationships.
  { path: '/api/v1/endorsements?limit=1', entries: 1, warm: 1, cold: 2, as: 'alice' },
  { path: '/api/v1/endorsements?limit=40', entries: 40, warm: 1, cold: 2, as: 'alice' },
  { path: '/api/v1/follow_requests?limit=1', entries: 1, warm: 1, cold: 2, as: 'late' },
  { path: '/api/v1/follow_requests?limit=40', entries: 40, warm: 1, cold: 2, as: 'late' },
  { path: '/api/v1/blocks?limit=1', entries: 1, warm: 1, cold: 2, as: 'late' },
  { path: '/api/v1/blocks?limit=40&with_relationships=true', entries: 40, warm: 2, cold: 3, as: 'late' },
  { path: '/api/v1/mutes?limit=1', entries: 1, warm: 1, cold: 2, as: 'late' },
  { path: '/api/v1/mutes?limit=40&with_relationships=true', entries: 40, warm: 2, cold: 3, as: 'late' },
  { path: '/api/v1/domain_blocks?limit=1', entries: 1, warm: 1, cold: 1, as: 'late' },
  { path: '/api/v1/domain_blocks?limit=40', entries: 40, warm: 1, cold: 1, as: 'late' },
  { path: '/api/v1/directory?limit=1', entries: 1, warm: 1, cold: 2 },
  { path: '/api/v1/directory?limit=40', entries: 40, warm: 1, cold: 2 },
  { path: '/api/v1/directory?limit=40&order=new', entries: 40, warm: 1, cold: 2, as: 'anonymous' },
  { path: '/api/v2/suggestions?limit=1', entries: 1, warm: 1, cold: 2, as: 'alice' },
  { path: '/api/v2/suggestions?limit=40', entries: 40, warm: 1, cold: 2, as: 'alice' },
  // The account with the handle; other matches.
  { path: '/api/v1/accounts/search?q=fan1&limit=1', entries: 1, warm: 2, cold: 3 },
  { path: '/api/v1/accounts/search?q=fan&limit=40', entries: 40, warm: 2, cold: 3, as: 'anonymous' },
  { path: '/api/v1/accounts/search?q=fan&limit=40&with_relationships=true', entries: 40, warm: 3, cold: 4 },
  // The account with the handle; other matches; newest posts, and all with the words if these are too few; tags; details.
  { path: '/api/v2/search?q=tea&type=statuses&limit=1', entries: 1, warm: 3, cold: 5 },
  { path: '/api/v2/search?q=tea&type=statuses&limit=20', entries: 20, warm: 3, cold: 5 },
  { path: '/api/v2/search?q=%22a+root%22&type=statuses', entries: 1, warm: 3, cold: 5 },
  { path: '/api/v2/search?q=tea&type=statuses&limit=40', entries: 20, warm: 3, cold: 5 },
  { path: '/api/v2/search?q=tea&type=statuses&limit=20&account_id={alice}', entries: 20, warm: 3, cold: 5 },
  { path: '/api/v2/search?q=tea&type=hashtags', entries: 1, warm: 3, cold: 3 },
  { path: '/api/v2/search?q=number&type=hashtags', entries: 20, warm: 3, cold: 3 },
  { path: '/api/v2/search?q=fan&type=accounts&limit=40', entries: 40, warm: 2, cold: 3 },
  { path: '/api/v1/search?q=tea', entries: 21, warm: 6, cold: 8 },
  // The accounts with versions and counters, and their bodies: fans, who all follow one another.
  { path: '/api/v1/accounts/familiar_followers?{oneId}', entries: 1, warm: 1, cold: 2, as: 'alice' },
  { path: '/api/v1/accounts/familiar_followers?{manyIds}', entries: 20, warm: 1, cold: 2, as: 'alice' },
  { path: '/api/v1/accounts/relationships?{oneId}', entries: 1, warm: 1, cold: 1 },
  { path: '/api/v1/accounts/relationships?{manyIds}', entries: 20, warm: 1, cold: 1 },
  { path: '/api/v1/accounts/{alice}', warm: 1, cold: 2 },
  { path: '/api/v1/accounts/{alice}?with_relationships=true', warm: 2, cold: 3 },
  { path: '/api/v1/accounts/lookup?acct=alice', warm: 1, cold: 2 },
  { path: '/api/v1/svc/birthdays?day=1&month=1', entries: 1, warm: 1, cold: 2, as: 'alice' },
  { path: '/api/v1/svc/birthdays?day=2&month=2', entries: 39, warm: 1, cold: 2, as: 'alice' },
  // The fields for the owner, and the numbers of unread notifications and conversations.
  { path: '/api/v1/accounts/verify_credentials', warm: 3, cold: 3 },
  { path: '/api/v1/scheduled_statuses?limit=1', entries: 1, warm: 1, cold: 1 },
  { path: '/api/v1/scheduled_statuses?limit=40', entries: 40, warm: 1, cold: 1 },
  // The page; the participants; the accounts of the last posts and the actions of the viewer; the bodies.
  { path: '/api/v1/conversations?limit=1', entries: 1, warm: 4, cold: 7 },
  { path: '/api/v1/conversations?limit=40', entries: 40, warm: 4, cold: 7 },
  { path: '/api/v1/svc/conversations/{talk}', warm: 4, cold: 7 },
  // The owner, the page, the accounts and the actions of the viewer; the bodies.
  { path: '/api/v1/svc/conversations/{talk}/statuses', entries: 1, warm: 4, cold: 6 },
  { path: '/api/v1/timelines/direct?limit=1', entries: 1, warm: 3, cold: 5 },
  { path: '/api/v1/timelines/direct?limit=40', entries: 40, warm: 3, cold: 5 },
  // The page; the accounts that acted; the accounts of the statuses and the actions of the viewer; the bodies of each.
  { path: '/api/v1/notifications?limit=1', entries: 1, warm: 4, cold: 7 },
  { path: '/api/v1/notifications?limit=40', entries: 40, warm: 4, cold: 7 },
  { path: '/api/v1/notifications?limit=20&types[]=follow', entries: 20, warm: 2, cold: 3 },
  { path: '/api/v1/notifications/{notification}', warm: 4, cold: 7 },
  { path: '/api/v1/notifications/unread_count', warm: 1, cold: 1 },
  { path: '/api/v2/notifications?limit=1', warm: 4, cold: 7 },
  { path: '/api/v2/notifications?limit=40', warm: 4, cold: 7 },
  { path: '/api/v2/notifications/unread_count', warm: 1, cold: 1 },
  { path: '/api/v2/notifications/policy', warm: 2, cold: 2 },
  // The list of lists takes one statement; for a single list, its owner is checked first.
  { path: '/api/v1/lists', entries: 2, warm: 1, cold: 1 },
  { path: '/api/v1/lists/{few}/accounts', entries: 1, warm: 2, cold: 3 },
  { path: '/api/v1/lists/{list}/accounts?limit=40', entries: 40, warm: 2, cold: 3 },
  { path: '/api/v1/accounts/{alice}/lists', entries: 2, warm: 2, cold: 2 },
  { path: '/api/v1/markers?timeline[]=home&timeline[]=notifications', warm: 2, cold: 2 },
];

describe('the statements of a request', () => {
  const app = useApp({ once: ['reader', 'late', 'alice', 'bob'] });
  /** What the names in the paths stand for. */
  const named: Record<string, string> = {};

  beforeAll(async () => {
    await app.sql('update accounts set hide_favorites = false'); // they are hidden by default
    await app.world.follow('reader', 'alice');
    await app.world.follow('reader', 'bob');
    await app.world.follow('late', 'bob');
    await app.drain();
    await makeTimelines();
    await makePeople();
    await makeRelations();
    await makeNotifications();
    await makeLists();
    await makeTalks();
    await noteActivity();
  });

  /** A feed of plain posts, replies with mentions and tags, and boosts; the reader favourites half of them. */
  async function makeTimelines(): Promise<void> {
    const [alice, bob] = await Promise.all([app.world.as('alice'), app.world.as('bob')]);
    const idOf = async (request: supertest.Test) => ((await request.expect(200)).body as { id: string }).id;
    const post = (status: string, options = {}) => idOf(alice.post('/api/v1/statuses', { status, ...options }));
    const root = await post('a root');
    const answered = await post('a question');
    await post('an answer', { in_reply_to_id: answered });
    const [plain] = await makeStatuses(app, 'alice', 1);
    const feed: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      feed.push(await post(`@bob look at #tea and #number${round}`, { in_reply_to_id: root }));
      const [stranger] = await makeStatuses(app, round % 2 === 0 ? 'late' : 'reader', 1);
      feed.push(round % 2 === 0 ? await idOf(bob.post(`/api/v1/statuses/${stranger}/reblog`)) : stranger!);
    }
    await makeStatuses(app, 'bob', 14);
    await app.sql('delete from home_feed');
    await fillFeed(app, 'reader', feed);
    await app.sql(`update users set feed_floor = '~' where account_id = $1`, [app.world.id('late')]);
    await app.sql(
      `insert into favourites (account_id, status_id)
       select $1, id from statuses where id = any($2::text[]) and in_reply_to_id is not null`,
      [app.world.id('reader'), feed],
    );
    await makeBookmarks(app, app.world.id('reader'), feed);
    await app.sql(
      `insert into pins (status_id, account_id) select id, author_id from statuses
       where author_id = $1 and in_reply_to_id is not null order by id desc limit 10`,
      [app.world.id('alice')],
    );
    const own = feed.filter((_, at) => at % 2 === 0);
    await shareCard(app, 'https://pages.test/', own);
    const boost = feed.findLast((_, at) => at % 4 === 1);
    await app.sql('update accounts set discoverable = true where id = $1', [app.world.id('alice')]);
    await app.get(TagsService).count();
    Object.assign(named, { root, answered, plain, boost, oldest: feed[0], alice: app.world.id('alice') });
  }

  /** Alice follows and is followed by many accounts, which all favourite and boost her first post. */
  async function makePeople(): Promise<void> {
    const [alice, root] = [app.world.id('alice'), named['root']!];
    const ids = await makeFans(app, FANS);
    await makeFollows(app, ids, alice);
    await makeFollows(app, alice, ids);
    await app.sql(
      `update accounts set show_birthday = true, birthday = case when id = $2 then '1990-01-01' else '1990-02-02' end::date
       where id = any($1::text[])`,
      [ids, ids[0]],
    );
    await makeFavourites(app, ids, root);
    await app.sql(`insert into scrobbles (account_id, title) select $1, n from generate_series(1, 20) n`, [alice]);
    await app.sql(
      `insert into favourites (account_id, status_id)
       select $1, id from statuses where author_id = $1 and reblog_of_id is null`,
      [alice],
    );
    await makeReblogs(app, ids, root);
    const query = (count: number) =>
      ids
        .slice(0, count)
        .map((id) => `id[]=${id}`)
        .join('&');
    Object.assign(named, { oneId: query(1), manyIds: query(20) });
  }

  /** Alice endorses her fans, who follow one another; others ask to follow late, who blocks and mutes them and blocks servers. */
  async function makeRelations(): Promise<void> {
    await makeEndorsements(app, app.world.id('alice'));
    await app.sql(
      `insert into follows (follower_id, followee_id)
       select one.id, other.id from accounts one join accounts other on one.id <> other.id
       where one.domain = 'fans.test' and other.domain = 'fans.test'`,
    );
    const others = await makeFans(app, FANS, 'others.test');
    await makeAdversaries(app, app.world.id('late'), others);
    await app.sql('update accounts set discoverable = true where id = any($1)', [others]);
    await app.sql('insert into suggested_accounts (account_id) select unnest($1::text[])', [others]);
  }

  /** The reader has notifications of follows and posts, mostly in turn; the last one is of a post. */
  async function makeNotifications(): Promise<void> {
    await app.sql('delete from notifications');
    await app.sql(
      `insert into notifications (receiver_id, type, from_id, status_id)
       select $1, type, from_id, status_id from (
         select 'follow' as type, id as from_id, null as status_id, id as at from accounts where domain is not null
         union all select 'status', author_id, id, id from statuses where author_id in ($2, $3) and reblog_of_id is null
       ) told order by status_id is not null and status_id = $4, right(at, 3)`,
      [app.world.id('reader'), app.world.id('alice'), app.world.id('bob'), named['plain']],
    );
    const [last] = await app.sql<{ id: string }>('select max(id) as id from notifications');
    await app.sql(`insert into markers (account_id, timeline, last_read_id) values ($1, 'notifications', 1)`, [
      app.world.id('reader'),
    ]);
    named['notification'] = last!.id;
  }

  /** A list with Alice alone, and one with many more accounts. */
  async function makeLists(): Promise<void> {
    const fans = await app.sql<{ id: string }>('select id from accounts where domain is not null');
    await makeFollows(
      app,
      app.world.id('reader'),
      fans.map((fan) => fan.id),
    );
    for (const [name, everybody] of Object.entries({ few: false, list: true })) {
      const [list] = await app.sql<{ id: string }>(
        'insert into lists (account_id, title) values ($1, $2) returning id',
        [app.world.id('reader'), name],
      );
      await app.sql(
        `insert into list_members (list_id, account_id, follow_id)
         select $1, followee_id, id from follows where follower_id = $2 and (followee_id = $3 or $4)`,
        [list!.id, app.world.id('reader'), app.world.id('alice'), everybody],
      );
      named[name] = list!.id;
    }
    await app.sql('insert into followed_tags (account_id, hashtag_id) select $1, id from hashtags', [
      app.world.id('reader'),
    ]);
  }

  async function makeTalks(): Promise<void> {
    await makeConversations(app, 'bob', 'reader', 40);
    const [first] = await app.sql<{ id: string }>('select min(id) as id from conversation_participants');
    named['talk'] = first!.id;
    await app.sql(
      `insert into scheduled_statuses (account_id, scheduled_at, options)
       select $1, now() + interval '1 day', '{"text":"later"}' from generate_series(1, 40)`,
      [app.world.id('reader')],
    );
  }

  const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => named[name]!);

  /** The statements of a request without the one that resolves the caller. Checks the number of entries. */
  async function statementsOf(pinned: Pinned, nest = app.nest): Promise<string[]> {
    const { as: caller = 'reader', path, entries } = pinned;
    const request = supertest(nest.getHttpServer()).get(fill(path));
    if (caller !== 'anonymous') void request.auth((await app.world.as(caller)).token, { type: 'bearer' });
    const { result, statements } = await countQueries(async () => request.expect(200));
    if (entries !== undefined) expect(entriesOf(result.body)).toHaveLength(entries);
    const others = statements.filter((name) => name !== RESOLVE);
    expect(statements.length - others.length).toBeLessThanOrEqual(caller === 'anonymous' ? 0 : 1);
    return others;
  }

  function entriesOf(body: unknown): unknown[] {
    return Array.isArray(body) ? body : Object.values(body as Record<string, unknown[]>).flat();
  }

  const titled = PINNED.map((pinned) => ({ caller: pinned.as ?? 'reader', ...pinned }));
  it.each(titled)('to $path by $caller are $warm, or $cold with empty caches', async (pinned) => {
    await app.dropBodies();
    expect(await statementsOf(pinned)).toHaveLength(pinned.cold);
    app.invalidateReads();
    expect(await statementsOf(pinned)).toHaveLength(pinned.warm);
  });

  it.each(CACHED)('to %s are none again until something changes', async (path) => {
    await statementsOf({ path, warm: 0, cold: 0 });
    expect(await statementsOf({ path, warm: 0, cold: 0 })).toEqual([]);
  });

  it('to a thread that somebody else has just read are one about hidden authors, and one about the state of the viewer', async () => {
    app.invalidateReads();
    const late = { path: '/api/v1/statuses/{root}/context', entries: 20, warm: 0, cold: 0, as: 'late' } as const;
    await statementsOf({ path: late.path, warm: 0, cold: 0 });
    expect(await statementsOf(late)).toEqual(['statuses.hidden_authors', 'statuses.viewer']);
    expect(await statementsOf(late)).toEqual([]);
  });

  /** Notes the activity of all users in advance: once an hour a request takes further statements for it. */
  async function noteActivity(): Promise<void> {
    for (const name of ['reader', 'late', 'alice']) {
      const { token } = await app.world.as(name);
      await app.http.get('/api/v1/accounts/relationships').auth(token, { type: 'bearer' });
    }
  }

  it('that is the first in an hour note the activity of its user, in one unit of work', async () => {
    const cold = await createApp(app.env, app.address);
    try {
      const path = '/api/v1/accounts/relationships?{oneId}';
      const statements = await statementsOf({ path, entries: 1, warm: 1, cold: 4 }, cold);
      expect(statements).toEqual(['begin', 'users.touch_activity', 'commit', 'relationships.facts']);
    } finally {
      await cold.close();
    }
  });
});
