import { BlocksService, FollowsService, type ListJson } from '../../src/accounts/index.js';
import type { StatusJson } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { connect, connectAs, isMarker, refused, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { useOpened } from '../support/servers/use.js';
import { answerUnknown, ok, post, reblog } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';

const app = useApp({ people: ['reader', 'alice', 'bob', 'carol'], listening: true });
let reader: Client;
let list: ListJson;
const opened = useOpened();

beforeEach(async () => {
  for (const name of ['alice', 'bob']) await app.world.follow('reader', name);
  reader = await app.world.as('reader');
  list = await ok<ListJson>(reader.post('/api/v1/lists', { title: 'people' }));
  await members('post', 'alice');
});
const id = (name: string) => app.world.id(name);
const members = (verb: 'post' | 'delete', ...names: string[]) =>
  reader[verb](`/api/v1/lists/${list.id}/accounts`, { account_ids: names.map(id) }).expect(200);
const change = (options: object) => reader.put(`/api/v1/lists/${list.id}`, { title: 'people', ...options }).expect(200);
const open = (query: Record<string, string>) => opened(connectAs(app, 'reader', query));
const openList = () => open({ stream: 'list', list: list.id });

/** The events since the last call: stream and id of the post. */
async function arrived(socket: TestSocket): Promise<string[]> {
  await sendMarker(app, ['reader']);
  const frames = (await socket.until(isMarker)).filter(({ event }) => event === 'update' || event === 'delete');
  return frames.map(({ event, stream, payload = '' }) =>
    event === 'delete'
      ? `${stream.join()} gone ${payload}`
      : `${stream.join()} ${(JSON.parse(payload) as StatusJson).id}`,
  );
}

/** A socket that also reads an open stream, which carries the marker. */
async function marked(socket: TestSocket): Promise<TestSocket> {
  await socket.subscribe('public:remote', { instance: 'nobody.test' });
  await socket.subscribe('public:local:media');
  return socket;
}

describe('the stream of a list', () => {
  it('W1 is open to its owner only, with the scope, in the query and by message', async () => {
    const socket = await openList();
    const label = { stream: 'list', list: list.id };
    const reply = (type: string, result: object) => ({
      stream: [],
      event: 'svc:respond',
      payload: { type, ...result },
    });
    expect(await socket.ask({ type: 'subscribe', ...label })).toEqual(reply('subscribe', { result: 'ignored' }));
    expect(await socket.ask({ type: 'unsubscribe', ...label })).toEqual(reply('unsubscribe', { result: 'success' }));
    expect(await socket.ask({ type: 'subscribe', ...label })).toEqual(reply('subscribe', { result: 'success' }));
    const { token } = await app.world.as('carol');
    const { token: narrow } = await app.world.as('reader', 'read:statuses');
    const missing = { status: 404, body: { error: 'Not found' } };
    expect(await refused(app, { ...label, access_token: token })).toMatchObject(missing);
    for (const unknown of ['9223372036854775807', '99999999999999999999', 'x', '']) {
      expect(await refused(app, { ...label, list: unknown, access_token: reader.token })).toMatchObject(missing);
    }
    expect(await refused(app, { stream: 'list', access_token: reader.token })).toMatchObject(missing);
    expect((await refused(app, label)).status).toBe(401);
    expect((await refused(app, { ...label, access_token: narrow })).status).toBe(403);
    const other = await opened(connectAs(app, 'carol'));
    const bad = reply('subscribe', { result: 'error', error: 'bad_topic' });
    expect(await other.ask({ type: 'subscribe', ...label })).toEqual(bad);
    const visitor = await opened(connect(app));
    const unauthorized = reply('subscribe', { result: 'error', error: 'unauthorized' });
    expect(await visitor.ask({ type: 'subscribe', ...label })).toEqual(unauthorized);
  });

  it('sends posts and boosts of members from the moment they join the list', async () => {
    const socket = await marked(await openList());
    const { id: open } = await post(app, 'alice', 'open');
    const { id: secret } = await post(app, 'alice', 'for friends', { visibility: 'private' });
    await post(app, 'alice', '@carol secret', { visibility: 'direct' });
    const { id: byBob } = await post(app, 'bob', 'not on it');
    const boost = await reblog(app, 'alice', byBob);
    const label = `list,${list.id}`;
    expect(await arrived(socket)).toEqual([`${label} ${open}`, `${label} ${secret}`, `${label} ${boost.id}`]);
    await members('post', 'bob');
    const { id: now } = await post(app, 'bob', 'on it');
    expect(await arrived(socket)).toEqual([`${label} ${now}`]);
    await members('delete', 'alice');
    await post(app, 'alice', 'not any more');
    await app.get(FollowsService).unfollow(id('reader'), id('bob'));
    await post(app, 'bob', 'nor this');
    expect(await arrived(socket)).toEqual([]);
  });

  it('sends a post once, as the list shows it, but for boosts that are hidden or not wanted', async () => {
    await members('post', 'bob');
    const socket = await marked(await openList());
    const sent = async () => (await arrived(socket)).map((line) => line.replace(`list,${list.id} `, ''));
    const boostOfBoth = async (statusId: string) => {
      await reblog(app, 'alice', statusId);
      return (await reblog(app, 'bob', statusId)).id;
    };
    const own = await post(app, 'alice', 'own');
    await reblog(app, 'bob', own.id);
    const { id: byCarol } = await post(app, 'carol', 'not on it');
    const boost = await reblog(app, 'alice', byCarol);
    await reblog(app, 'bob', byCarol);
    expect(await sent()).toEqual([own.id, boost.id]);
    const page = await ok<StatusJson[]>(reader.get(`/api/v1/timelines/list/${list.id}`));
    expect(page.map((entry) => entry.id)).toEqual([boost.id, own.id]);

    await app.get(FollowsService).follow(id('reader'), id('alice'), { reblogs: false });
    expect([await boostOfBoth((await post(app, 'carol', 'unwanted')).id)]).toEqual(await sent());
    await app.get(FollowsService).follow(id('reader'), id('alice'), { reblogs: true });
    await app.get(BlocksService).mute(id('reader'), id('alice'));
    expect([await boostOfBoth((await post(app, 'carol', 'hidden')).id)]).toEqual(await sent());
  });

  it('sends replies by the policy of the list, and no boosts where the follow hides boosts', async () => {
    const socket = await marked(await openList());
    const roots = await Promise.all(['alice', 'bob', 'carol', 'reader'].map((name) => post(app, name, 'root')));
    const answers = async () => {
      await arrived(socket);
      for (const root of roots) await post(app, 'alice', 'answer', { in_reply_to_id: root.id });
      return (await arrived(socket)).length;
    };
    expect(await answers()).toBe(2); // to alice and to the reader
    await change({ replies_policy: 'followed' });
    expect(await answers()).toBe(3);
    await change({ replies_policy: 'none' });
    expect(await answers()).toBe(2);
    await app.world.remote('zoe', 'far.test');
    await app.world.follow('reader', 'zoe@far.test');
    await app.sql('update follows set state = 1');
    await members('post', 'zoe@far.test');
    await answerUnknown(app, id('zoe@far.test'));
    await app.get(FollowsService).follow(id('reader'), id('alice'), { reblogs: false });
    await reblog(app, 'alice', roots[1]!.id);
    expect(await arrived(socket)).toEqual([]);
  });

  it('sends posts of its owner, and of an account that was asked once it has accepted', async () => {
    await app.world.person('dora', { locked: true });
    await app.world.follow('reader', 'dora');
    await members('post', 'reader', 'dora');
    const socket = await marked(await openList());
    await post(app, 'dora', 'not yet');
    const own = await post(app, 'reader', 'mine');
    expect(await arrived(socket)).toEqual([`list,${list.id} ${own.id}`]);
    await app.get(FollowsService).accept(id('dora'), id('reader'));
    const accepted = await post(app, 'dora', 'now');
    expect(await arrived(socket)).toEqual([`list,${list.id} ${accepted.id}`]);
  });

  it('sends posts to a token with the scope for lists alone, and no posts of muted members', async () => {
    const { token } = await app.world.as('reader', 'read:lists');
    const socket = await marked(await opened(connect(app, { stream: 'list', list: list.id, access_token: token })));
    const { id: secret } = await post(app, 'alice', 'for friends', { visibility: 'private' });
    expect(await arrived(socket)).toEqual([`list,${list.id} ${secret}`]);
    await app.get(BlocksService).mute(id('reader'), id('alice'));
    await post(app, 'alice', 'not sent');
    expect(await arrived(socket)).toEqual([]);
  });

  it('sends the deletion of a post only if the reader could see the post', async () => {
    const socket = await marked(await openList());
    const alice = await app.world.as('alice');
    const gone = await post(app, 'alice', 'for friends', { visibility: 'private' });
    const secret = await post(app, 'alice', '@carol secret', { visibility: 'direct' });
    await arrived(socket);
    for (const one of [gone, secret]) await alice.delete(`/api/v1/statuses/${one.id}`).expect(200);
    expect(await arrived(socket)).toEqual([`list,${list.id} gone ${gone.id}`]);
  });

  it('keeps the members of an exclusive list out of the user stream', async () => {
    const socket = await open({ stream: 'user' });
    await socket.subscribe('list', { list: list.id });
    const first = await post(app, 'alice', 'first');
    expect(await arrived(socket)).toEqual([`user ${first.id}`, `list,${list.id} ${first.id}`]);
    await change({ exclusive: true });
    const second = await post(app, 'alice', 'second');
    const byBob = await post(app, 'bob', 'at home');
    expect(await arrived(socket)).toEqual([`list,${list.id} ${second.id}`, `user ${byBob.id}`]);
  });
});

describe('the user stream of a follower of a tag', () => {
  it('sends public posts with the tag once, like the home timeline', async () => {
    await post(app, 'carol', '#tea #fog');
    for (const tag of ['tea', 'fog']) await reader.post(`/api/v1/tags/${tag}/follow`).expect(200);
    const socket = await open({ stream: 'user' });
    await post(app, 'carol', 'quiet #tea', { visibility: 'unlisted' });
    await post(app, 'carol', 'other');
    const byCarol = await post(app, 'carol', 'hers #tea #fog');
    const byAlice = await post(app, 'alice', 'followed #tea');
    expect(await arrived(socket)).toEqual([`user ${byCarol.id}`, `user ${byAlice.id}`]);
    await (await app.world.as('carol')).delete(`/api/v1/statuses/${byCarol.id}`).expect(200);
    expect(await arrived(socket)).toEqual([`user gone ${byCarol.id}`]);
    await app.get(BlocksService).block(id('carol'), id('reader'));
    await post(app, 'carol', 'blocked #tea');
    expect(await arrived(socket)).toEqual([]);
    await app.sql('delete from blocks');
    for (const tag of ['tea', 'fog']) await reader.post(`/api/v1/tags/${tag}/unfollow`).expect(200);
    await post(app, 'carol', 'too late #tea');
    expect(await arrived(socket)).toEqual([]);
  });
});
