import { once } from 'node:events';
import { BlocksService, FollowsService } from '../../src/accounts/index.js';
import type { NotificationJson } from '../../src/notifications/index.js';
import { useApp } from '../support/servers/app.js';
import { connect, connectAs, type Frame } from '../support/servers/sockets.js';
import { useOpened } from '../support/servers/use.js';
import { ok, post, reblog } from '../support/fixtures/statuses.js';

const PATH = '/api/v1/statuses';

const app = useApp({ people: ['alice', 'bob', 'carol'], listening: true });
const opened = useOpened();

const openAs = (nickname: string, stream: string, argument: Record<string, string> = {}) =>
  opened(connectAs(app, nickname, { stream, ...argument }));
const open = (stream: string, argument: Record<string, string> = {}) => opened(connect(app, { stream, ...argument }));

/** The status as the API shows it to an account. */
const seenBy = async (nickname: string | undefined, id: string): Promise<unknown> => {
  const client = nickname === undefined ? app.world.anonymous : await app.world.as(nickname);
  return ok<unknown>(client.get(`${PATH}/${id}`));
};
const remove = async (nickname: string, id: string) =>
  (await app.world.as(nickname)).delete(`${PATH}/${id}`).expect(200);

/** A frame with its JSON payload parsed. */
const read = ({ payload = 'null', ...frame }: Frame) => ({
  ...frame,
  payload: frame.event === 'delete' ? payload : (JSON.parse(payload) as unknown),
});
const update = async (stream: string[], id: string, viewer?: string) => ({
  stream,
  event: 'update',
  payload: await seenBy(viewer, id),
});
const deleted = (id: string, ...stream: string[]): Frame => ({ stream, event: 'delete', payload: id });
const isUpdateOf =
  (id: string) =>
  ({ event, payload }: Frame) =>
    event === 'update' && (JSON.parse(payload ?? 'null') as { id: string }).id === id;

describe('an update', () => {
  it('is a frame of exactly this form', async () => {
    const socket = await open('public');
    const text = once(socket.raw, 'message').then(([data]) => String(data));
    const { id } = await post(app, 'alice', 'tea "and" \u{1F375}');
    const view = await app.world.anonymous.get(`${PATH}/${id}`);
    expect(await text).toBe(`{"stream":["public"],"event":"update","payload":${JSON.stringify(view.text)}}`);
  });

  it('comes once on each stream that the post belongs to, with the label of the client', async () => {
    const socket = await openAs('alice', 'user');
    for (const stream of ['public', 'public:local', 'public:media', 'direct']) await socket.subscribe(stream);
    await socket.subscribe('hashtag', { tag: 'Tea' });
    await socket.subscribe('hashtag', { tag: 'coffee' });
    await socket.subscribe('public:remote', { instance: 'other.example' });
    const { id } = await post(app, 'alice', 'a cup of #TEA');
    const labels = [['user'], ['public'], ['public:local'], ['hashtag', 'Tea']];
    for (const label of labels) expect(read(await socket.next())).toEqual(await update(label, id, 'alice'));
    const { id: next } = await post(app, 'alice', 'no tag');
    for (const label of labels.slice(0, 3))
      expect(read(await socket.next())).toEqual(await update(label, next, 'alice'));
  });

  it('is the status as the user of the socket sees it', async () => {
    await app.world.follow('bob', 'alice');
    const secret = await post(app, 'alice', 'for followers', { visibility: 'private' });
    const viewers = ['alice', 'bob', 'carol', undefined];
    const readers = await Promise.all(viewers.map((viewer) => (viewer ? openAs(viewer, 'public') : open('public'))));
    const { id } = await post(app, 'alice', 'to all', { in_reply_to_id: secret.id, visibility: 'public' });
    const frames = await Promise.all(readers.map((socket) => socket.next()));
    for (const [at, viewer] of viewers.entries()) {
      expect(read(frames[at]!)).toEqual(await update(['public'], id, viewer));
    }
    // One for viewers who may see the parent, one for others, one for visitors, who may quote nothing.
    expect(new Set(frames.map(({ payload }) => payload)).size).toBe(3);
  });

  it('is anonymous for a token without the scope to read statuses', async () => {
    const { token } = await app.world.as('alice', 'read:notifications');
    const narrow = await opened(connect(app, { access_token: token, stream: 'public:local' }));
    const member = await openAs('bob', 'public:local');
    const local = await post(app, 'carol', 'among us', { visibility: 'local' });
    const { id } = await post(app, 'alice', 'to all', { expires_in: 7200 });
    expect(read(await member.next())).toEqual(await update(['public:local'], local.id, 'bob'));
    expect(read(await member.next())).toEqual(await update(['public:local'], id, 'bob'));
    expect(read(await narrow.next())).toEqual(await update(['public:local'], id));
  });

  it('of a boost reaches only the followers of the booster who want boosts', async () => {
    await app.world.person('dave');
    await app.world.follow('bob', 'alice');
    await app.get(FollowsService).follow(app.world.id('carol'), app.world.id('alice'), { reblogs: false });
    const { id } = await post(app, 'dave', 'tea');
    const [wants, does_not, author, visitor] = await Promise.all([
      openAs('bob', 'user'),
      openAs('carol', 'user'),
      openAs('dave', 'user'),
      open('public'),
    ]);
    const reblogger = await openAs('alice', 'user');
    const boost = await reblog(app, 'alice', id);
    expect(read(await wants.next())).toEqual(await update(['user'], boost.id, 'bob'));
    expect(read(await reblogger.next())).toEqual(await update(['user'], boost.id, 'alice'));
    const marker = await post(app, 'alice', 'after it');
    const own = await post(app, 'dave', 'mine');
    expect(read(await does_not.next())).toEqual(await update(['user'], marker.id, 'carol'));
    expect(read(await author.next())).toEqual(await update(['user'], own.id, 'dave'));
    expect(read(await visitor.next())).toEqual(await update(['public'], marker.id));
  });

  it('reaches followers of an account with very many followers', async () => {
    await app.world.follow('bob', 'alice');
    await app.sql(
      `with fans as (
         insert into accounts (id, nickname, domain, ap_id)
         select 'fan' || n, 'fan' || n, 'far.example', 'https://far.example/' || n from generate_series(1, 1000) n returning id)
       insert into follows (follower_id, followee_id) select id, $1 from fans`,
      [app.world.id('alice')],
    );
    const [follower, stranger] = await Promise.all([openAs('bob', 'user'), openAs('carol', 'user')]);
    const { id } = await post(app, 'alice', 'tea');
    const marker = await post(app, 'carol', 'mine');
    expect(read(await follower.next())).toEqual(await update(['user'], id, 'bob'));
    expect(read(await stranger.next())).toEqual(await update(['user'], marker.id, 'carol'));
  });

  it('keeps the order of events that happen at once', async () => {
    await app.world.follow('bob', 'alice');
    const socket = await openAs('bob', 'user');
    const posts = await Promise.all(Array.from({ length: 20 }, (_, n) => post(app, 'alice', `tea ${n}`)));
    await Promise.all(posts.slice(0, 10).map(({ id }) => remove('alice', id)));
    const marker = await post(app, 'bob', 'mine');
    const frames = await socket.until(isUpdateOf(marker.id));
    for (const { id } of posts.slice(0, 10)) {
      const events = frames.filter(({ payload }) => payload?.includes(id)).map(({ event }) => event);
      expect(['update,delete', 'delete']).toContain(events.join()); // deleted before the server could send it
    }
    for (const { id } of posts.slice(10)) expect(frames.filter(isUpdateOf(id))).toHaveLength(1);
  });

  it('stops after an unsubscribe', async () => {
    const socket = await openAs('alice', 'user');
    await socket.subscribe('public');
    expect(await socket.ask({ type: 'unsubscribe', stream: 'user' })).toMatchObject({ payload: { result: 'success' } });
    const { id } = await post(app, 'alice', 'tea');
    const { id: next } = await post(app, 'alice', 'more');
    for (const expected of [id, next]) {
      expect(read(await socket.next())).toMatchObject({ stream: ['public'], payload: { id: expected } });
    }
  });
});

describe('a deletion', () => {
  it('sends the bare id once on each stream that may have sent the post', async () => {
    await app.world.follow('bob', 'alice');
    const author = await openAs('alice', 'user');
    const follower = await openAs('bob', 'user');
    const stranger = await openAs('carol', 'user');
    const labels = [['public'], ['public:local:media'], ['hashtag', 'Tea']];
    const open_ = await Promise.all([open('public'), open('public:local:media'), open('hashtag', { tag: 'Tea' })]);
    await follower.subscribe('public');
    const { id } = await post(app, 'alice', 'tea');
    for (const socket of [author, follower, follower, open_[0]]) await socket.next();
    await remove('alice', id);
    expect(await author.next()).toEqual(deleted(id, 'user'));
    expect(await follower.next()).toEqual(deleted(id, 'user'));
    expect(await follower.next()).toEqual(deleted(id, 'public'));
    for (const [at, socket] of open_.entries()) expect(await socket.next()).toEqual(deleted(id, ...labels[at]!));
    const mine = await post(app, 'carol', '#tea'); // no other frame came before
    expect(read(await stranger.next())).toEqual(await update(['user'], mine.id, 'carol'));
    expect(read(await follower.next())).toEqual(await update(['public'], mine.id, 'bob'));
    expect(read(await open_[2].next())).toEqual(await update(['hashtag', 'Tea'], mine.id));
  });

  it('of a followers-only post reaches the followers, of a direct post the accounts it addressed', async () => {
    await app.world.follow('bob', 'alice');
    const [visitor, guest] = await Promise.all([open('public'), open('public:local')]);
    const [follower, named, member] = await Promise.all([
      openAs('bob', 'user'),
      openAs('carol', 'direct'),
      openAs('bob', 'public:local'),
    ]);
    for (const [text, visibility, readers] of [
      ['tea', 'private', { user: follower }],
      ['@carol tea', 'direct', { direct: named }],
      ['tea', 'local', { user: follower, 'public:local': member }],
    ] as const) {
      const { id } = await post(app, 'alice', text, { visibility });
      const receivers = Object.entries(readers);
      for (const [, socket] of receivers) expect(await socket.next()).toMatchObject({ event: 'update' });
      if (visibility === 'direct') expect(await named.next()).toMatchObject({ event: 'conversation' });
      await remove('alice', id);
      for (const [stream, socket] of receivers) expect(await socket.next()).toEqual(deleted(id, stream));
    }
    const marker = await post(app, 'alice', 'to all');
    expect(read(await visitor.next())).toEqual(await update(['public'], marker.id));
    expect(read(await guest.next())).toEqual(await update(['public:local'], marker.id));
    expect(read(await follower.next())).toEqual(await update(['user'], marker.id, 'bob'));
    const direct = await post(app, 'bob', '@carol hi', { visibility: 'direct' });
    expect(read(await named.next())).toEqual(await update(['direct'], direct.id, 'carol'));
  });

  it('reaches the receivers of a boost of the post, and that of a boost its receivers', async () => {
    await app.world.follow('carol', 'bob');
    const { id } = await post(app, 'alice', 'tea');
    const socket = await openAs('carol', 'user');
    const first = await reblog(app, 'bob', id);
    expect(read(await socket.next())).toEqual(await update(['user'], first.id, 'carol'));
    await remove('bob', first.id);
    expect(await socket.next()).toEqual(deleted(first.id, 'user'));
    await reblog(app, 'bob', id);
    expect(await socket.next()).toMatchObject({ event: 'update' });
    await remove('alice', id);
    expect(await socket.next()).toEqual(deleted(id, 'user'));
  });
});

describe('a notification', () => {
  const notifications = async (nickname: string) =>
    ok<NotificationJson[]>((await app.world.as(nickname)).get('/api/v1/notifications'));

  it('comes on both of its streams, as the list shows it', async () => {
    const labels = ['user', 'user:notifications', 'user:notification'];
    const readers = await Promise.all(labels.map((label) => openAs('alice', label)));
    const { id } = await post(app, 'alice', 'tea', { visibility: 'unlisted' });
    expect(read(await readers[0]!.next())).toEqual(await update(['user'], id, 'alice'));
    await (await app.world.as('bob')).post(`${PATH}/${id}/favourite`).expect(200);
    await app.drain();
    const [payload] = await notifications('alice');
    for (const [at, label] of labels.entries()) {
      expect(read(await readers[at]!.next())).toEqual({ stream: [label], event: 'notification', payload });
    }
  });

  it('comes for mentions, boosts and follows, to the receiver only', async () => {
    const [alice, bob] = await Promise.all([
      openAs('alice', 'user:notifications'),
      openAs('bob', 'user:notifications'),
    ]);
    const { id } = await post(app, 'alice', 'tea');
    await reblog(app, 'bob', id);
    await app.world.follow('bob', 'alice');
    await post(app, 'carol', 'hi @alice', { visibility: 'direct' });
    await app.drain();
    const types = [read(await alice.next()), read(await alice.next()), read(await alice.next())];
    expect(types.map(({ payload }) => (payload as NotificationJson).type).sort()).toEqual([
      'follow',
      'mention',
      'reblog',
    ]);
    await post(app, 'carol', 'hi @bob');
    await app.drain();
    expect(read(await bob.next())).toEqual({
      stream: ['user:notifications'],
      event: 'notification',
      payload: (await notifications('bob'))[0],
    });
  });

  it('does not come about muted accounts, nor to a token without its scope', async () => {
    await app.get(BlocksService).mute(app.world.id('alice'), app.world.id('bob'), { notifications: true });
    const { token } = await app.world.as('alice', 'read:statuses');
    const [socket, narrow] = await Promise.all([
      openAs('alice', 'user:notifications'),
      opened(connect(app, { access_token: token, stream: 'user' })),
    ]);
    await post(app, 'bob', 'hi @alice');
    const { id } = await post(app, 'carol', 'hello @alice');
    await app.drain();
    expect(read(await socket.next())).toMatchObject({ payload: { type: 'mention', status: { id } } });
    const own = await post(app, 'alice', 'mine');
    expect(read(await narrow.next())).toEqual(await update(['user'], own.id, 'alice'));
  });
});
