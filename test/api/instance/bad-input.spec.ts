import type { ListJson } from '../../../src/accounts/index.js';
import { INPUTS, type RouteInput } from '../../data/inputs.js';
import { useApp } from '../../support/servers/app.js';
import {
  bodyWith,
  Caller,
  expectRefusal,
  fingerprint,
  HOSTILE_IDS,
  WRONG,
  WRONG_QUERIES,
} from '../../support/bad-input.js';
import { builtEndpoints, type Endpoint } from '../../support/fixtures/endpoints.js';
import {
  fillFeed,
  makeAdversaries,
  makeReblogs,
  makeEndorsements,
  makeConversations,
  makeFans,
  makeBookmarks,
  makeFavourites,
  makeFollows,
  makeStatuses,
} from '../../support/fixtures/factories.js';
import { makeChat, makeChats } from '../../support/fixtures/chats.js';
import { ok, post } from '../../support/fixtures/statuses.js';

type Route = Endpoint & { readonly input: RouteInput };

/** `page-inputs.spec.ts` tries the pages of signed-in people. */
const ENDPOINTS = builtEndpoints().filter(({ access }) => access !== 'session');
const keyOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const ROUTES = ENDPOINTS.map((endpoint): Route => ({ ...endpoint, input: INPUTS[keyOf(endpoint)] ?? { fields: {} } }));
const reading = ROUTES.filter(({ method }) => method === 'GET');
/** The probe reads no body without a ticket, whatever is in it: 404. */
const PROBE = '/health/probe';
const writing = ROUTES.filter(({ method, path }) => method !== 'GET' && path !== PROBE);
const withFields = (routes: readonly Route[]) => routes.filter(({ input }) => Object.keys(input.fields).length > 0);
/** Inboxes answer 202 and drop anything that is no activity, because other servers would repeat a refused request. */
const isInbox = ({ path }: Route) => path.endsWith('/inbox');
const paged = ROUTES.filter(({ input }) => input.paged);

const app = useApp({ once: ['alice', 'bob'] });
let caller: Caller;
/** The id of a post by alice. */
let status: string;

beforeAll(async () => {
  await app.world.person('root', { admin: true });
  await app.sql('update accounts set hide_favorites = false'); // favourites are hidden by default
  await app.world.follow('alice', 'bob');
  const first = await post(app, 'alice', 'here first');
  status = first.id;
  const bob = app.world.id('bob');
  const alice = await app.world.as('alice');
  const list = await ok<ListJson>(alice.post('/api/v1/lists', { title: 'people' }));
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob] }).expect(200);
  const { svc } = await post(app, 'alice', 'psst @bob', { visibility: 'direct' });
  caller = new Caller(app, {
    account: bob,
    ...(await makeChat(app, 'alice', 'bob')),
    conversation: svc.direct_conversation_id!,
    list: list.id,
    status,
    uuid: first.uri.split('/').at(-1)!,
  });
  await app.drain();
  for (const endpoint of ENDPOINTS) await caller.client(endpoint); // creates the token
  await alice.get('/api/v1/accounts/relationships'); // stores the activity
});

it('the table of inputs names exactly the built routes', () => {
  expect(Object.keys(INPUTS).sort()).toEqual(ENDPOINTS.map(keyOf).sort());
});

/** The answers of lists for an unknown name. */
const EMPTY = [[], { total: 0, activities: [] }];

/** The entries of a page: groups of notifications come beside the accounts and posts that they name. */
function entriesOf(body: unknown): unknown[] {
  return Array.isArray(body) ? body : (body as { notification_groups: unknown[] }).notification_groups;
}

describe('a refused request changes nothing', () => {
  let before: Record<string, string>;
  let unchecked = 0;
  const check = async () => {
    const [expected, after] = [before, await fingerprint(app)];
    before = after;
    expect({ by: `one of the last ${unchecked} tests`, after }).toEqual({ by: expect.any(String), after: expected });
    unchecked = 0;
  };
  beforeAll(async () => {
    before = await fingerprint(app);
  });
  afterEach(async () => {
    unchecked += 1;
    if (unchecked === 40) await check(); // reading all tables takes longer than most tests
  });
  afterAll(check);

  it.each(ROUTES)('H1 H2 $method $path rejects NUL and lone surrogates', async (route) => {
    for (const query of ['anything=a%00b', 'a%00=b', 'anything=%ed%a0%80']) {
      expectRefusal(query, await caller.send(route, `${caller.path(route)}?${query}`), [400]);
    }
    if (route.method === 'GET' || route.path === PROBE || isInbox(route)) return;
    for (const body of [{ anything: 'a\0b' }, { 'a\0b': 1 }, { a: { b: ['\ud800'] } }]) {
      expectRefusal(body, await caller.send(route, undefined, body), [400]);
    }
  });

  it.each(withFields(writing))('H5 $method $path rejects wrong types', async (route) => {
    for (const [field, kind] of Object.entries(route.input.fields)) {
      for (const wrong of WRONG[kind]) {
        const body = { ...route.input.beside, ...bodyWith(field, wrong) };
        expectRefusal(body, await caller.send(route, undefined, body), [kind === 'unsupported' ? 422 : 400]);
      }
    }
  });

  it.each(withFields(writing))(
    'H5 H7 $method $path accepts neither nested lists nor wrong types in a query or a form',
    async (route) => {
      for (const [field, kind] of Object.entries(route.input.fields)) {
        if (field.includes('.') || kind === 'object' || kind === 'objects' || kind === 'unsupported') continue;
        const { beside = {} } = route.input;
        for (const query of WRONG_QUERIES) {
          const path = `${caller.path(route)}?${query(field)}`;
          expectRefusal(path, await caller.send(route, path, { ...beside, [field]: undefined }), [400]);
        }
        const nested = { ...beside, [field]: [[[[['x']]]]] };
        expectRefusal(nested, await caller.send(route, undefined, nested), [400]);
      }
    },
  );

  it.each([...withFields(reading), ...paged])('H5 $method $path rejects objects as values', async (route) => {
    const ids = route.input.paged ? ['max_id', 'min_id', 'since_id'] : [];
    for (const field of [...Object.keys(route.input.fields), ...ids]) {
      for (const query of WRONG_QUERIES) {
        const path = `${caller.path(route)}?${query(field)}`;
        expectRefusal(path, await caller.send(route, path), [400]);
      }
    }
  });

  // A frontend chooses its own name, and an account follows any tag: neither is an id.
  it.each(
    ROUTES.filter((route) => /:(?!app)/.test(route.path) && !/\/tags\/:id(\/|$)/.test(route.path) && !isInbox(route)),
  )('H10 H13 $method $path finds nothing by a hostile id', async (route) => {
    for (const id of HOSTILE_IDS) {
      const answer = await caller.send(route, caller.path(route, id), { ...route.input.beside });
      if (route.input.names && answer.status === 200) expect(EMPTY).toContainEqual(answer.body);
      else if (route.access === 'optional' || route.access === 'user') expectRefusal(id, answer, [404, 400]);
      else
        expect({ id, found: answer.status < 400, failed: answer.status >= 500 }).toEqual({
          id,
          found: false,
          failed: false,
        });
    }
  });

  it.each(paged)('H10 $method $path accepts any id for paging', async (route) => {
    for (const [at, id] of HOSTILE_IDS.entries()) {
      const name = ['max_id', 'min_id', 'since_id'][(at + paged.indexOf(route)) % 3]!; // each id for each name
      const answer = await caller.send(route, undefined, { [name]: id });
      if (answer.status === 200) expect(Array.isArray(entriesOf(answer.body))).toBe(true);
      else expectRefusal({ name, id }, answer, [400]);
    }
  });

  it.each(ROUTES.filter(({ input }) => Object.values(input.fields).includes('ids')))(
    'H10 H11 $method $path treats hostile ids as unknown, and limits their number',
    async (route) => {
      const [field] = Object.entries(route.input.fields).find(([, kind]) => kind === 'ids')!;
      const send = (ids: readonly string[]) =>
        caller.send(route, undefined, {
          ...route.input.beside,
          [`${field}${route.method === 'GET' ? '[]' : ''}`]: ids,
        });
      expectRefusal('500 ids', await send(Array.from({ length: 500 }, (_, at) => `${at}`)), [400]);
      for (const id of HOSTILE_IDS) {
        const answer = await send([id]);
        if (answer.status === 200) expect(route.method === 'GET' ? answer.body : []).toEqual([]);
        else expectRefusal(id, answer, [400, 404, 422]);
      }
    },
  );

  it.each(withFields(writing))('H17 $method $path rejects a text of 200 kB', async (route) => {
    const long = 'x'.repeat(200_000);
    const tooLarge = route.access === 'public' ? [413] : []; // bodies of these have 64 KiB
    for (const [field, kind] of Object.entries(route.input.fields)) {
      const value = { text: long, word: long, texts: [long], id: long, ids: [long], 'many ids': [long] }[
        kind as string
      ];
      if (value === undefined) continue;
      const body = { ...route.input.beside, ...bodyWith(field, value) };
      expectRefusal(field, await caller.send(route, undefined, body), [
        422,
        400,
        ...tooLarge,
        ...(route.input.refusals ?? []),
      ]);
    }
  });

  it.each(withFields(reading))('H17 $method $path rejects a text of 6 kB', async (route) => {
    for (const [field, kind] of Object.entries(route.input.fields)) {
      if (kind === 'ids') continue;
      expectRefusal(field, await caller.send(route, undefined, { [field]: 'x'.repeat(6_000) }), [422, 400, 404]);
    }
  });

  it.each(writing)('H6 $method $path rejects a body over 1 MiB', async (route) => {
    const answer = await caller.send(route, undefined, { anything: 'x'.repeat(1_100_000) });
    expectRefusal('1 MiB', answer, [413]);
  });

  it('H18 rejects numbers and lists out of bounds', async () => {
    const alice = await app.world.as('alice');
    const names = (count: number) => Array.from({ length: count }, (_, at) => `somebody${at}`);
    for (const [path, body] of [
      ['/api/v1/statuses', { status: 'x', expires_in: 1e12 }],
      ['/api/v1/statuses', { status: 'x', expires_in: -5 }],
      ['/api/v1/statuses', { status: 'x', to: names(500) }],
      [`/api/v1/accounts/${app.world.id('bob')}/mute`, { expires_in: 1e12 }],
      [`/api/v1/accounts/${app.world.id('bob')}/block`, { duration: -1 }],
    ] as const) {
      expectRefusal(body, await alice.post(path, body), [422]);
    }
  });
});

describe('accepted input', () => {
  beforeAll(async () => {
    const [alice, bob] = [app.world.id('alice'), app.world.id('bob')];
    const fans = await makeFans(app, 45);
    const posts = await makeStatuses(app, 'bob', 45);
    await makeFollows(app, fans, bob);
    await makeFollows(app, bob, fans);
    await makeFollows(app, alice, fans);
    for (const endorser of [alice, bob]) await makeEndorsements(app, endorser);
    await app.sql(
      `insert into list_members (list_id, account_id, follow_id)
       select l.id, f.followee_id, f.id from lists l join follows f on f.follower_id = l.account_id on conflict do nothing`,
    );
    await app.sql(
      `with tags as (insert into hashtags (name) select 'tag' || n from generate_series(1, 45) n returning id),
         tagged as (insert into status_hashtags select p, (select min(id) from tags) from unnest($2::text[]) p)
       insert into followed_tags (account_id, hashtag_id) select $1, id from tags`,
      [alice, posts],
    );
    await makeFavourites(app, [alice, bob], posts);
    await makeBookmarks(app, alice, posts);
    await makeFavourites(app, fans, status);
    await app.sql(`insert into scrobbles (account_id, title) select $1, n from generate_series(1, 45) n`, [bob]);
    await makeReblogs(app, fans, status);
    await app.sql('update statuses set quote_of_id = $1 where id = any($2::text[]) and id <> $1', [status, posts]);
    await makeAdversaries(app, alice, await makeFans(app, 45, 'others.test'));
    await fillFeed(app, 'alice', posts);
    await makeConversations(app, 'bob', 'alice', 45);
    await makeChats(app, alice, fans, (await makeChat(app, 'alice', 'bob')).chat);
    await app.sql(
      `insert into scheduled_statuses (account_id, scheduled_at, options)
       select $1, now() + interval '1 day', '{"text":"later"}' from generate_series(1, 45)`,
      [alice],
    );
    await app.sql(
      `update statuses set conversation_id = (select conversation_id from conversation_participants where id = $1)
       where visibility = 3`,
      [
        caller
          .path({ path: '/conversations/:id' } as Endpoint)
          .split('/')
          .at(-1),
      ],
    );
    await app.sql(
      `insert into notifications (receiver_id, type, from_id, status_id) select $1, 'mention', $2, unnest($3::text[])`,
      [alice, bob, posts],
    );
    await app.sql(
      `with asked as (insert into notification_requests (receiver_id, from_id) select $1, unnest($2::text[]) returning *)
       insert into notifications (receiver_id, type, from_id, filtered) select receiver_id, 'follow', from_id, true from asked`,
      [alice, fans],
    );
  });

  it.each(paged)('H9 $method $path answers at most 40 entries for any limit', async (route) => {
    const count = async (query: string) => {
      const answer = await caller.send(route, `${caller.path(route)}?${query}`);
      expect({ query, status: answer.status }).toEqual({ query, status: 200 });
      return entriesOf(answer.body).length;
    };
    const all = route.input.paged === 'or all' ? [] : ['limit=0'];
    for (const limit of [...all, 'limit=1000000', 'limit=41', 'limit=-1', 'limit=NaN', 'limit=1.5', 'limit[]=']) {
      expect({ limit, count: await count(limit) }).toEqual({ limit, count: 20 });
    }
    expect(await count('limit=40')).toBe(40);
    expect(await count('limit=3&limit=2')).toBe(2); // threat H12
    expect(await count('offset=-1&limit=1')).toBe(1);
  });

  it('H8 treats prototype keys as plain data or ignores them, without effect on other requests', async () => {
    const { token } = await app.world.as('alice');
    const store = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"app":{"theme":"dark"}}';
    const answer = await app.http
      .patch('/api/v1/accounts/update_credentials')
      .auth(token, { type: 'bearer' })
      .type('json')
      .serialize((text: unknown) => text as string)
      .send(`{"svc_settings_store":${store},"__proto__":{"locked":true}}`)
      .expect(200);
    expect((answer.body as { locked: boolean }).locked).toBe(false);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const [user] = await app.sql<{ settings_store: object }>('select settings_store from users where account_id = $1', [
      app.world.id('alice'),
    ]);
    expect(Object.keys(user!.settings_store)).toContain('app');
    const me = await (await app.world.as('bob')).get('/api/v1/accounts/verify_credentials').expect(200);
    expect(JSON.stringify(me.body)).not.toContain('polluted');
  });

  it('H12 checks and uses the last of several values, and prefers the body to the query', async () => {
    const { token } = await app.world.as('alice');
    const send = async (query: string, body: string) => {
      const request = app.http.post(`/api/v1/statuses?${query}`).auth(token, { type: 'bearer' }).type('form');
      return (await request.send(body)).body as { visibility?: string; error?: string };
    };
    expect(await send('', 'status=x&visibility=public&visibility=direct')).toMatchObject({ visibility: 'direct' });
    expect(await send('visibility=public', 'status=x&visibility=direct')).toMatchObject({ visibility: 'direct' });
    expect(await send('status=x&visibility=private', '')).toMatchObject({ visibility: 'private' });
    expect(await send('', 'status=x&visibility=direct&visibility=nonsense')).toHaveProperty('error');
  });

  it.each(reading)('H14 $method $path ignores the Host header of a request', async (route) => {
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example;proto=ftp',
    };
    const request = (await caller.client(route)).get(caller.path(route)).set(forged);
    const answer = await request;
    expect(answer.status).toBeLessThan(500);
    expect(JSON.stringify([answer.headers, answer.text])).not.toContain('evil.example');
  });
});
