import { useApp } from '../support/servers/app.js';
import { fingerprint } from '../support/bad-input.js';
import { builtEndpoints } from '../support/fixtures/endpoints.js';
import { makeChat } from '../support/fixtures/chats.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';
import type { Client } from '../support/fixtures/world.js';

/*
 * A private resource exists only for its owner (threats V8, V9): on every route that names such a resource, in its path or in
 * its input, the id of another account's resource gets the same answer as an unknown id, and nothing changes. The tables are
 * written by hand, and the first test fails when a route is missing. Bob sends the requests; he and alice follow each other.
 */

type Kind = keyof typeof MAKE;
type Values = Record<string, unknown>;
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

const FLAKE = 'AAAAAAAAAAAAAAAAAA';
const NUMBER = '987654321';

const app = useApp({ once: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;
/** A post and a filter of each caller. */
const own = new Map<Client, { readonly post: string; readonly filter: string }>();
let serial = 0;
/** The newest message of the newest chat. */
let message = '';
/** A post that quotes the newest quoted post. */
let quoting = '';
let refused = 0;
let allowed = 0;

const made = async (path: string, values: Values) => (await ok<{ id: string }>(alice.post(path, values))).id;
const TEA = { title: 'Tea', context: ['home'], keywords_attributes: [{ keyword: 'tea' }] };
const makeFilter = () => made('/api/v2/filters', TEA);
const secret = (options: Values = {}) => post(app, 'alice', 'psst @carol', { visibility: 'direct', ...options });

async function makeNotification(): Promise<string> {
  const { id } = await secret();
  const rows = await app.sql<{ id: string }>(
    `insert into notifications (receiver_id, type, from_id, status_id) values ($1, 'favourite', $2, $3) returning id`,
    [app.world.id('alice'), app.world.id('carol'), id],
  );
  return rows[0]!.id;
}

/** Creates a resource of alice and returns its id. */
const MAKE = {
  list: () => made('/api/v1/lists', { title: 'People' }),
  folder: () => made('/api/v1/svc/bookmark_folders', { name: `Recipes ${(serial += 1)}` }),
  filter: makeFilter,
  'older filter': () => made('/api/v1/filters', { phrase: 'tea', context: ['home'] }),
  keyword: () => made(`/api/v2/filters/${own.get(alice)!.filter}/keywords`, { keyword: 'milk' }),
  'filtered post': async () =>
    made(`/api/v2/filters/${await makeFilter()}/statuses`, { status_id: (await secret()).id }),
  scheduled: () => made('/api/v1/statuses', { status: 'later', scheduled_at: new Date(Date.now() + 86_400_000) }),
  conversation: async () => {
    const id = (await secret()).svc.direct_conversation_id!;
    await app.sql('update conversation_participants set unread = true where id = $1', [id]); // or reading would change nothing
    return id;
  },
  notification: makeNotification,
  'notification request': async () => {
    await app.sql(
      `insert into notifications (receiver_id, type, from_id, filtered) values ($1, 'follow_request', $2, true) on conflict do nothing`,
      [app.world.id('alice'), app.world.id('carol')],
    );
    const rows = await app.sql<{ id: string }>(
      `insert into notification_requests (receiver_id, from_id) values ($1, $2)
       on conflict (receiver_id, from_id) do update set accepted = false returning id`,
      [app.world.id('alice'), app.world.id('carol')],
    );
    return rows[0]!.id;
  },
  'notification alone': async () => `ungrouped-${await makeNotification()}`,
  chat: async () => {
    const made = await makeChat(app, 'alice', 'carol');
    message = made.message;
    return made.chat;
  },
  media: async () => (await upload(app, 'alice')).id,
  post: async () => (await secret()).id,
  quoted: async () => {
    const { id } = await post(app, 'alice', 'psst', { visibility: 'private' });
    quoting = (await post(app, 'alice', 'see', { visibility: 'private', quote_id: id })).id;
    return id;
  },
  poll: async () => (await secret({ poll: { options: ['tea', 'milk'], expires_in: 600 } })).poll!.id,
  request: async () => {
    await app.sql('delete from follows where follower_id = $1', [app.world.id('carol')]);
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 0)', [
      app.world.id('carol'),
      app.world.id('alice'),
    ]);
    return app.world.id('carol');
  },
  'sign-in': async () => {
    const rows = await app.sql<{ id: string }>(
      `insert into oauth_tokens (app_id, account_id, token_hash, scopes, expires_at)
       select min(app_id), $1, $2, '{}', now() + interval '1 day' from oauth_tokens returning id`,
      [app.world.id('alice'), Buffer.from(`sign-in ${(serial += 1)}`)],
    );
    return rows[0]!.id;
  },
} satisfies Record<string, () => Promise<string>>;

const FLAKES = new Set<Kind>(['chat', 'folder', 'post', 'quoted']);
/** An unknown id; for follow requests, an account that sent none. */
const unknown = (kind: Kind) => (kind === 'request' ? app.world.id('bob') : FLAKES.has(kind) ? FLAKE : NUMBER);

/** The kind of resource that each route names in its path, and further input. */
const IN_PATHS: Readonly<Record<string, readonly [Kind, Values?]>> = {
  'DELETE /api/oauth_tokens/:id': ['sign-in'],
  'GET /api/v1/lists/:id': ['list'],
  'PUT /api/v1/lists/:id': ['list', { title: 'Mine' }],
  'DELETE /api/v1/lists/:id': ['list'],
  'GET /api/v1/lists/:id/accounts': ['list'],
  'POST /api/v1/lists/:id/accounts': ['list', { account_ids: [':carol'] }],
  'DELETE /api/v1/lists/:id/accounts': ['list', { account_ids: [':carol'] }],
  'GET /api/v1/timelines/list/:list_id': ['list'],
  'PATCH /api/v1/svc/bookmark_folders/:id': ['folder', { name: ':serial' }],
  'PATCH /api/svc/bookmark_folders/:id': ['folder', { name: ':serial' }],
  'DELETE /api/v1/svc/bookmark_folders/:id': ['folder'],
  'DELETE /api/svc/bookmark_folders/:id': ['folder'],
  ...inBothPrefixes({
    'GET chats/:id': ['chat'],
    'POST chats/:id/read': ['chat', { last_read_id: ':message_id' }],
    'GET chats/:id/messages': ['chat'],
    'POST chats/:id/messages': ['chat', { content: 'mine' }],
    'POST chats/:id/messages/:message_id/read': ['chat'],
    'DELETE chats/:chat_id/messages/:message_id': ['chat'],
  }),
  'GET /api/v1/filters/:id': ['older filter'],
  'PUT /api/v1/filters/:id': ['older filter', { phrase: 'mine', context: ['public'] }],
  'DELETE /api/v1/filters/:id': ['older filter'],
  'GET /api/v2/filters/:id': ['filter'],
  'PUT /api/v2/filters/:id': ['filter', { title: 'Mine', keywords_attributes: [{ keyword: 'mine' }] }],
  'DELETE /api/v2/filters/:id': ['filter'],
  'GET /api/v2/filters/:filter_id/keywords': ['filter'],
  'POST /api/v2/filters/:filter_id/keywords': ['filter', { keyword: 'mine' }],
  'GET /api/v2/filters/keywords/:id': ['keyword'],
  'PUT /api/v2/filters/keywords/:id': ['keyword', { keyword: 'mine' }],
  'DELETE /api/v2/filters/keywords/:id': ['keyword'],
  'GET /api/v2/filters/:filter_id/statuses': ['filter'],
  'POST /api/v2/filters/:filter_id/statuses': ['filter', { status_id: ':own' }],
  'GET /api/v2/filters/statuses/:id': ['filtered post'],
  'DELETE /api/v2/filters/statuses/:id': ['filtered post'],
  'GET /api/v1/scheduled_statuses/:id': ['scheduled'],
  'PUT /api/v1/scheduled_statuses/:id': ['scheduled', { scheduled_at: '2099-12-24T18:00:00Z' }],
  'DELETE /api/v1/scheduled_statuses/:id': ['scheduled'],
  'POST /api/v1/conversations/:id/read': ['conversation'],
  'POST /api/v1/conversations/:id/unread': ['conversation'],
  'DELETE /api/v1/conversations/:id': ['conversation'],
  'GET /api/v1/svc/conversations/:id': ['conversation'],
  'GET /api/svc/conversations/:id': ['conversation'],
  'PATCH /api/v1/svc/conversations/:id': ['conversation', { recipients: [':carol'] }],
  'PATCH /api/svc/conversations/:id': ['conversation', { recipients: [':carol'] }],
  'GET /api/v1/svc/conversations/:id/statuses': ['conversation'],
  'GET /api/svc/conversations/:id/statuses': ['conversation'],
  'GET /api/v1/notifications/:id': ['notification'],
  'POST /api/v1/notifications/:id/dismiss': ['notification'],
  'GET /api/v1/notifications/requests/:id': ['notification request'],
  'POST /api/v1/notifications/requests/:id/accept': ['notification request'],
  'POST /api/v1/notifications/requests/:id/dismiss': ['notification request'],
  'GET /api/v2/notifications/:group_key': ['notification alone'],
  'GET /api/v2/notifications/:group_key/accounts': ['notification alone'],
  'POST /api/v2/notifications/:group_key/dismiss': ['notification alone'],
  'GET /api/v1/media/:id': ['media'],
  'DELETE /api/v1/media/:id': ['media'],
  'PUT /api/v1/media/:id': ['media', { description: 'mine' }],
  'GET /api/v1/polls/:id': ['poll'],
  'POST /api/v1/follow_requests/:id/authorize': ['request'],
  'POST /api/v1/follow_requests/:id/reject': ['request'],
  'GET /api/v1/statuses/:id': ['post'],
  'PUT /api/v1/statuses/:id': ['post', { status: 'mine' }],
  'DELETE /api/v1/statuses/:id': ['post'],
  'PUT /api/v1/statuses/:id/interaction_policy': ['post', { quote_approval_policy: 'nobody' }],
  'POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke': ['quoted'],
  'GET /api/v1/statuses/:id/context': ['post'],
  'GET /api/v1/statuses/:id/source': ['post'],
  'GET /api/v1/statuses/:id/history': ['post'],
  'GET /api/v1/statuses/:id/favourited_by': ['post'],
  'GET /api/v1/statuses/:id/reblogged_by': ['post'],
  'POST /api/v1/statuses/:id/favourite': ['post'],
  'POST /api/v1/statuses/:id/unfavourite': ['post'],
  'POST /api/v1/statuses/:id/unreblog': ['post'],
  'POST /api/v1/statuses/:id/unpin': ['post'],
  'POST /api/v1/statuses/:id/bookmark': ['post'],
  'POST /api/v1/statuses/:id/unbookmark': ['post'],
  'POST /api/v1/statuses/:id/mute': ['post'],
  'POST /api/v1/statuses/:id/unmute': ['post'],
  'GET /api/v1/statuses/:id/card': ['post'],
  'GET /api/v1/statuses/:id/quotes': ['post'],
  'GET /api/v1/svc/statuses/:id/quotes': ['post'],
  'GET /api/svc/statuses/:id/quotes': ['post'],
  'GET /api/v1/svc/statuses/:id/reactions': ['post'],
  'GET /api/svc/statuses/:id/reactions': ['post'],
  'GET /api/v1/svc/statuses/:id/reactions/:emoji': ['post'],
  'GET /api/svc/statuses/:id/reactions/:emoji': ['post'],
  'PUT /api/v1/svc/statuses/:id/reactions/:emoji': ['post'],
  'PUT /api/svc/statuses/:id/reactions/:emoji': ['post'],
  'DELETE /api/v1/svc/statuses/:id/reactions/:emoji': ['post'],
  'DELETE /api/svc/statuses/:id/reactions/:emoji': ['post'],
};

/** Actions that even the owner may not take: boosting or pinning a direct post, voting in an own poll. */
const REFUSED_TO_OWNER: Readonly<Record<string, readonly [Kind, Values?]>> = {
  'POST /api/v1/statuses/:id/reblog': ['post'],
  'POST /api/v1/statuses/:id/pin': ['post'],
  'POST /api/v1/polls/:id/votes': ['poll', { choices: [0] }],
};

/** Actions that only the author may take, also on public posts. */
const OF_THE_AUTHOR: readonly (readonly [call: string, Values])[] = [
  ['PUT /api/v1/statuses/:id', { status: 'mine' }],
  ['DELETE /api/v1/statuses/:id', {}],
  ['PUT /api/v1/statuses/:id/interaction_policy', { quote_approval_policy: 'nobody' }],
  ['GET /api/v1/statuses/:id/source', {}],
];

/** Paths that name resources without an owner: accounts, tags, announcements, frontends, methods of signing in. */
const SHARED = /\/(accounts|by-account-id|tags|tag|announcements|suggestions|settings|mfa(\/\w+)?)\/:/;

/** Ids in queries and bodies. `:id` is the resource, `:own` a post and `:filter` a filter of the caller. */
const IN_INPUT: readonly (readonly [call: string, Kind, Values])[] = [
  ['post /api/v1/statuses', 'media', { status: 'mine', media_ids: [':id'] }],
  ['post /api/v1/statuses', 'media', { status: 'later', media_ids: [':id'], scheduled_at: '2099-12-24T18:00:00Z' }],
  ['post /api/v1/statuses', 'conversation', { status: 'mine', in_reply_to_conversation_id: ':id' }],
  ['post /api/v1/statuses', 'post', { status: 'mine', in_reply_to_id: ':id', visibility: 'direct' }],
  ['put /api/v1/statuses/:own', 'media', { status: 'mine', media_ids: [':id'] }],
  ['get /api/v1/bookmarks', 'folder', { folder_id: ':id' }],
  ['post /api/v1/statuses/:own/bookmark', 'folder', { folder_id: ':id' }],
  ['post /api/v2/filters/:filter/statuses', 'post', { status_id: ':id' }],
  ['get /api/v1/streaming/list', 'list', { list: ':id' }],
  ['put /api/v2/filters/:filter', 'keyword', { keywords_attributes: [{ id: ':id', keyword: 'mine' }] }],
  ['put /api/v2/filters/:filter', 'keyword', { keywords_attributes: [{ id: ':id', _destroy: true }] }],
  ['post /api/v1/notifications/dismiss', 'notification', { id: ':id' }],
  ['delete /api/v1/notifications/destroy_multiple', 'notification', { ids: [':id'] }],
  ['post /api/v1/notifications/requests/accept', 'notification request', { id: [':id'] }],
  ['post /api/v1/notifications/requests/dismiss', 'notification request', { id: [':id'] }],
  ['post /api/v1/svc/notifications/read', 'notification', { id: ':id' }],
  ['post /api/svc/notifications/read', 'notification', { id: ':id' }],
];

/** Routes that ignore unknown ids and return 200. */
const MANY = new Set([
  'get /api/v1/bookmarks',
  'delete /api/v1/notifications/destroy_multiple',
  'post /api/v1/notifications/requests/accept',
  'post /api/v1/notifications/requests/dismiss',
]);

beforeAll(async () => {
  [alice, bob] = await Promise.all([app.world.as('alice'), app.world.as('bob')]);
  await app.world.follow('alice', 'bob');
  await app.world.follow('bob', 'alice');
  for (const name of ['alice', 'bob']) await app.world.follow(name, 'carol');
  for (const client of [alice, bob]) {
    own.set(client, {
      post: (await ok(client.post('/api/v1/statuses', { status: 'here' }))).id,
      filter: (await ok<{ id: string }>(client.post('/api/v2/filters', TEA))).id,
    });
    await client.get('/api/v1/accounts/relationships'); // notes that they are active
  }
});
afterAll(() => {
  console.log(`ownership: ${refused} rightly refused, ${allowed} rightly allowed`);
});

const OWNED = { ...IN_PATHS, ...REFUSED_TO_OWNER };

it('lists every route that names an owned resource', () => {
  const named = builtEndpoints().filter(
    ({ path, access }) => path.includes('/:') && (access === 'user' || access === 'optional') && !SHARED.test(path),
  );
  expect(Object.keys(OWNED).sort()).toEqual(named.map(({ method, path }) => `${method} ${path}`).sort());
});

function inBothPrefixes(routes: Readonly<Record<string, readonly [Kind, Values?]>>) {
  return Object.fromEntries(
    Object.entries(routes).flatMap(([route, given]) => {
      const [method = '', path = ''] = route.split(' ');
      return ['/api/v1/svc', '/api/svc'].map((prefix) => [`${method} ${prefix}/${path}`, given] as const);
    }),
  );
}

function send(client: Client, call: string, id: string, values: Values = {}) {
  const mine = own.get(client)!;
  const known = new Map(
    Object.entries({
      own: mine.post,
      filter: mine.filter,
      carol: app.world.id('carol'),
      serial: `Mine ${serial}`,
      message_id: message,
      quoting_status_id: quoting,
      emoji: encodeURIComponent('🍵'),
      id,
    }),
  );
  const fill = (text: string) =>
    text.replace(/:(own|filter|carol|serial|emoji|message_id|quoting_status_id|id)\b/g, (_, name: string) =>
      known.get(name)!,
    );
  const [method = '', path = ''] = call.split(' ');
  const filled = JSON.parse(fill(JSON.stringify(values))) as Values;
  return client[method.toLowerCase() as Method](fill(path.replace(/:(list|filter|chat)_id|:group_key/, ':id')), filled);
}

/** Bob requests alice's resource and an unknown one, and must get the same answer. */
async function expectNothing(
  call: string,
  kind: Kind,
  id: string,
  values: Values = {},
  answers: readonly number[] = [404],
): Promise<void> {
  const before = await fingerprint(app);
  const theirs = await send(bob, call, id, values);
  const nobodys = await send(bob, call, unknown(kind), values);
  expect([theirs.status, theirs.text]).toEqual([nobodys.status, nobodys.text.replaceAll(unknown(kind), id)]);
  expect(answers).toContain(theirs.status);
  expect(await fingerprint(app)).toEqual(before);
  refused += 1;
}

describe('V8 V9 a resource of another account', () => {
  it.each(Object.entries(IN_PATHS))('gets the answer of an unknown id: %s', async (call, [kind, values]) => {
    const id = await MAKE[kind]();
    await expectNothing(call, kind, id, values);
    const { status, text } = await send(alice, call, id, values);
    expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
    allowed += 1;
  });

  it.each(Object.entries(REFUSED_TO_OWNER))(
    'gets the answer of an unknown id when the owner is refused too: %s',
    async (call, [kind, values]) => {
      const id = await MAKE[kind]();
      await expectNothing(call, kind, id, values);
      expect((await send(alice, call, id, values)).status).not.toBe(404);
    },
  );

  it.each(OF_THE_AUTHOR)('gets the answer of an unknown id although it is a public post: %s', async (call, values) => {
    const { id } = await post(app, 'alice', 'for everybody');
    await expectNothing(call, 'post', id, values);
    expect((await send(alice, call, id, values)).status).toBe(200);
    allowed += 1;
  });

  it('V9 cannot be pinned although it is a public post', async () => {
    const { id } = await post(app, 'alice', 'for everybody');
    const before = await fingerprint(app);
    const refusal = { error: "Someone else's status cannot be pinned" };
    await bob.post(`/api/v1/statuses/${id}/pin`).expect(422, refusal);
    expect(await fingerprint(app)).toEqual(before);
  });

  it('cannot be quoted', async () => {
    const id = await MAKE.post();
    await expectNothing('post /api/v1/statuses', 'post', id, { status: 'mine', quote_id: ':id' }, [404, 422]);
  });

  it.each(IN_INPUT)(
    'gets the answer of an unknown id in the input: %s with the id of a %s',
    async (call, kind, values) => {
      const id = await MAKE[kind]();
      await expectNothing(call, kind, id, values, MANY.has(call) ? [200] : [404, 422]);
      expect((await send(alice, call, id, values)).status).toBe(200);
      allowed += 1;
    },
  );
});
