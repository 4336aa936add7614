import { type AccountJson, FollowsService } from '../../../src/accounts/index.js';
import type { PlainStatusJson } from '../../../src/statuses/index.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** What a profile shows of an account that somebody here looks up for the first time. */
describe('The profile of an account that is looked up', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let ada: Client;
  let mo: RawActor;
  let turn = 0;
  const key = newKey();

  beforeAll(async () => {
    ada = await app.world.as('ada');
  });
  beforeEach(() => {
    const uri = `${peer.url}/users/mo${(turn += 1)}`;
    mo = peer.actor(`mo${turn}`, key, { outbox: `${uri}/outbox`, featured: `${uri}/featured` });
  });

  const url = (path: string) => `${mo.uri}/${path}`;
  const serve = (path: string, document: Json) => {
    peer.answers.set(new URL(url(path)).pathname, { id: url(path), ...document });
    return url(path);
  };
  const note = (path: string, changes: Json = {}) => {
    const published = new Date(Date.UTC(2024, 1, 1, 0, 0, Number(path.slice(1)))).toISOString();
    return serve(path, { type: 'Note', attributedTo: mo.uri, content: path, to: [PUBLIC], published, ...changes });
  };
  async function profile(): Promise<AccountJson> {
    const { body } = await ada.get('/api/v1/accounts/search', { q: mo.uri, resolve: true }).expect(200);
    await app.drain();
    const [{ id }] = body as [AccountJson];
    return (await ada.get(`/api/v1/accounts/${id}`).expect(200)).body as AccountJson;
  }
  async function texts(options: Json = {}): Promise<unknown[]> {
    const { id } = await profile();
    const { body } = await ada.get(`/api/v1/accounts/${id}/statuses`, options).expect(200);
    return (body as PlainStatusJson[]).map(({ svc }) => (svc.content as Json)['text/plain']);
  }
  const create = (path: string) => ({ id: `${url(path)}#create`, type: 'Create', actor: mo.uri, object: url(path) });

  it.each<[string, () => unknown[]]>([
    ['activities', () => [create('n2'), create('n1')]],
    ['posts by their addresses', () => [url('n2'), url('n1')]],
    [
      'activities by their addresses',
      () => ['n2', 'n1'].map((n) => serve(`${n}/activity`, { ...create(n), id: url(`${n}/activity`) })),
    ],
    ['posts of others too', () => [create('n2'), url('o9'), create('n1')]],
  ])('shows the posts of an outbox of %s', async (_what, items) => {
    note('n1');
    note('n2');
    const other = peer.actor(`other${turn}`, key);
    note('o9', { attributedTo: other.uri });
    serve('outbox', { type: 'OrderedCollection', orderedItems: items() });
    expect(await texts()).toEqual(['n2', 'n1']);
    expect(await app.sql('select from statuses where uri = $1', [url('o9')])).toEqual([]);
  });

  it.each<[string, (uris: readonly string[]) => Json]>([
    ['in one collection', (uris) => ({ orderedItems: uris })],
    ['as documents', (uris) => ({ orderedItems: uris.map((id) => ({ id, type: 'Note' })) })],
    [
      'on pages',
      ([first, ...others]) => {
        const next = serve('featured2', { type: 'OrderedCollectionPage', orderedItems: others });
        return { first: { type: 'OrderedCollectionPage', orderedItems: [first], next } };
      },
    ],
  ])('shows all pins %s, the latest first', async (_how, form) => {
    const names = ['n5', 'n3', 'n4', 'n8', 'n6', 'n9', 'n7']; // more than an account here may pin
    serve('featured', { type: 'OrderedCollection', ...form(names.map((path) => note(path))) });
    expect(await texts({ pinned: true })).toEqual(names);
  });

  it('fetches no featured hashtags', async () => {
    serve('featured', { orderedItems: [{ type: 'Hashtag', id: url('tea'), name: '#tea' }, note('n1')] });
    expect(await texts({ pinned: true })).toEqual(['n1']);
    expect(peer.asked(new URL(url('tea')).pathname)).toBe(0);
  });

  it.each<[string, (uris: readonly string[]) => Json]>([
    ['without an id', (orderedItems) => ({ type: 'OrderedCollection', orderedItems })],
    ['with an id that is not served', (items) => ({ id: url('unserved'), type: 'Collection', items })],
    ['with pages', (items) => ({ first: serve('page1', { type: 'OrderedCollectionPage', orderedItems: items }) })],
    ['of documents', (uris) => ({ orderedItems: uris.map((id) => ({ id, type: 'Note' })) })],
  ])('shows pins and posts of collections that are embedded in the actor, %s', async (_how, form) => {
    const uris = ['n5', 'n3', 'n4'].map((path) => note(path));
    const size = (totalItems: number) => ({ type: 'Collection', totalItems });
    mo = peer.actor(`mo${turn}`, key, {
      featured: form(uris),
      outbox: { ...form(uris), totalItems: 9 },
      ...{ followers: size(7), following: size(8) },
    });
    expect(await texts({ pinned: true })).toEqual(['n5', 'n3', 'n4']);
    expect(await texts()).toEqual(['n5', 'n4', 'n3']);
    expect(await profile()).toMatchObject({ statuses_count: 9, followers_count: 7, following_count: 8 });
  });

  it('has the number of posts that its server states, plus one for each new post', async () => {
    note('n1');
    serve('outbox', { type: 'OrderedCollection', totalItems: 2, orderedItems: [create('n1')] });
    const { id } = await profile();
    const count = async () =>
      ((await ada.get(`/api/v1/accounts/${id}`).expect(200)).body as AccountJson).statuses_count;
    expect(await count()).toBe(2);
    for (const path of ['n2', 'n3']) await ada.get('/api/v2/search', { q: note(path), resolve: true }).expect(200);
    expect(await count()).toBe(2);
    const object = { id: url('n4'), type: 'Note', attributedTo: mo.uri, content: 'new', to: [PUBLIC] };
    const cc = [`${app.env.baseUrl}/users/ada`];
    await sendTo(app, mo, { id: `${url('n4')}#create`, type: 'Create', object: { ...object, cc } });
    expect(await count()).toBe(3);
    await sendTo(app, mo, { id: `${url('n4')}#delete`, type: 'Delete', object: url('n4') });
    expect(await count()).toBe(2);
  });

  it.each<[string, Json, [number, number]]>([
    ['stated as collections', { likes: { type: 'Collection', totalItems: 50 }, shares: { totalItems: 7 } }, [50, 7]],
    ['stated as numbers', { likes: 50, shares: 7 }, [50, 7]],
    ['stated in part', { shares: { totalItems: 7 } }, [0, 7]],
    ['not stated', { likes: 'https://far.example/likes', shares: 'https://far.example/shares' }, [0, 0]],
    ['stated as nonsense', { likes: { totalItems: 1e18 }, shares: { totalItems: -5 } }, [2_000_000_000, 0]],
  ])('shows the favourites and boosts of a post, %s', async (_how, counts, [favourites, reblogs]) => {
    const uri = note('n1', counts);
    const { body } = await ada.get('/api/v2/search', { q: uri, resolve: true }).expect(200);
    expect((body as { statuses: unknown[] }).statuses).toMatchObject([
      { favourites_count: favourites, reblogs_count: reblogs },
    ]);
    const [{ id }] = (body as { statuses: [PlainStatusJson] }).statuses;
    const { body: favourited } = await ada.post(`/api/v1/statuses/${id}/favourite`).expect(200);
    expect(favourited).toMatchObject({ favourites_count: favourites + 1 });
  });

  it('counts a boost once when the server of the boosted post already states the number', async () => {
    await app.get(FollowsService).follow(app.world.id('ada'), (await profile()).id, {});
    await app.sql('update follows set state = 1');
    const other = peer.actor(`author${turn}`, newKey());
    const uri = `${other.uri}/n1`;
    const stated = { attributedTo: other.uri, content: 'n1', to: [PUBLIC], shares: { totalItems: 7 } };
    peer.answers.set(new URL(uri).pathname, { id: uri, type: 'Note', ...stated });
    const boost = (name: string, object: string) =>
      sendTo(app, mo, { id: `${mo.uri}/${name}`, type: 'Announce', to: [PUBLIC], object });
    await boost('b1', uri);
    const count = async () => {
      const [row] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [uri]);
      return ((await ada.get(`/api/v1/statuses/${row!.id}`).expect(200)).body as PlainStatusJson).reblogs_count;
    };
    expect(await count()).toBe(7);
    const [row] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [uri]);
    await ada.post(`/api/v1/statuses/${row!.id}/reblog`).expect(200);
    expect(await count()).toBe(8);
  });

  it('adds local actions to the counts that the server of a post states', async () => {
    const uri = note('n1', { likes: { totalItems: 50 } });
    const search = async () => {
      const { body } = await ada.get('/api/v2/search', { q: uri, resolve: true }).expect(200);
      return (body as { statuses: [PlainStatusJson] }).statuses[0];
    };
    const { id } = await search();
    const act = async (action: string) =>
      ((await ada.post(`/api/v1/statuses/${id}/${action}`).expect(200)).body as PlainStatusJson).favourites_count;
    expect(await act('favourite')).toBe(51);
    expect(await act('unfavourite')).toBe(50);
    note('n1', { likes: { totalItems: 0 } });
    expect((await search()).favourites_count).toBe(0);
    expect(await act('favourite')).toBe(1);
    note('n1');
    expect((await search()).favourites_count).toBe(1);
  });
});
