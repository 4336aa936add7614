import { newKey, type RawActor, useBeside, usePeer } from '../support/federation/raw-peer.js';
import type { Client } from '../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;
type Served = Json | { readonly status: number };

describe('The followers and followees of an account of another server', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let ada: Client;
  let mo: RawActor;
  let names = 0;
  const key = newKey();

  beforeAll(async () => {
    ada = await app.world.as('ada');
  });
  beforeEach(() => {
    const uri = `${peer.url}/users/mo${(names += 1)}`;
    mo = peer.actor(`mo${names}`, key, { followers: `${uri}/followers`, following: `${uri}/following` });
    peer.seen.length = 0;
  });

  const path = (name: string) => `${new URL(mo.uri).pathname}/${name}`;
  /** Serves both collections, with `first` as the page that they name. */
  function serve(collection: Served, page?: Served): void {
    for (const name of ['followers', 'following']) {
      const served = JSON.parse(JSON.stringify(collection).replaceAll('PAGE', `${mo.uri}/${name}?page=1`)) as Served;
      peer.answers.set(path(name), served);
      if (page) peer.answers.set(`${path(name)}?page=1`, page);
    }
  }
  async function found() {
    await ada.get('/api/v2/search', { q: mo.uri, resolve: true }).expect(200);
    await app.drain();
    return shown();
  }
  async function shown() {
    const { body } = await ada.get('/api/v2/search', { q: mo.uri }).expect(200);
    const { svc } = (body as { accounts: [{ svc: Json }] }).accounts[0];
    const of = (name: string) => [svc[`hide_${name}`], svc[`hide_${name}_count`]];
    expect(of('followers')).toEqual(of('follows'));
    return of('followers');
  }
  const collection = { type: 'OrderedCollection', totalItems: 2 };
  const page = { type: 'OrderedCollectionPage', totalItems: 2 };
  const items = { orderedItems: ['https://far.example/users/eve'] };

  it.each<[string, Served, Served | undefined, boolean[]]>([
    ['refused', { status: 403 }, undefined, [true, false]],
    ['closed to strangers', { status: 401 }, undefined, [true, false]],
    ['without a page', collection, undefined, [true, false]],
    ['without a page and a number', { type: 'OrderedCollection' }, undefined, [true, true]],
    ['with a page that is refused', { ...collection, first: 'PAGE' }, { status: 403 }, [true, false]],
    ['with a page that is closed', { ...collection, first: 'PAGE' }, { status: 401 }, [true, false]],
    ['with items on a page', { ...collection, first: 'PAGE' }, { ...page, ...items }, [false, false]],
    [
      'with items on a page that is embedded',
      { ...collection, first: { ...page, ...items } },
      undefined,
      [false, false],
    ],
    ['with items of its own', { ...collection, ...items }, undefined, [false, false]],
    ['with an empty list', { ...collection, totalItems: 0, orderedItems: [] }, undefined, [false, false]],
    ['with a page that fails', { ...collection, first: 'PAGE' }, { status: 500 }, [false, false]],
    ['with a page elsewhere', { ...collection, first: 'https://far.example/page' }, undefined, [false, false]],
    ['that are gone', { status: 404 }, undefined, [false, false]],
    ['that fail', { status: 503 }, undefined, [false, false]],
    ['that answer with an error', { error: 'Not found' }, undefined, [false, false]],
    ['that are something else', { type: 'Note', content: 'tea' }, undefined, [false, false]],
  ])('are hidden here as their server hides them: %s', async (_how, served, first, hidden) => {
    serve(served, first);
    expect(await found()).toEqual(hidden);
  });

  /** Fetches the account again as often as it takes to ask for both collections. */
  async function refreshed(): Promise<void> {
    const asked = (name: string) => peer.asked(path(name));
    const before = [asked('followers'), asked('following')];
    for (let time = 0; time < 64; time += 1) {
      await app.sql(`update accounts set refreshed_at = now() - interval '2 days' where ap_id = $1`, [mo.uri]);
      const from = peer.seen.length;
      await ada.get('/api/v2/search', { q: mo.handle, resolve: true }).expect(200);
      await app.drain();
      expect(peer.seen.slice(from).filter((request) => /follow/.test(request)).length).toBeLessThanOrEqual(2);
      if (asked('followers') > before[0]! && asked('following') > before[1]!) return;
    }
    throw new Error('The server did not ask for both collections');
  }

  it.each<[string, Served, Served | undefined, boolean]>([
    ['shown again', { ...collection, first: 'PAGE' }, { ...page, ...items }, false],
    ['as they were when their page fails', { ...collection, first: 'PAGE' }, { status: 500 }, true],
    ['as they were when they fail', { status: 503 }, undefined, true],
  ])('are %s after the account is refreshed', async (_how, served, first, isHidden) => {
    serve(collection);
    expect((await found())[0]).toBe(true);
    serve(served, first);
    await refreshed();
    expect((await shown())[0]).toBe(isHidden);
  });
});
