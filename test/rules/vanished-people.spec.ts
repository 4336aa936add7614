import { UsersService } from '../../src/accounts/index.js';
import { useApp } from '../support/servers/app.js';
import { makeChat } from '../support/fixtures/chats.js';
import { builtEndpoints, type Endpoint } from '../support/fixtures/endpoints.js';
import { ok, post, reblog } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';

/*
 * The traces of an account that is deactivated or blocks the viewer (threats V10, V15): a friend bookmarked, boosted,
 * favourited and answered its posts, exchanged direct messages and chat messages with it, has it on a list and endorses it.
 * Every reading route is requested before and after.
 */

/** Without streams, which send nothing old, and without public routes that name nothing in their path. */
const reading = builtEndpoints().filter(
  ({ method, access, path }) =>
    method === 'GET' && !path.includes('/streaming') && (access !== 'public' || path.includes('/:')),
);

const app = useApp({ people: ['ann', 'friend', 'other'] });
let friend: Client;
let ids: Record<string, string>;

beforeEach(async () => {
  await app.sql(
    `update accounts set hide_favorites = false, discoverable = true, display_name = 'canary-name' where nickname = 'ann'`,
  );
  for (const name of ['friend', 'other']) await app.world.follow(name, 'ann');
  await app.world.follow('ann', 'friend');
  friend = await app.world.as('friend');
  const ann = app.world.id('ann');
  const { id: list } = await ok<{ id: string }>(friend.post('/api/v1/lists', { title: 'people' }));
  await ok(friend.post(`/api/v1/lists/${list}/accounts`, { account_ids: [ann] }));
  await ok(friend.post(`/api/v1/accounts/${ann}/pin`));
  const poll = { options: ['canary-open', 'b'], expires_in: 600 };
  const open = await post(app, 'ann', '@friend canary-open #canary', { poll });
  const close = await post(app, 'ann', '@other canary-private', { visibility: 'private' });
  const direct = await post(app, 'ann', '@friend canary-direct', { visibility: 'direct' });
  for (const { id } of [open, close]) {
    for (const action of ['favourite', 'bookmark']) await ok(friend.post(`/api/v1/statuses/${id}/${action}`));
  }
  await ok((await app.world.as('ann')).post(`/api/v1/statuses/${open.id}/pin`));
  const boost = await reblog(app, 'friend', open.id);
  const reply = await post(app, 'friend', 'an answer', { in_reply_to_id: open.id });
  await ok((await app.world.as('ann')).post('/api/v1/svc/scrobble', { title: 'canary-open' }));
  await app.sql('insert into suggested_accounts (account_id) values ($1)', [ann]);
  await app.drain();
  const { chat } = await makeChat(app, 'friend', 'ann', 'canary-chat');
  ids = { list, ann, chat, open: open.id, close: close.id, boost: boost.id, reply: reply.id, poll: open.poll!.id };
  const conversations = await ok<{ id: string }[]>(friend.get('/api/v1/conversations'));
  ids['conversation'] = conversations[0]!.id;
  expect(direct.svc.direct_conversation_id).not.toBeNull();
});

/** The paths of a route: with each of the posts if it names a post, and with ann or her friend if it names an account. */
function pathsOf({ path }: Endpoint): string[] {
  const of = (...names: string[]) => names.map((name) => path.replace(/:\w+/, ids[name] ?? name).replace(/:\w+/, 'x'));
  if (/\/statuses\/:/.test(path)) return of('open', 'close', 'boost', 'reply');
  if (/\/accounts\/:id\/statuses/.test(path)) return of('ann').flatMap((all) => [all, `${all}?pinned=true`]);
  if (/\/accounts\/:/.test(path)) return [...of('ann'), ...of(app.world.id('friend'))];
  if (/conversations\/:/.test(path)) return of('conversation');
  if (/polls\/:/.test(path)) return of('poll');
  if (/chats\/:/.test(path)) return of('chat');
  if (/lists?\/:/.test(path)) return of('list');
  return path.includes(':hashtag') ? of('canary') : of('ann');
}

/** The paths that show one of the words to the client. */
async function places(client: Client, words: RegExp): Promise<string[]> {
  const query = {
    ids: [ids['open'], ids['close'], ids['boost']],
    acct: 'ann',
    q: 'ann',
    list: ids['list'],
    tag: 'canary',
  };
  const paths = reading.flatMap(pathsOf);
  const answers = await Promise.all(paths.map((path) => client.get(path, query)));
  return paths.filter((_, at) => words.test(answers[at]!.text));
}

describe('an account', () => {
  it('V15 that is deactivated is shown nowhere to anyone, and everywhere again after its reactivation', async () => {
    const users = app.get(UsersService);
    const words = /canary-(open|private|direct|chat|name)/;
    const clients = { friend, other: await app.world.as('other'), anonymous: app.world.anonymous };
    const before = new Map<string, string[]>();
    for (const [name, client] of Object.entries(clients)) before.set(name, await places(client, words));
    expect(before.get('friend')!.length).toBeGreaterThan(25);
    await users.setActive(app.world.id('ann'), false);
    for (const client of Object.values(clients)) expect(await places(client, words)).toEqual([]);
    await app.drain();
    for (const client of Object.values(clients)) expect(await places(client, words)).toEqual([]);
    await users.setActive(app.world.id('ann'), true);
    expect(await places(app.world.anonymous, words)).toEqual(before.get('anonymous'));
  });

  it('V10 that blocks the viewer hides its followers-only posts from the viewer and refuses all interactions', async () => {
    expect((await places(friend, /canary-private/)).length).toBeGreaterThan(5);
    await ok((await app.world.as('ann')).post(`/api/v1/accounts/${app.world.id('friend')}/block`));
    expect(await places(friend, /canary-private/)).toEqual([]);
    await app.drain();
    expect(await places(friend, /canary-private/)).toEqual([]);
    const refused = async (method: 'post' | 'put', path: string, values = {}) =>
      expect([400, 403, 404, 422]).toContain((await friend[method](path, values)).status);
    await refused('post', `/api/v1/accounts/${ids['ann']}/follow`);
    await refused('post', '/api/v1/follows', { uri: 'ann' });
    await refused('post', `/api/v1/accounts/${ids['ann']}/pin`);
    await refused('post', `/api/v1/lists/${ids['list']}/accounts`, { account_ids: [ids['ann']] });
    await refused('post', `/api/v1/polls/${ids['poll']}/votes`, { choices: [0] });
    await refused('put', `/api/v1/svc/statuses/${ids['open']}/reactions/${encodeURIComponent('🍵')}`);
    for (const action of ['favourite', 'reblog']) await refused('post', `/api/v1/statuses/${ids['open']}/${action}`);
    await post(app, 'friend', '@ann psst', { visibility: 'direct' });
    await app.drain();
    const ann = await app.world.as('ann');
    expect(JSON.stringify(await ok<object>(ann.get('/api/v1/notifications')))).not.toContain('psst');
    expect(JSON.stringify(await ok<object>(ann.get('/api/v1/conversations')))).not.toContain('psst');
  });
});
