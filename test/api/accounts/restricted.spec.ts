import { SettingsService } from '../../../src/config/index.js';
import { StreamAuthorizer } from '../../../src/streaming/connections/stream-authorizer.js';
import type { ContextJson, PlainStatusJson } from '../../../src/statuses/index.js';
import { BatchStatusView } from '../../../src/statuses/index.js';
import type { ResultsJson } from '../../../src/search/index.js';
import { cavageHeaders, newKey, type RawActor, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { ok, post } from '../../support/fixtures/statuses.js';

const MEMBERS_ONLY = { error: 'authorization required for timeline view' };
const USER_NEEDED = { error: 'This API requires an authenticated user' };
const NOT_FOUND = { error: 'Record not found' };

const peer = usePeer();
const app = useBeside([peer], { once: [] });
let settings: SettingsService;
let here: PlainStatusJson;
/** A remote post, a local reply that quotes it, and the remote author. */
let far: string;
let answer: PlainStatusJson;
let zoe: string;

beforeAll(async () => {
  settings = app.get(SettingsService);
  await app.world.persons('alice', 'bob');
  here = await post(app, 'alice', 'tea #tea', { poll: { options: ['a', 'b'], expires_in: 600 } });
  zoe = (await app.world.remote('zoe', 'far.test')).id;
  [far] = (await makeStatuses(app, 'alice', 1)) as [string];
  await app.sql('update statuses set local = false, author_id = $2, version = version + 1 where id = $1', [far, zoe]);
  answer = await post(app, 'bob', 'indeed', { in_reply_to_id: far, quote_id: far, visibility: 'public' });
});
afterEach(async () => {
  for (const name of ['timelines', 'profiles', 'activities'] as const) {
    await settings.reset(`restrict_unauthenticated.${name}`);
  }
});

const anonymous = (path: string, query = {}) => app.world.anonymous.get(path, query);
const ids = (items: unknown) => (items as { id: string }[]).map(({ id }) => id);

describe('the setting of public timelines for members only', () => {
  const TIMELINES: readonly [path: string, query: Record<string, string | boolean>, isLocal: boolean][] = [
    ['/api/v1/timelines/public', {}, false],
    ['/api/v1/timelines/public', { remote: true }, false],
    ['/api/v1/timelines/public', { local: true, remote: true }, false],
    ['/api/v1/timelines/public', { local: true }, true],
    ['/api/v1/timelines/public', { instance: 'svc.test' }, true],
    ['/api/v1/timelines/tag/tea', {}, false],
    ['/api/v1/timelines/tag/tea', { local: true }, true],
  ];

  it.each([
    { local: false, federated: false },
    { local: true, federated: false },
    { local: false, federated: true },
    { local: true, federated: true },
  ])('refuses visitors as configured: %j', async (value) => {
    await settings.update([{ path: 'restrict_unauthenticated.timelines', value }]);
    const alice = await app.world.as('alice');
    for (const [path, query, isLocal] of TIMELINES) {
      const refused = isLocal ? value.local : value.federated;
      const seen = await anonymous(path, query);
      expect({ path, query, status: seen.status }).toEqual({ path, query, status: refused ? 401 : 200 });
      if (refused) expect(seen.body).toEqual(MEMBERS_ONLY);
      await (await app.world.asApp()).get(path, query).expect(refused ? 401 : 200);
      await alice.get(path, query).expect(200);
    }
    const name = (stream: string, more = {}) => app.get(StreamAuthorizer).resolveStream({ stream, ...more }, undefined);
    for (const [refused, open] of [
      [value.local, () => name('public:local:media')],
      [value.federated, () => name('public')],
      [value.federated, () => name('hashtag', { tag: 'tea' })],
    ] as const) {
      if (refused) expect(open).toThrow(MEMBERS_ONLY.error);
      else expect(open).not.toThrow();
    }
  });
});

describe('the setting of profiles for members only', () => {
  it.each([
    ['those from here', { local: true, remote: false }],
    ['those from elsewhere', { local: false, remote: true }],
  ])('hides profiles from visitors: %s', async (_, value) => {
    await settings.update([{ path: 'restrict_unauthenticated.profiles', value }]);
    const [closed, open] = value.local ? [app.world.id('alice'), zoe] : [zoe, app.world.id('alice')];
    const [name, other] = value.local ? ['alice', 'zoe@far.test'] : ['zoe@far.test', 'alice'];
    for (const rest of ['', '/statuses', '/followers', '/following']) {
      await anonymous(`/api/v1/accounts/${closed}${rest}`).expect(401, USER_NEEDED);
      await anonymous(`/api/v1/accounts/${open}${rest}`).expect(200);
      await (await app.world.as('bob')).get(`/api/v1/accounts/${closed}${rest}`).expect(200);
    }
    await anonymous('/api/v1/accounts/lookup', { acct: name }).expect(401, USER_NEEDED);
    await anonymous('/api/v1/accounts/lookup', { acct: other }).expect(200);
    await (await app.world.as('bob')).get('/api/v1/accounts/lookup', { acct: name }).expect(200);
    await app.sql('update accounts set discoverable = id = any($1::text[])', [[closed, open]]);
    expect(ids(await ok(anonymous('/api/v1/directory')))).toEqual([open]);
    expect(ids(await ok((await app.world.as('bob')).get('/api/v1/directory'))).sort()).toEqual([closed, open].sort());
    for (const q of [name, other, name.slice(0, 3), other.slice(0, 3)]) {
      const found = async (client = app.world.anonymous) => [
        ids(await ok(client.get('/api/v1/accounts/search', { q }))),
        ids((await ok<ResultsJson>(client.get('/api/v2/search', { q, type: 'accounts' }))).accounts),
      ];
      const shown = other.startsWith(q) ? [open] : [];
      expect({ q, found: await found() }).toEqual({ q, found: [shown, shown] });
      const [all] = await found(await app.world.as('bob'));
      expect(all).toEqual([name.startsWith(q) ? closed : open]);
    }
  });
});

describe('the setting of profiles for members only, in lists of people', () => {
  /** A local account and a local post, which bob and zoe follow, follow back, favourited, boosted and reacted to. */
  let star: string;
  let hit: string;
  /** Signs its fetches. */
  let reader: RawActor;

  beforeAll(async () => {
    reader = peer.actor('mo', newKey());
    star = (await app.world.person('star')).id;
    hit = (await post(app, 'star', 'a hit')).id;
    for (const fan of [app.world.id('bob'), zoe]) {
      await app.sql(
        `with follow as (insert into follows (follower_id, followee_id, state) values ($1, $2, 1), ($2, $1, 1)),
           endorsement as (insert into endorsements (account_id, target_id) values ($2, $1)),
           favourite as (insert into favourites (account_id, status_id) values ($1, $3))
         insert into reactions (account_id, status_id, name) values ($1, $3, '🍵')`,
        [fan, star, hit],
      );
    }
    await ok((await app.world.as('bob')).post(`/api/v1/statuses/${hit}/reblog`));
    const [boost] = (await makeStatuses(app, 'zoe@far.test', 1)) as [string];
    await app.sql('update statuses set reblog_of_id = $2, version = version + 1 where id = $1', [boost, hit]);
  });

  const lists = () => [
    ...['followers', 'following', 'endorsements'].map((name) => `/api/v1/accounts/${star}/${name}`),
    `/api/v1/svc/accounts/${star}/endorsements`,
    ...['favourited_by', 'reblogged_by'].map((name) => `/api/v1/statuses/${hit}/${name}`),
  ];

  it.each([
    [{ local: false, remote: false }, ['bob', 'zoe']],
    [{ local: false, remote: true }, ['bob']],
    [{ local: true, remote: false }, ['zoe']],
    [{ local: true, remote: true }, []],
  ])('names to visitors whom they may see: %j', async (value, names) => {
    await settings.update([{ path: 'restrict_unauthenticated.profiles', value }]);
    const sorted = (items: unknown) => (items as { username: string }[]).map(({ username }) => username).sort();
    const bob = await app.world.as('bob');
    for (const path of lists()) {
      const isOwned = path.includes('/accounts/');
      expect({ path, names: sorted(await ok(bob.get(path))) }).toEqual({ path, names: ['bob', 'zoe'] });
      if (isOwned && value.local) await anonymous(path).expect(401, USER_NEEDED);
      else expect({ path, names: sorted(await ok(anonymous(path))) }).toEqual({ path, names });
    }
    const [reaction] = await ok<{ count: number; accounts: unknown }[]>(
      anonymous(`/api/v1/svc/statuses/${hit}/reactions`),
    );
    expect({ count: reaction?.count, names: sorted(reaction?.accounts) }).toEqual({ count: 2, names });
    for (const which of ['followers', 'following']) {
      const page = await app.world.anonymous.get(`/@star/${which}`);
      expect([page.status, page.text.includes('@zoe@far.test')]).toEqual(
        value.local ? [404, false] : [200, !value.remote],
      );
      const path = `/users/star/${which}?page=1`;
      const collection = app.world.anonymous.get(path);
      if (value.local) await collection.expect(401);
      else expect((await ok<{ orderedItems: string[] }>(collection)).orderedItems).toHaveLength(names.length);
      const signed = await app.http.get(path).set(cavageHeaders(reader, app.env.baseUrl + path));
      const items = (signed.body as { orderedItems: string[] }).orderedItems;
      const caching = value.local || value.remote ? 'private, no-store' : 'public, max-age=180';
      expect([items.length, signed.headers['cache-control']]).toEqual([2, caching]);
      expect((await app.http.get(path)).headers['cache-control']).toBe(caching);
      expect(signed.headers['vary']).toContain('Signature');
    }
  });
});

it('the setting of all profiles for members only leaves lists empty for visitors', async () => {
  await settings.update([{ path: 'restrict_unauthenticated.profiles', value: { local: true, remote: true } }]);
  await app.sql('update accounts set discoverable = true');
  expect(await ok(anonymous('/api/v1/directory'))).toEqual([]);
  expect(await ok(anonymous('/api/v1/accounts/search', { q: 'alice' }))).toEqual([]);
});

describe('the setting of posts for members only', () => {
  const RESTS = ['', '/context', '/favourited_by', '/reblogged_by', '/history', '/card'];

  it('hides local posts everywhere', async () => {
    await settings.update([{ path: 'restrict_unauthenticated.activities', value: { local: true, remote: false } }]);
    for (const rest of RESTS) {
      await anonymous(`/api/v1/statuses/${here.id}${rest}`).expect(404, NOT_FOUND);
      await anonymous(`/api/v1/statuses/${far}${rest}`).expect(200);
      await (await app.world.as('bob')).get(`/api/v1/statuses/${here.id}${rest}`).expect(200);
    }
    for (const rest of ['quotes', 'reactions', 'reactions/🍵']) {
      await anonymous(`/api/v1/svc/statuses/${here.id}/${rest}`).expect(404, NOT_FOUND);
    }
    await anonymous(`/api/v1/polls/${here.poll!.id}`).expect(404, NOT_FOUND);
    expect(ids(await ok(anonymous('/api/v1/statuses', { ids: [here.id, far, answer.id] })))).toEqual([far]);
    expect(ids(await ok(anonymous('/api/v1/timelines/public')))).toEqual([far]);
    expect(ids(await ok(anonymous(`/api/v1/accounts/${app.world.id('alice')}/statuses`)))).toEqual([]);
    expect((await ok<ContextJson>(anonymous(`/api/v1/statuses/${far}/context`))).descendants).toEqual([]);
    const [nobody, bob] = await app.get(BatchStatusView).many([
      { id: here.id, viewerId: '' },
      { id: here.id, viewerId: app.world.id('bob') },
    ]);
    expect([nobody === undefined, bob === undefined]).toEqual([true, false]);
  });

  it('hides remote posts, also in quotes', async () => {
    await settings.update([{ path: 'restrict_unauthenticated.activities', value: { local: false, remote: true } }]);
    for (const rest of RESTS) {
      await anonymous(`/api/v1/statuses/${far}${rest}`).expect(404, NOT_FOUND);
      await anonymous(`/api/v1/statuses/${here.id}${rest}`).expect(200);
    }
    expect((await ok(anonymous(`/api/v1/statuses/${answer.id}`))).svc).toMatchObject({
      quote: null,
      quote_visible: false,
    });
    const seen = await ok((await app.world.as('alice')).get(`/api/v1/statuses/${answer.id}`));
    expect(seen.svc.quote_visible).toBe(true);
  });
});
