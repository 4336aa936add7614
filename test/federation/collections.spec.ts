import { SettingsService } from '../../src/config/index.js';
import { makeFans, makeFollows, makeStatuses } from '../support/fixtures/factories.js';
import { ok, post, reblog } from '../support/fixtures/statuses.js';
import { countQueries } from '../support/queries.js';
import { rowsRead, type Value } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';
import type { Client } from '../support/fixtures/world.js';

type Document = Record<string, unknown> & { orderedItems: Record<string, unknown>[]; next?: string; first?: string };

const ALICE = 'https://svc.test/users/alice';

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const pathOf = (uri = '') => uri.replace('https://svc.test', '');
const fetched = (uri: string) => ok<Document>(app.world.anonymous.get(pathOf(uri)));

describe('an outbox', () => {
  it('lists public posts page by page, the latest first, and omits followers-only posts', async () => {
    const ids = await makeStatuses(app, 'alice', 25);
    await makeStatuses(app, 'alice', 3, { visibility: 2 });
    const overview = await fetched(`${ALICE}/outbox`);
    expect(overview).toMatchObject({ id: `${ALICE}/outbox`, type: 'OrderedCollection' });
    expect(overview).not.toHaveProperty('orderedItems');
    const first = await fetched(overview.first!);
    const second = await fetched(first.next!);
    expect(second).not.toHaveProperty('next');
    const shown = [...first.orderedItems, ...second.orderedItems].map(({ object }) => (object as { id: string }).id);
    expect(shown).toEqual(ids.toReversed().map((id) => `https://svc.test/objects/${id}`));
    expect(first.orderedItems[0]).toMatchObject({ type: 'Create', actor: ALICE, object: { type: 'Note' } });
  });

  it('shows a boost of a public post until it is undone', async () => {
    const { id, uri } = await post(app, 'bob', 'look');
    const boost = await reblog(app, 'alice', id);
    const [row] = await app.sql<{ uri: string }>('select uri from statuses where id = $1', [boost.id]);
    const announce = { id: row?.uri, type: 'Announce', actor: ALICE, object: uri };
    expect((await fetched(`${ALICE}/outbox?page=true`)).orderedItems).toMatchObject([announce]);
    expect(await fetched(row!.uri)).toMatchObject(announce);
    await ok(alice.post(`/api/v1/statuses/${id}/unreblog`));
    await app.http.get(pathOf(row!.uri)).expect(404);
  });
});

describe('a followers or following collection', () => {
  beforeEach(async () => {
    const fans = await makeFans(app, 12);
    await makeFollows(app, fans, app.world.id('alice'));
    await makeFollows(app, app.world.id('alice'), fans);
    await app.sql('update account_stats set followers_count = 12, following_count = 12 where account_id = $1', [
      app.world.id('alice'),
    ]);
  });

  it.each(['followers', 'following'])('lists its accounts page by page: %s', async (which) => {
    const overview = await fetched(`${ALICE}/${which}`);
    expect(overview).toMatchObject({ type: 'OrderedCollection', totalItems: 12, first: `${ALICE}/${which}?page=true` });
    const first = await fetched(overview.first!);
    expect(first).toMatchObject({ id: overview.first, totalItems: 12 });
    await app.world.follow('bob', 'alice');
    await app.world.follow('alice', 'bob'); // meanwhile
    const second = await fetched(first.next!);
    expect(second['id']).toBe(first.next);
    expect(second).not.toHaveProperty('next');
    expect(new Set([...first.orderedItems, ...second.orderedItems]).size).toBe(12);
    expect(first.orderedItems).toHaveLength(10);
    expect(second.orderedItems).toHaveLength(2);
  });

  it('finds the pages of older addresses by their numbers, and nothing on one that is far away', async () => {
    const [first, second] = [await fetched(`${ALICE}/followers?page=1`), await fetched(`${ALICE}/followers?page=2`)];
    const { next } = await fetched(`${ALICE}/followers?page=true`);
    expect(first).toMatchObject({ id: `${ALICE}/followers?page=1`, next });
    expect(second.orderedItems).toEqual((await fetched(next!)).orderedItems);
    const far = await countQueries(() => fetched(`${ALICE}/followers?page=20000`));
    expect(far.result).toMatchObject({ totalItems: 12, orderedItems: [] });
    expect(far.result).not.toHaveProperty('next');
    const values = far.values[far.statements.indexOf('federation.followers')] as readonly Value[];
    expect(await rowsRead(app, 'federation.followers', values)).toBe(0);
  });

  it('reads no more than the rows of a page', async () => {
    const { next } = await fetched(`${ALICE}/followers?page=true`);
    const second = await countQueries(() => fetched(next!));
    const values = second.values[second.statements.indexOf('federation.followers')] as readonly Value[];
    expect(await rowsRead(app, 'federation.followers', values)).toBe(2 * 2); // of follows, and of accounts
  });

  it.each([
    ['followers', 'hide_followers'],
    ['following', 'hide_follows'],
  ])('V11 hides its accounts, and also their number, when the owner chooses so: %s', async (which, column) => {
    await app.sql(`update accounts set ${column} = true where nickname = 'alice'`);
    expect(await fetched(`${ALICE}/${which}`)).toMatchObject({ totalItems: 12 });
    expect(await fetched(`${ALICE}/${which}`)).not.toHaveProperty('first');
    await app.http.get(pathOf(`${ALICE}/${which}?page=1`)).expect(403);
    await app.sql(`update accounts set ${column}_count = true where nickname = 'alice'`);
    expect(await fetched(`${ALICE}/${which}`)).not.toHaveProperty('totalItems');
  });

  it('V18 requires a signed-in user when the instance is not public', async () => {
    await app.get(SettingsService).update([{ path: 'instance.public', value: false }]);
    for (const name of ['followers', 'following', 'outbox', 'collections/featured'])
      await app.http.get(pathOf(`${ALICE}/${name}`)).expect(401);
  });
});

describe('the server', () => {
  it('lists the pinned posts of an account', async () => {
    const { id, uri } = await post(app, 'alice', 'look');
    await ok(alice.post(`/api/v1/statuses/${id}/pin`));
    const featured = await fetched(`${ALICE}/collections/featured`);
    expect(featured).toMatchObject({ totalItems: 1, orderedItems: [{ id: uri, type: 'Note' }] });
  });

  it('lists the public posts of a conversation', async () => {
    const first = await post(app, 'alice', 'one');
    const second = await post(app, 'bob', 'two', { in_reply_to_id: first.id });
    await post(app, 'alice', 'three', { in_reply_to_id: first.id, visibility: 'private' });
    const { context } = await fetched(first.uri);
    const overview = await fetched(String(context));
    expect((await fetched(overview.first!)).orderedItems).toEqual([first.uri, second.uri]);
    await app.http.get('/contexts/00000000-0000-4000-8000-000000000000').expect(404);
  });

  it('lists the public replies to a post page by page, the oldest first', async () => {
    const parent = await post(app, 'alice', 'one');
    const first = await post(app, 'bob', 'two', { in_reply_to_id: parent.id });
    await post(app, 'alice', 'three', { in_reply_to_id: parent.id, visibility: 'private' });
    await post(app, 'bob', 'a reply to a reply', { in_reply_to_id: first.id });
    const { uri: second } = await post(app, 'bob', 'four', { in_reply_to_id: parent.id, visibility: 'unlisted' });
    const replies = `${parent.uri}/replies`;
    const embedded = { type: 'CollectionPage', partOf: replies, items: [first.uri, second] };
    expect((await fetched(parent.uri))['replies']).toEqual({
      ...{ id: replies, type: 'Collection', totalItems: 2, first: embedded },
    });
    const overview = await fetched(replies);
    expect(overview).toMatchObject({ id: replies, type: 'OrderedCollection' });
    expect(await fetched(overview.first!)).toMatchObject({ partOf: replies, orderedItems: [first.uri, second] });
    expect((await fetched(`${overview.first!}&min_id=${first.id}`)).orderedItems).toEqual([second]);
    expect((await fetched(`${first.uri}/replies?page=true`)).orderedItems).toHaveLength(1);
    expect((await fetched(`${second}/replies?page=true`)).orderedItems).toEqual([]);
  });

  it('hides the replies to posts that are not public', async () => {
    const parent = await post(app, 'alice', 'one', { visibility: 'private' });
    await post(app, 'alice', 'two', { in_reply_to_id: parent.id });
    await app.http.get(pathOf(`${parent.uri}/replies`)).expect(404);
    await app.http.get('/objects/00000000-0000-4000-8000-000000000000/replies?page=true').expect(404);
  });

  it('serves the Create activity of a post until the post is deleted', async () => {
    const { id, uri } = await post(app, 'alice', 'one');
    const create = await fetched(`${uri}/activity`);
    expect(create).toMatchObject({ id: `${uri}/activity`, type: 'Create', object: { id: uri } });
    expect(await fetched(`${ALICE}/statuses/${id}/activity`)).toEqual(create);
    await ok(alice.delete(`/api/v1/statuses/${id}`));
    await app.http.get(pathOf(`${uri}/activity`)).expect(410);
  });

  it('hides stored activities that are not public', async () => {
    await app.sql(
      `insert into activities (uri, account_id, type, body) values
         ('https://svc.test/activities/open', $1, 'Add', '{"to":["https://www.w3.org/ns/activitystreams#Public"],"cc":[]}'),
         ('https://svc.test/activities/close', $1, 'Like', '{"to":["https://far.test/users/zoe"],"cc":[]}')`,
      [app.world.id('alice')],
    );
    await app.http.get('/activities/open').expect(200);
    await app.http.get('/activities/close').expect(404);
  });
});
