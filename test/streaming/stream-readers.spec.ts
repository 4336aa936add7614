import { BlocksService } from '../../src/accounts/index.js';
import { Bus } from '../../src/platform/index.js';
import { Visibility } from '../../src/statuses/index.js';
import { Sessions } from '../../src/streaming/connections/sessions.js';
import { STREAM_CHANNEL, type StreamMessage } from '../../src/streaming/delivery/stream.messages.js';
import { makeStatuses } from '../support/fixtures/factories.js';
import { post } from '../support/fixtures/statuses.js';
import { useApp } from '../support/servers/app.js';
import { connect, connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { useOpened } from '../support/servers/use.js';

const app = useApp({ people: ['alice', 'bob', 'carol'], listening: true });
const opened = useOpened();

const id = (name: string) => app.world.id(name);

/** The posts of each socket since the last call, as stream and id. */
async function arrived(...of: readonly TestSocket[]): Promise<string[][]> {
  await sendMarker(app, ['alice', 'bob', 'carol']);
  const frames = await Promise.all(of.map((socket) => socket.until(isMarker)));
  return frames.map((all) =>
    all.map(({ stream, payload = '' }) => `${stream.join()} ${(JSON.parse(payload) as { id: string }).id}`),
  );
}

const groupsOf = (topic: string) => [...app.get(Sessions).readersOf(topic)].map(({ size }) => size).sort();

function publish(statusIds: readonly string[]): void {
  for (const statusId of statusIds) {
    const entry = { statusId, authorId: id('alice'), visibility: Visibility.public };
    const message: StreamMessage = { kind: 'created', isBoost: false, isEdit: false, ...entry };
    app.get(Bus).publish(STREAM_CHANNEL, message);
  }
}

describe('connections that read the same', () => {
  it('V7 share what they get only while they have the same account and scopes', async () => {
    const narrow = await app.world.as('bob', 'read:notifications');
    const visitors = [
      await opened(connect(app, { stream: 'public' })),
      await opened(connect(app, { stream: 'public' })),
    ];
    const limited = await opened(connect(app, { stream: 'public', access_token: narrow.token }));
    const full = [
      await opened(connectAs(app, 'bob', { stream: 'public' })),
      await opened(connectAs(app, 'bob', { stream: 'public' })),
    ];
    expect(groupsOf('public')).toEqual([1, 2, 2]);
    await app.get(BlocksService).block(id('bob'), id('alice'), {});
    const { id: hidden } = await post(app, 'alice', 'tea');
    const { id: shown } = await post(app, 'carol', 'tea');
    const all = [`public ${hidden}`, `public ${shown}`];
    const some = [`public ${shown}`];
    expect(await arrived(...visitors, limited, ...full)).toEqual([all, all, all, some, some]);
  });

  it('V7 lose a connection that authenticates: it gets what its account may see from then on', async () => {
    const [first, second] = [
      await opened(connect(app, { stream: 'public' })),
      await opened(connect(app, { stream: 'public' })),
    ];
    expect(groupsOf('public')).toEqual([2]);
    await app.get(BlocksService).block(id('bob'), id('alice'), {});
    const { token } = await app.world.as('bob');
    expect(await first.ask({ type: 'svc:authenticate', token })).toMatchObject({ payload: { result: 'success' } });
    expect(groupsOf('public')).toEqual([1, 1]);
    const { id: hidden } = await post(app, 'alice', 'tea');
    const { id: shown } = await post(app, 'carol', 'tea');
    expect(await arrived(first, second)).toEqual([[`public ${shown}`], [`public ${hidden}`, `public ${shown}`]]);
    await first.close();
    expect(groupsOf('public')).toEqual([1]);
    await second.ask({ type: 'unsubscribe', stream: 'public' });
    expect(groupsOf('public')).toEqual([]);
  });
});

it('a connection with several streams gets posts that come at once in their order, each on all of its streams', async () => {
  await app.world.follow('bob', 'alice');
  await app.world.follow('carol', 'alice');
  const bob = await opened(connectAs(app, 'bob', { stream: 'public' }));
  await bob.subscribe('user');
  const carol = await opened(connectAs(app, 'carol', { stream: 'user' }));
  const posts = await makeStatuses(app, 'alice', 20);
  publish(posts);
  const [ofBob, ofCarol] = await arrived(bob, carol);
  expect(ofBob).toEqual(posts.flatMap((post) => [`user ${post}`, `public ${post}`]));
  expect(ofCarol).toEqual(posts.map((post) => `user ${post}`));
});
