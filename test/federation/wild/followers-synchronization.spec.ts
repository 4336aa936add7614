import { createHash } from 'node:crypto';
import { FollowsService } from '../../../src/accounts/index.js';
import { FollowersDigests } from '../../../src/federation/documents/followers-digests.js';
import { countQueries } from '../../support/queries.js';
import { cavageHeaders, newKey, type RawActor, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { usePair } from '../../support/federation/servers.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const key = newKey();

function digestOf(...uris: readonly string[]): string {
  const hashes = uris.map((uri) => BigInt(`0x${createHash('sha256').update(uri).digest('hex')}`));
  return hashes
    .reduce((one, other) => one ^ other, 0n)
    .toString(16)
    .padStart(64, '0');
}

describe('Two servers, one of which lost the data of a day,', () => {
  const pair = usePair();

  it.each([['cavage'], ['rfc9421']])('agree again after one followers-only post, signed by %s', async (scheme) => {
    const { alpha, beta } = pair;
    const alice = await alpha.member(`alice${scheme}`);
    const [bob, erin, cara] = await Promise.all(
      [`bob${scheme}`, `erin${scheme}`, `cara${scheme}`].map((n) => beta.member(n)),
    );
    for (const follower of [bob!, erin!, cara!]) await follower.follow(alice);
    await pair.settle();
    await alpha.sql(`update hosts set signature = $1`, [scheme]);
    const drop = (server: typeof alpha, uri: string) =>
      server.sql(
        `delete from follows where follower_id = (select id from accounts where ap_id = $1)
           and followee_id = (select id from accounts where ap_id = $2)`,
        [uri, alice.uri],
      );
    await drop(alpha, bob!.uri);
    await drop(beta, erin!.uri);
    await alice.write('for followers', { visibility: 'private' });
    await pair.settle();
    const followers = (server: typeof alpha) =>
      server.sql(
        `select f.ap_id from follows join accounts f on f.id = follower_id join accounts t on t.id = followee_id
         where t.ap_id = $1 order by 1`,
        [alice.uri],
      );
    expect(await followers(alpha)).toEqual([{ ap_id: cara!.uri }]);
    expect(await followers(beta)).toEqual(await followers(alpha));
  });
});

describe('A server that receives the digest of its accounts', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada', 'eve'] });
  let names = 0;
  let mo: RawActor;
  let ada: string;
  const listUrl = () => `${mo.uri}/followers_synchronization`;
  const pathOf = (url: string) => new URL(url).pathname;

  beforeAll(() => {
    ada = `${app.env.baseUrl}/users/ada`;
  });

  beforeEach(async () => {
    mo = peer.actor(`mo${(names += 1)}`, key, { followers: `${peer.url}/users/mo${names}/followers` });
    await deliver({});
    const [row] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]);
    await app.get(FollowsService).follow(app.world.id('ada'), row!.id);
    await app.get(FollowsService).accept(row!.id, app.world.id('ada'));
    await app.drain();
    peer.received.length = 0;
  });

  const serve = (document: object) =>
    void peer.answers.set(pathOf(listUrl()), { id: listUrl(), type: 'OrderedCollection', ...document });
  const headerOf = (changes: object = {}) => {
    const all = { collectionId: `${mo.uri}/followers`, url: listUrl(), digest: digestOf(), ...changes };
    return Object.entries(all)
      .map(([name, text]) => `${name}="${text}"`)
      .join(', ');
  };
  async function deliver(delivery: { header?: string; isSigned?: boolean }): Promise<void> {
    await receive(delivery);
    await app.drain();
  }
  async function receive({ header, isSigned = true }: { header?: string; isSigned?: boolean }): Promise<void> {
    const activity = {
      id: `${mo.uri}#${(names += 1)}`,
      actor: mo.uri,
      type: 'Create',
      to: [PUBLIC],
      object: `${mo.uri}/n`,
    };
    const body = JSON.stringify(activity);
    const covered = [
      '(request-target)',
      'host',
      'date',
      'digest',
      ...(header && isSigned ? ['collection-synchronization'] : []),
    ];
    const extra = header ? { 'collection-synchronization': header } : {};
    const headers = cavageHeaders(mo, `${app.env.baseUrl}/inbox`, { body, covered, extra });
    await app.http
      .post('/inbox')
      .set({ ...extra, ...headers })
      .send(body)
      .expect(202);
  }
  const followed = async () =>
    (await app.sql('select 1 from follows f join accounts a on a.id = f.followee_id where a.ap_id = $1', [mo.uri]))
      .length;

  it.each<[string, () => { header?: string; isSigned?: boolean; list?: object }, number]>([
    ['ends a follow that is not listed', () => ({ list: { orderedItems: [] } }), 0],
    ['ignores a header that is not signed', () => ({ isSigned: false, list: { orderedItems: [] } }), 1],
    [
      'ignores a header of another collection',
      () => ({ header: headerOf({ collectionId: `${peer.url}/x` }), list: { orderedItems: [] } }),
      1,
    ],
    ['asks no other server', () => ({ header: headerOf({ url: 'http://other.test/x' }) }), 1],
    [
      'ignores a list without the signed digest',
      () => ({ header: headerOf({ digest: digestOf('x') }), list: { orderedItems: [] } }),
      1,
    ],
    ['ignores a document that is no list', () => ({ list: { type: 'Note' } }), 1],
    ['ignores a list that is gone', () => ({}), 1],
  ])('%s', async (_what, given, left) => {
    const { header = headerOf(), isSigned = true, list } = given();
    if (list) serve(list);
    await deliver({ header, isSigned });
    expect(await followed()).toBe(left);
  });

  it.each<[string, (ada: string, eve: string) => object]>([
    ['list', (...orderedItems) => ({ orderedItems })],
    [
      'list on pages that name the first one too',
      (...uris) => {
        const [first, next] = [`${listUrl()}/1`, `${listUrl()}/2`];
        const page = (id: string, values: object) =>
          void peer.answers.set(pathOf(id), { id, type: 'CollectionPage', first, ...values });
        page(first, { next, items: [uris[0]] });
        page(next, { items: [uris[1]] });
        return { first };
      },
    ],
  ])('sends an Undo for an unknown follow in a %s', async (_form, list) => {
    const eve = `${app.env.baseUrl}/users/eve`;
    serve(list(ada, eve));
    await deliver({ header: headerOf({ digest: digestOf(ada, eve) }) });
    expect(peer.received).toMatchObject([
      { type: 'Undo', actor: eve, object: { type: 'Follow', actor: eve, object: mo.uri } },
    ]);
    expect(await followed()).toBe(1);
  });

  it('compares with the newest digest when an older one waits', async () => {
    serve({ orderedItems: [] });
    await receive({ header: headerOf({ digest: digestOf('x') }) });
    await receive({ header: headerOf() });
    await app.drain();
    expect(await followed()).toBe(0);
  });

  it('does not fetch the list while both servers agree', async () => {
    await deliver({ header: headerOf({ digest: digestOf(ada) }) });
    expect(peer.asked(pathOf(listUrl()))).toBe(0);
  });

  it('reads followers once for the deliveries of a post, and anew after a change', async () => {
    const ask = async () => {
      const digests = app.get(FollowersDigests);
      const { result, statements } = await countQueries(async () => [
        ...(await Promise.all([
          digests.ofHost(app.world.id('eve'), peer.host),
          digests.ofHost(app.world.id('eve'), 'x.test'),
        ])),
        await digests.ofHost(app.world.id('eve'), peer.host),
      ]);
      return { result, reads: statements.filter((name) => name === 'federation.follower_digests').length };
    };
    const none = digestOf();
    expect(await ask()).toEqual({ result: [none, none, none], reads: 1 });
    await app.sql(
      `insert into follows (follower_id, followee_id, state) select id, $2, 1 from accounts where ap_id = $1`,
      [mo.uri, app.world.id('eve')],
    );
    expect(await ask()).toEqual({ result: [digestOf(mo.uri), none, digestOf(mo.uri)], reads: 1 });
    expect(await ask()).toMatchObject({ reads: 0 });
  });

  it('V18 lists followers to their own server only', async () => {
    await app.sql(
      `insert into follows (follower_id, followee_id, state)
       select id, $2, 1 from accounts where ap_id = $1`,
      [mo.uri, app.world.id('ada')],
    );
    await app.world.remote('zoe', 'far.test');
    await app.world.follow('zoe@far.test', 'ada');
    const path = '/users/ada/followers_synchronization';
    await app.http.get(path).expect(401);
    const { body } = await app.http
      .get(path)
      .set(cavageHeaders(mo, app.env.baseUrl + path))
      .expect(200);
    expect((body as { orderedItems: string[] }).orderedItems).toEqual([mo.uri]);
  });
});
