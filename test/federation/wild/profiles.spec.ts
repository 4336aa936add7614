import type { AccountJson } from '../../../src/accounts/index.js';
import type { PostJson } from '../../../src/statuses/index.js';
import { newKey, type RawActor, RawPeer } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

type Json = Readonly<Record<string, unknown>>;

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** What a profile shows of an account that somebody here looks up for the first time. */
describe('The profile of an account that is looked up', () => {
  let peer: RawPeer;
  let app: TestApp;
  let ada: Client;
  let mo: RawActor;
  let turn = 0;
  const key = newKey();

  beforeAll(async () => {
    peer = await RawPeer.start();
    app = await startApp({ ALLOWED_PRIVATE_ADDRESSES: `127.0.0.1:${peer.port}` });
    await app.world.person('ada');
    ada = await app.world.as('ada');
  });
  afterAll(async () => {
    await app.close();
    await peer.close();
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
    return (body as PostJson[]).map(({ svc }) => (svc.content as Json)['text/plain']);
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
    const uris = ['n5', 'n3', 'n4'].map((path) => note(path));
    serve('featured', { type: 'OrderedCollection', ...form(uris) });
    expect(await texts({ pinned: true })).toEqual(['n5', 'n3', 'n4']);
  });
});
