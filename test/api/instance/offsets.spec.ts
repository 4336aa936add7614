import type { ListJson } from '../../../src/accounts/index.js';
import type { GroupedNotificationsJson } from '../../../src/notifications/index.js';
import type { ConversationJson, PlainStatusJson } from '../../../src/statuses/index.js';
import { makeChat } from '../../support/fixtures/chats.js';
import { makeAdversaries, makeBookmarks, makeEndorsements, makeFavourites } from '../../support/fixtures/factories.js';
import { operationsOf, readReference } from '../../support/fixtures/openapi.js';
import { countQueries } from '../../support/queries.js';
import { rowsRead, type Value } from '../../support/rows-read.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const POSTS = 6;

/** The first offset of an empty page. */
const TOO_FAR = 801;

const app = useApp({ once: ['alice', 'bob', 'carol'] });
let alice: Client;
let list = '';
let conversation = '';
/** Newest first. */
const open: string[] = [];
const direct: string[] = [];
const paths = new Map<string, string>();

beforeAll(async () => {
  await app.world.follow('alice', 'bob');
  alice = await app.world.as('alice');
  for (let made = 0; made < POSTS; made += 1) {
    const to = direct[0] === undefined ? {} : { in_reply_to_id: direct[0] };
    direct.unshift((await post(app, 'bob', '@alice', { visibility: 'direct', ...to })).id);
  }
  for (let made = 0; made < POSTS; made += 1) open.unshift((await post(app, 'bob', '#tea')).id);
  await app.drain();
  list = (await ok<ListJson>(alice.post('/api/v1/lists', { title: 'tea' }))).id;
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [app.world.id('bob')] }).expect(200);
  conversation = (await ok<ConversationJson[]>(alice.get('/api/v1/conversations')))[0]!.id;
  paths.set('home', '/api/v1/timelines/home');
  paths.set('public', '/api/v1/timelines/public');
  paths.set('public, one host', '/api/v1/timelines/public?instance=svc.test');
  paths.set('tag', '/api/v1/timelines/tag/tea');
  paths.set('list', `/api/v1/timelines/list/${list}`);
  paths.set('account', `/api/v1/accounts/${app.world.id('bob')}/statuses`);
  paths.set('direct', '/api/v1/timelines/direct');
  paths.set('conversation', `/api/v1/svc/conversations/${conversation}/statuses`);
});

const DIRECT = ['direct', 'conversation'];
const KINDS = ['home', 'public', 'public, one host', 'tag', 'list', 'account', ...DIRECT];

describe('an offset', () => {
  const page = async (kind: string, query: Record<string, string | number | undefined>) =>
    (await ok<PlainStatusJson[]>(alice.get(paths.get(kind)!, query))).map(({ id }) => id);

  it.each(KINDS)('skips posts of the page: %s', async (kind) => {
    const all = DIRECT.includes(kind) ? direct : open;
    expect(await page(kind, { offset: 1, limit: 2 })).toEqual(all.slice(1, 3));
    expect(await page(kind, { offset: 1, limit: 2, max_id: all[1] })).toEqual(all.slice(3, 5));
    expect(await page(kind, { offset: 1, limit: 2, min_id: all[4] })).toEqual(all.slice(1, 3));
    expect(await page(kind, { offset: 1, limit: 2, since_id: all[2] })).toEqual(all.slice(1, 2));
  });

  it.each(KINDS)('beyond any list gives an empty page: %s', async (kind) => {
    for (const offset of [100, 1_000_000_000]) expect(await page(kind, { offset })).toEqual([]);
  });
});

/** Lists that are no pages of rows by their ids: they end by themselves, or are for administrators. */
const OTHERS = [
  '/api/v1/timelines/link', // asks for a post where the page has none
  '/api/v1/directory',
  '/api/v1/svc/admin/announcements',
  '/api/v1/accounts/search',
  '/api/v1/search',
  '/api/v2/search',
  '/api/v1/trends',
  '/api/v1/trends/statuses',
  '/api/v1/trends/tags',
];

/** Routes of the reference, and what their paths name. */
const LISTS: readonly [route: string, name?: () => string][] = [
  ['/api/v1/accounts/{id}/endorsements', () => app.world.id('alice')],
  ['/api/v1/accounts/{id}/followers', () => app.world.id('alice')],
  ['/api/v1/accounts/{id}/following', () => app.world.id('alice')],
  ['/api/v1/accounts/{id}/statuses', () => app.world.id('bob')],
  ['/api/v1/blocks'],
  ['/api/v1/bookmarks'],
  ['/api/v1/conversations'],
  ['/api/v1/domain_blocks'],
  ['/api/v1/endorsements'],
  ['/api/v1/favourites'],
  ['/api/v1/follow_requests'],
  ['/api/v1/followed_tags'],
  ['/api/v1/lists/{id}/accounts', () => list],
  ['/api/v1/mutes'],
  ['/api/v1/notifications'],
  ['/api/v1/notifications/requests'],
  ['/api/v1/scheduled_statuses'],
  ['/api/v1/statuses/{id}/favourited_by', () => open[0]!],
  ['/api/v1/statuses/{id}/quotes', () => open[0]!],
  ['/api/v1/statuses/{id}/reblogged_by', () => open[0]!],
  ['/api/v1/svc/accounts/{id}/endorsements', () => app.world.id('alice')],
  ['/api/v1/svc/accounts/{id}/favourites', () => app.world.id('alice')],
  ['/api/v1/svc/accounts/{id}/scrobbles', () => app.world.id('alice')],
  ['/api/v1/svc/admin/chats/{chat_id}/messages', () => chat],
  ['/api/v1/svc/chats/{id}/messages', () => chat],
  ['/api/v1/svc/conversations/{id}/statuses', () => conversation],
  ['/api/v1/svc/statuses/{id}/quotes', () => open[0]!],
  ['/api/v1/timelines/direct'],
  ['/api/v1/timelines/home'],
  ['/api/v1/timelines/list/{list_id}', () => list],
  ['/api/v1/timelines/public'],
  ['/api/v1/timelines/tag/{hashtag}', () => 'tea'],
  ['/api/v2/notifications'],
  ['/api/v2/notifications/{group_key}/accounts', () => group],
  ['/api/v2/svc/chats'],
];
let chat = '';
let group = '';

describe('an offset of a list', () => {
  let reader: Client;

  beforeAll(async () => {
    const id = app.world.id('alice');
    await app.world.follow('bob', 'alice');
    await makeEndorsements(app, id);
    await makeAdversaries(app, id, [app.world.id('carol')]);
    await makeBookmarks(app, id, open);
    await makeFavourites(app, id, open);
    await app.sql('update accounts set hide_favorites = false');
    await app.sql('update users set is_admin = true where account_id = $1', [id]);
    await app.sql(`insert into scrobbles (account_id, title) values ($1, 'a song')`, [id]);
    await app.sql('insert into followed_tags (account_id, hashtag_id) select $1, id from hashtags', [id]);
    await app.sql('insert into notification_requests (receiver_id, from_id) values ($1, $2)', [
      id,
      app.world.id('bob'),
    ]);
    await app.sql(
      `insert into notifications (receiver_id, type, from_id, filtered) values ($1, 'follow_request', $2, true)`,
      [id, app.world.id('bob')],
    );
    reader = await app.world.as('alice', 'read', 'write', 'follow', 'admin');
    ({ chat } = await makeChat(app, 'alice', 'bob'));
    await ok(reader.post(`/api/v1/statuses/${open[0]!}/reblog`));
    await post(app, 'alice', 'look', { quote_id: open[0]! });
    await ok(reader.post('/api/v1/statuses', { status: 'later', scheduled_at: '2099-01-01T12:00:00Z' }));
    await app.drain();
    group = (await ok<{ group_key: string }[]>(reader.get('/api/v1/notifications')))[0]!.group_key;
  });

  it('is tried on each route that takes one', async () => {
    const routes = operationsOf(await readReference(app)).filter(({ operation: { parameters = [] } }) =>
      parameters.some((parameter) => 'name' in parameter && parameter.name === 'offset'),
    );
    const tried = [...OTHERS, ...LISTS.map(([route]) => route)];
    expect(routes.map(({ path }) => path).toSorted()).toEqual(tried.toSorted());
  });

  it.each(LISTS)('skips entries: %s', async (route, name) => {
    const entries = async (offset: number) =>
      entriesOf((await reader.get(pathOf(route, name), { limit: 40, offset }).expect(200)).body);
    expect(await entries(1)).toEqual((await entries(0)).slice(1));
  });

  it.each(LISTS)('H9 that is too far reads no row of it: %s', async (route, name) => {
    const path = pathOf(route, name);
    const page = (offset: number) => countQueries(async () => reader.get(path, { offset }).expect(200));
    app.invalidateReads();
    const near = await page(0);
    expect(entriesOf(near.result.body).length).toBeGreaterThan(0);
    const far = await page(TOO_FAR);
    expect(entriesOf(far.result.body)).toEqual([]);
    expect(far.result.get('link')).toBeUndefined();
    // Others look up what the path names.
    const lookups = near.statements.map((statement, at) => JSON.stringify([statement, near.values[at]]));
    for (const [at, statement] of far.statements.entries()) {
      const values = far.values[at] as readonly Value[];
      if (!near.statements.includes(statement) || lookups.includes(JSON.stringify([statement, values]))) continue;
      expect({ statement, rows: await rowsRead(app, statement, values) }).toEqual({ statement, rows: 0 });
    }
  });
});

function pathOf(route: string, name?: () => string): string {
  return route.replace(/\{\w+\}/, name?.() ?? '');
}

function entriesOf(body: unknown): unknown[] {
  return Array.isArray(body) ? body : (body as GroupedNotificationsJson).notification_groups;
}
