import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Response } from 'express';
import pg from 'pg';
import { AccountDeletionService, AccountsService, AccountView, UsersService } from '../../src/accounts/index.js';
import { SettingsService } from '../../src/config/index.js';
import { ReadCaches } from '../../src/platform/index.js';
import { eventually } from '../support/eventually.js';
import { ok, post, reblog } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';
import type { Client } from '../support/fixtures/world.js';
import { countQueries } from '../support/queries.js';
import { startApp, useApp } from '../support/servers/app.js';
import { staleRounds } from '../support/stale-rounds.js';

/*
 * ADR 25: cached values equal what a new read returns, after every kind of change. The same scene is read by several viewers,
 * changed, and read twice: with the cached values, and again after all of them were invalidated.
 */

const VIEWERS = ['alice', 'bob', 'carol', 'anonymous'] as const;
const ROUNDS = 100;

type Viewer = (typeof VIEWERS)[number];

const agent = new Agent({ keepAlive: true, maxSockets: 10 });
afterAll(() => agent.destroy()); // before the server, which waits for its connections

const app = useApp({ once: ['alice', 'bob', 'carol', 'dave'] });
let clients: Record<Viewer, Client>;
const ids: Record<string, string> = {};

beforeAll(async () => {
  await app.world.person('root', { admin: true });
  const signedIn = async (name: string) => app.world.as(name, 'read', 'write', 'follow', 'push');
  clients = {
    alice: await signedIn('alice'),
    bob: await signedIn('bob'),
    carol: await signedIn('carol'),
    anonymous: app.world.anonymous,
  };
  for (const name of ['alice', 'bob', 'carol', 'dave']) ids[name] = app.world.id(name);
  await follow('bob', 'alice');
  await follow('alice', 'bob');
  const { id: media } = await upload(app, 'alice');
  ids['media'] = media;
  const poll = { options: ['tea', 'coffee'], expires_in: 86_400 };
  ids['public'] = (await post(app, 'alice', 'hello #tea', { media_ids: [media] })).id;
  ids['poll'] = (await post(app, 'alice', 'which?', { poll })).id;
  ids['private'] = (await post(app, 'alice', 'among us', { visibility: 'private' })).id;
  ids['direct'] = (await post(app, 'alice', 'psst @bob', { visibility: 'direct' })).id;
  ids['other'] = (await post(app, 'carol', 'from carol to @bob')).id;
  ids['reply'] = (await post(app, 'carol', '@alice yes', { in_reply_to_id: ids['public'] })).id;
  ids['quote'] = (await post(app, 'bob', 'look', { quote_id: ids['public'] })).id;
  ids['boost'] = (await reblog(app, 'bob', ids['other'])).id;
  await app.drain();
  await scene();
});

async function follow(who: string, whom: string): Promise<void> {
  await ok(clients[who as Viewer].post(`/api/v1/accounts/${ids[whom]}/follow`));
}

const SURFACES = [
  'api/v1/timelines/home',
  'api/v1/timelines/public',
  'api/v1/timelines/public?local=true',
  'api/v1/notifications',
  'api/v1/accounts/verify_credentials',
  ...['alice', 'bob', 'carol'].flatMap((name) => [
    `api/v1/accounts/{${name}}`,
    `api/v1/accounts/{${name}}?with_relationships=true`,
    `api/v1/accounts/{${name}}/statuses`,
  ]),
  'api/v1/accounts/lookup?acct=alice',
  'api/v1/accounts/lookup?acct=carol',
  'api/v1/accounts/relationships?id[]={alice}&id[]={bob}&id[]={carol}&id[]={dave}',
  ...['public', 'poll', 'private', 'direct', 'other', 'reply', 'quote', 'boost'].map(
    (name) => `api/v1/statuses/{${name}}`,
  ),
  'api/v1/statuses/{public}/context',
];
/** The same for all viewers. */
const DOCUMENTS = ['alice', 'bob', 'carol'].flatMap((name) => [
  `users/${name}`,
  `.well-known/webfinger?resource=acct:${name}@svc.test`,
]);

/** Runs work as the handler of a request does. */
function duringRequest(work: () => Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    app.get(ReadCaches).observe(undefined, {} as Response, () => void work().then(resolve, reject));
  });
}

/** A plain request: there are 15,000 of them, and the client of other tests takes as long as the server. */
async function ask({ token }: Client, path: string): Promise<{ status: number; body: string }> {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  const { port } = app.nest.getHttpServer().address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, path, agent, headers }, resolve).on('error', reject);
  });
  return { status: response.statusCode ?? 0, body: await text(response) };
}

/** What each viewer gets from each surface. */
async function scene(): Promise<Map<string, unknown>> {
  const read = async (viewer: Viewer, surface: string): Promise<[string, unknown]> => {
    const path = surface.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
    const { status, body } = await ask(clients[viewer], `/${path}`);
    return [`${viewer}: ${surface}`, [status, body.replace(/"chat_token":"[^"]*"/, '')]]; // sealed anew each time
  };
  const answers = [
    ...VIEWERS.flatMap((viewer) => SURFACES.map((surface) => read(viewer, surface))),
    ...DOCUMENTS.map((surface) => read('anonymous', surface)),
  ];
  return new Map(await Promise.all(answers));
}

/** Makes a change to what was read before; returns the surfaces on which cached values differ from a new read. */
async function staleAfter(change: () => Promise<unknown>): Promise<string[]> {
  await change();
  const cached = await scene();
  app.invalidateReads();
  const fresh = await scene();
  return [...fresh]
    .filter(([surface, answer]) => JSON.stringify(cached.get(surface)) !== JSON.stringify(answer))
    .map(([surface]) => surface);
}

const api =
  (viewer: Viewer, method: 'post' | 'put' | 'patch' | 'delete', path: string, values: Record<string, unknown> = {}) =>
  async () => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
    const { status, body } = await clients[viewer][method](`/api/v1/${filled}`, values);
    expect({ path, status, body: status < 300 ? {} : (body as unknown) }).toEqual({ path, status: 200, body: {} });
    if (typeof (body as { id?: unknown }).id === 'string') ids['last'] = (body as { id: string }).id;
  };
const sql =
  (text: string, ...names: string[]) =>
  () =>
    app.sql(
      text,
      names.map((name) => ids[name]!),
    );

type Change = readonly [title: string, change: () => Promise<unknown>];

/** In the order in which they build on each other. */
const CHANGES: readonly Change[] = [
  ['a favourite', api('bob', 'post', 'statuses/{public}/favourite')],
  ['the end of a favourite', api('bob', 'post', 'statuses/{public}/unfavourite')],
  ['a boost', api('bob', 'post', 'statuses/{public}/reblog')],
  ['its fan-out', () => app.drain()],
  ['the end of a boost', api('bob', 'post', 'statuses/{public}/unreblog')],
  ['a bookmark', api('bob', 'post', 'statuses/{public}/bookmark')],
  ['the end of a bookmark', api('bob', 'post', 'statuses/{public}/unbookmark')],
  ['a pin', api('alice', 'post', 'statuses/{public}/pin')],
  ['the end of a pin', api('alice', 'post', 'statuses/{public}/unpin')],
  ['a reaction', api('carol', 'put', 'svc/statuses/{public}/reactions/🐈')],
  ['the end of a reaction', api('carol', 'delete', 'svc/statuses/{public}/reactions/🐈')],
  [
    'a vote',
    async () => {
      const { body } = await clients.bob.get(`/api/v1/statuses/${ids['poll']}`);
      ids['vote'] = (body as { poll: { id: string } }).poll.id;
      await api('bob', 'post', 'polls/{vote}/votes', { choices: [0] })();
    },
  ],
  ['a muted thread', api('alice', 'post', 'statuses/{public}/mute')],
  ['the end of a muted thread', api('alice', 'post', 'statuses/{public}/unmute')],
  ['a mute', api('alice', 'post', 'accounts/{bob}/mute')],
  ['the end of a mute', api('alice', 'post', 'accounts/{bob}/unmute')],
  ['a note about an account', api('alice', 'post', 'accounts/{carol}/note', { comment: 'kind' })],
  ['an endorsement', api('alice', 'post', 'accounts/{bob}/pin')],
  ['the end of an endorsement', api('alice', 'post', 'accounts/{bob}/unpin')],
  ['a reply', () => post(app, 'bob', 'me too', { in_reply_to_id: ids['public'] })],
  ['its jobs', () => app.drain()],
  ['a mention', () => post(app, 'carol', '@bob @alice look')],
  ['its notifications', () => app.drain()],
  ['a quote', () => post(app, 'carol', 'quoting', { quote_id: ids['public'] })],
  ['its jobs too', () => app.drain()],
  ['a direct message', () => post(app, 'carol', '@alice psst', { visibility: 'direct' })],
  ['read notifications', api('alice', 'post', 'svc/notifications/read', { max_id: '999999' })],
  ['cleared notifications', api('alice', 'post', 'notifications/clear')],
  ['read conversations', api('alice', 'post', 'svc/conversations/read')],
  ['an edit', api('alice', 'put', 'statuses/{public}', { status: 'hello again #coffee', spoiler_text: 'drinks' })],
  ['an edit of a quoted reply', api('carol', 'put', 'statuses/{reply}', { status: '@alice no' })],
  ['an edit that mentions somebody new', api('alice', 'put', 'statuses/{private}', { status: 'among us, @carol' })],
  ['a described picture', api('alice', 'put', 'media/{media}', { description: 'a black cat' })],
  ['its job', () => app.drain()],
  ['a new name', api('alice', 'patch', 'accounts/update_credentials', { display_name: 'Alice' })],
  ['a locked account', api('carol', 'patch', 'accounts/update_credentials', { locked: 'true' })],
  ['a follow request', api('bob', 'post', 'accounts/{carol}/follow')],
  ['an accepted follow request', api('carol', 'post', 'follow_requests/{bob}/authorize')],
  ['the feed after a follow', () => app.drain()],
  ['a post without formatting', api('bob', 'patch', 'accounts/update_credentials', { no_rich_text: 'true' })],
  ['a filter', api('bob', 'post', 'filters', { phrase: 'look', context: ['home', 'public'] })],
  ['the end of a filter', api('bob', 'delete', 'filters/{last}')],
  ['an exclusive list', api('bob', 'post', 'lists', { title: 'quiet', exclusive: true })],
  [
    'a member of an exclusive list',
    async () => api('bob', 'post', 'lists/{last}/accounts', { account_ids: [ids['alice']] })(),
  ],
  [
    'a boost that is not wanted',
    async () => api('alice', 'post', `accounts/${ids['bob']}/follow`, { reblogs: false })(),
  ],
  ['the end of a follow', api('bob', 'post', 'accounts/{alice}/unfollow')],
  ['its feed', () => app.drain()],
  ['a follow', api('bob', 'post', 'accounts/{alice}/follow')],
  ['its feed too', () => app.drain()],
  ['a removed follower', api('alice', 'post', 'accounts/{bob}/remove_from_followers')],
  ['a new follow', api('bob', 'post', 'accounts/{alice}/follow')],
  ['a block', api('alice', 'post', 'accounts/{carol}/block')],
  ['its jobs also', () => app.drain()],
  ['the end of a block', api('alice', 'post', 'accounts/{carol}/unblock')],
  ['a changed setting', () => app.get(SettingsService).update([{ path: 'media_proxy.enabled', value: true }])],
  [
    'posts for members only',
    () =>
      app
        .get(SettingsService)
        .update([{ path: 'restrict_unauthenticated.activities', value: { local: true, remote: true } }]),
  ],
  [
    'posts for everybody',
    () =>
      app
        .get(SettingsService)
        .update([{ path: 'restrict_unauthenticated.activities', value: { local: false, remote: false } }]),
  ],
  ['a deactivated account', () => app.get(UsersService).setActive(ids['carol']!, false)],
  ['an activated account', () => app.get(UsersService).setActive(ids['carol']!, true)],
  [
    'a post that is for few now',
    sql('update statuses set visibility = 2, version = version + 1 where id = $1', 'other'),
  ],
  [
    'a post that is for all again',
    sql('update statuses set visibility = 0, version = version + 1 where id = $1', 'other'),
  ],
  ['a deleted post', api('alice', 'delete', 'statuses/{public}')],
  ['what follows from it', () => app.drain()],
  ['a deleted account', () => app.get(AccountDeletionService).delete(ids['carol']!)],
  ['the erasure of its posts', () => app.drain()],
];

describe('a cached value', () => {
  it.each(CHANGES)('equals a new read after %s', async (_title, change) => {
    expect(await staleAfter(change)).toEqual([]);
  });

  /** Each change is reported by the table alone, so without its report a cached value is stale. */
  it.each<readonly [table: string, text: string, ...names: string[]]>([
    [
      'accounts',
      `update accounts set display_name = display_name || '!', version = version + 1 where id = $1`,
      'alice',
    ],
    ['account_stats', 'update account_stats set followers_count = followers_count + 1 where account_id = $1', 'alice'],
    ['users', `update users set default_language = 'eo' where account_id = $1`, 'bob'],
    ['keys', `update keys set public_pem = 'none' where account_id = $1`, 'alice'],
    ['follows', 'delete from follows where follower_id = $1 and followee_id = $2', 'bob', 'alice'],
    ['blocks', 'insert into blocks (account_id, target_id) values ($1, $2)', 'alice', 'dave'],
    ['mutes', 'insert into mutes (account_id, target_id) values ($1, $2)', 'alice', 'dave'],
    [
      'account_notes',
      `insert into account_notes (account_id, target_id, comment) values ($1, $2, 'hm')`,
      'alice',
      'dave',
    ],
    ['favourites', 'insert into favourites (account_id, status_id) values ($1, $2)', 'alice', 'quote'],
    ['bookmarks', 'insert into bookmarks (account_id, status_id) values ($1, $2)', 'alice', 'quote'],
    ['statuses', 'update statuses set quote_uri = null, version = version + 1 where id = $1', 'quote'],
    ['status_stats', 'update status_stats set replies = replies + 1 where status_id = $1', 'quote'],
    ['pins', 'insert into pins (account_id, status_id) values ($1, $2)', 'bob', 'quote'],
    ['polls', 'update polls set voters_count = voters_count + 1 where status_id = $1', 'poll'],
    [
      'poll_options',
      'update poll_options set votes_count = votes_count + 1 from polls p where p.id = poll_id and p.status_id = $1',
      'poll',
    ],
    ['home_feed', 'delete from home_feed where account_id = $1', 'bob'],
    ['notifications', 'update notifications set seen = not seen where receiver_id = $1', 'bob'],
  ])('is found to be stale when %s reports nothing', async (table, text, ...names) => {
    await app.sql(`alter table ${table} disable trigger user`);
    expect(await staleAfter(sql(text, ...names))).not.toEqual([]);
    await app.sql(`alter table ${table} enable trigger user`);
  });

  it(`is never stale in ${ROUNDS} rounds of changes between reads`, async () => {
    await app.world.persons('erin', 'frank');
    expect(await staleRounds(app, [app.world], ROUNDS)).toEqual([]);
  }, 120_000);

  it('is never made of a row that was read before a change', async () => {
    const dave = await app.world.as('dave');
    const path = `/api/v1/accounts/${ids['dave']}`;
    await ok(clients.bob.get(path));
    await duringRequest(async () => {
      const row = await app.get(AccountsService).visible('dave');
      await ok(dave.patch('/api/v1/accounts/update_credentials', { display_name: 'Dave the Second' }));
      await app.get(AccountView).one(row, { viewerId: ids['bob'] });
    });
    const shown = await ok<{ display_name: string }>(clients.bob.get(path));
    expect(shown.display_name).toBe('Dave the Second');
  });

  it('is not used for the next post after its author or its app has changed', async () => {
    await app.world.person('gina');
    const gina = await app.world.as('gina', 'write');
    const draft = () => ok(gina.post('/api/v1/statuses', { status: 'hello', preview: true }));
    await draft();
    const { statements } = await countQueries(draft);
    for (const name of ['users.posting_defaults', 'oauth.app']) expect(statements).not.toContain(name);
    const id = app.world.id('gina');
    await app.sql(`update accounts set tags = '{mrf_tag:force-unlisted}' where id = $1`, [id]);
    expect((await draft()).visibility).toBe('unlisted');
    await app.sql(`update users set default_scope = 'private' where account_id = $1`, [id]);
    expect((await draft()).visibility).toBe('private');
    const appOf = 'select app_id from oauth_tokens where account_id = $1';
    await app.sql(`update oauth_apps set name = 'Renamed' where id in (${appOf})`, [id]);
    expect((await draft()).application).toMatchObject({ name: 'Renamed' });
  });

  it('of an unknown handle or address ends when an account gets it', async () => {
    const lookUp = (name: string) => () => app.world.anonymous.get(`/api/v1/accounts/lookup?acct=${name}@far.test`);
    const [newcomer, renamed] = [lookUp('newcomer'), lookUp('renamed')];
    const page = 'https://far.test/@newcomer';
    const storedAt = async () => {
      let id: string | undefined;
      await duringRequest(async () => (id = (await app.get(AccountsService).stored(page))?.id));
      return id;
    };
    for (const read of [newcomer, renamed]) await read().expect(404);
    expect(await storedAt()).toBeUndefined();
    expect((await countQueries(() => newcomer().expect(404))).statements).toEqual([]);
    expect((await countQueries(storedAt)).statements).toEqual([]);
    const { id } = await app.world.remote('newcomer', 'far.test');
    await newcomer().expect(200);
    await renamed().expect(404);
    expect(await storedAt()).toBeUndefined();
    await app.sql('update accounts set url = $2, version = version + 1 where id = $1', [id, page]);
    expect(await storedAt()).toBe(id);
    await app.sql(`update accounts set nickname = 'renamed', version = version + 1 where id = $1`, [id]);
    await renamed().expect(200);
    await newcomer().expect(404);
  });

  it('is invalid soon after another program has changed the database', async () => {
    await scene();
    const other = new pg.Client(app.address);
    await other.connect();
    await other.query(`update accounts set display_name = 'Changed', version = version + 1 where id = $1`, [
      ids['alice'],
    ]);
    await other.end();
    await eventually(async () => {
      const { display_name: name } = await ok<{ display_name: string }>(
        clients.bob.get(`/api/v1/accounts/${ids['alice']}`),
      );
      expect(name).toBe('Changed');
    });
  });

  it('is not invalidated by the first rush of statements after a start', async () => {
    const fresh = await startApp();
    try {
      await fresh.world.person('alice');
      const read = () => fresh.world.anonymous.get('/api/v1/accounts/alice').expect(200);
      await read();
      await Promise.all(Array.from({ length: 50 }, () => fresh.sql('select 1')));
      expect((await countQueries(read)).statements).toEqual([]);
    } finally {
      await fresh.close();
    }
  });
});
