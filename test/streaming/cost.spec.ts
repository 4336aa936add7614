import { Bus } from '../../src/platform/index.js';
import { Visibility } from '../../src/statuses/index.js';
import { STREAM_CHANNEL, type StreamMessage } from '../../src/streaming/delivery/stream.messages.js';
import { SocketSession } from '../../src/streaming/sockets/socket-session.js';
import { useApp } from '../support/servers/app.js';
import { makeChat } from '../support/fixtures/chats.js';
import { makeFollows, makeStatuses } from '../support/fixtures/factories.js';
import { countQueries } from '../support/queries.js';
import { connect, connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';

const PEOPLE = Array.from({ length: 12 }, (_, n) => `reader${n}`);
const BATCH = [
  'accounts.counts',
  'statuses.entries',
  'statuses.viewer_states',
  'streaming.followers_of',
  'streaming.off_home',
  'streaming.post_facts',
  'streaming.unwanted',
];

const app = useApp({ people: ['alice', ...PEOPLE], listening: true });

beforeEach(async () => {
  await makeFollows(
    app,
    PEOPLE.map((name) => app.world.id(name)),
    app.world.id('alice'),
  );
});

function publish(statusId: string): void {
  const entry = { statusId, authorId: app.world.id('alice'), visibility: Visibility.public };
  const message: StreamMessage = { kind: 'created', isBoost: false, isEdit: false, ...entry };
  app.get(Bus).publish(STREAM_CHANNEL, message);
}

/** The named statements that the delivery of posts to sockets costs, with the number of times each was sent. */
async function cost(sockets: readonly TestSocket[], posts: readonly string[]): Promise<Map<string, number>> {
  const { statements } = await countQueries(async () => {
    for (const statusId of posts) publish(statusId);
    await sendMarker(app, PEOPLE);
    for (const socket of sockets) expect((await socket.until(isMarker)).length).toBeGreaterThanOrEqual(posts.length);
  });
  const counted = Map.groupBy(statements, (name) => name);
  return new Map([...counted].filter(([name]) => BATCH.includes(name)).map(([name, all]) => [name, all.length]));
}

describe('the cost of sending', () => {
  it('is the same for one socket and for many sockets of users and visitors', async () => {
    const [first = '', second = ''] = await makeStatuses(app, 'alice', 2);
    const one = await connectAs(app, PEOPLE[0]!, { stream: 'user' });
    await cost([one], await makeStatuses(app, 'alice', 1)); // fills the caches
    const few = await cost([one], [first]);
    const others = await Promise.all([
      ...PEOPLE.slice(1).map((name) => connectAs(app, name, { stream: 'user' })),
      ...PEOPLE.map((name) => connectAs(app, name, { stream: 'public' })),
      ...PEOPLE.map(() => connect(app, { stream: 'public' })),
    ]);
    const many = await cost([one, ...others], [second]);
    expect([...few.keys()].sort()).toEqual(BATCH);
    expect(many).toEqual(few);
    await Promise.all([one, ...others].map((socket) => socket.close()));
  });

  it('is that of two batches for many posts at once: the first post, and all posts that arrived meanwhile', async () => {
    const socket = await connectAs(app, PEOPLE[0]!, { stream: 'user' });
    await cost([socket], await makeStatuses(app, 'alice', 1));
    const one = await cost([socket], await makeStatuses(app, 'alice', 1));
    const many = await cost([socket], await makeStatuses(app, 'alice', 40));
    expect(many).toEqual(new Map([...one].map(([name, times]) => [name, times + 1])));
    await socket.close();
  });

  it('is a few writes to each socket for many posts at once, of the same bytes', async () => {
    const sockets = await Promise.all([connect(app, { stream: 'public' }), connect(app, { stream: 'public' })]);
    await cost(sockets, await makeStatuses(app, 'alice', 1));
    const posts = await makeStatuses(app, 'alice', 40);
    const send = jest.spyOn(SocketSession.prototype, 'send');
    try {
      for (const statusId of posts) publish(statusId);
      await sendMarker(app, []);
      for (const socket of sockets) expect(await socket.until(isMarker)).toHaveLength(posts.length);
      const calls = send.mock.calls.map(([{ bytes }]) => bytes);
      const written = Map.groupBy(calls.keys(), (at) => send.mock.contexts[at] as unknown);
      const [first = [], second = []] = [...written.values()].map((nth) => nth.map((at) => calls[at]));
      expect(first.length).toBeLessThanOrEqual(3); // the first post, all others, and perhaps the marker
      expect(second).toHaveLength(first.length);
      for (const [at, bytes] of second.entries()) expect(bytes).toBe(first[at]);
    } finally {
      send.mockRestore();
    }
    await Promise.all(sockets.map((socket) => socket.close()));
  });

  it('is that of two pages for many notifications of one receiver at once', async () => {
    const [statusId = ''] = await makeStatuses(app, 'alice', 1);
    for (const name of PEOPLE)
      await (await app.world.as(name)).post(`/api/v1/statuses/${statusId}/favourite`).expect(200);
    await app.drain();
    const notifications = await app.sql<{ id: string }>('select id from notifications order by id');
    expect(notifications).toHaveLength(PEOPLE.length);
    const socket = await connectAs(app, 'alice', { stream: 'user' });
    const receiverId = app.world.id('alice');
    const { statements } = await countQueries(async () => {
      for (const { id } of notifications) {
        const message: StreamMessage = { kind: 'notified', notificationId: id, receiverId, type: 'mention' };
        app.get(Bus).publish(STREAM_CHANNEL, message);
      }
      await sendMarker(app, ['alice']);
      const frames = await socket.until(isMarker);
      const ids = frames.map(({ payload = '' }) => (JSON.parse(payload) as { id: string }).id);
      expect(ids).toEqual(notifications.map(({ id }) => id));
    });
    expect(statements.filter((name) => name === 'notifications.by_ids')).toHaveLength(2);
    await socket.close();
  });

  it.each(['chats', 'follows'])('is that of two batches for many %s at once, whoever they are of', async (kind) => {
    const alice = app.world.id('alice');
    const messages = await Promise.all(
      PEOPLE.map(async (name): Promise<StreamMessage> => {
        const id = app.world.id(name);
        if (kind === 'follows') return { kind: 'follow', followerId: id, followeeId: alice, state: 'follow_accept' };
        const { message: messageId } = await makeChat(app, name, 'alice');
        return { kind: 'chat', messageId, ownerIds: [id, alice] };
      }),
    );
    await sendMarker(app, []);
    const sockets = await Promise.all(PEOPLE.map((name) => connectAs(app, name, { stream: 'user' })));
    const costOf = async (published: readonly StreamMessage[]) => {
      const { statements } = await countQueries(async () => {
        for (const message of published) app.get(Bus).publish(STREAM_CHANNEL, message);
        await sendMarker(app, PEOPLE);
        const frames = await Promise.all(sockets.map((socket) => socket.until(isMarker)));
        expect(frames.flat()).toHaveLength(published.length);
      });
      return statements.filter((name) => ['accounts.counts', 'chats.with_messages'].includes(name)).toSorted();
    };
    await costOf(messages.slice(0, 1)); // fills the caches
    const one = await costOf(messages.slice(0, 1));
    expect(one).toHaveLength(kind === 'chats' ? 2 : 1);
    expect(await costOf(messages)).toEqual([...one, ...one].toSorted());
    await Promise.all(sockets.map((socket) => socket.close()));
  });

  it('is zero while no client is connected', async () => {
    const ids = await makeStatuses(app, 'alice', 2);
    expect(await cost([], ids)).toEqual(new Map());
  });
});
