import { BlocksService } from '../../src/accounts/index.js';
import { type ConversationJson, ConversationShape } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { checkShape } from '../support/shape.js';
import { connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { ok, post } from '../support/fixtures/statuses.js';

const app = useApp({ people: ['alice', 'bob', 'carol', 'dave'], listening: true });

const listen = (nickname: string) => connectAs(app, nickname, { stream: 'direct' });

async function conversationsOf(socket: TestSocket): Promise<ConversationJson[]> {
  await sendMarker(app, ['alice', 'bob', 'carol', 'dave']);
  const frames = await socket.until(isMarker);
  return frames
    .filter(({ event }) => event === 'conversation')
    .map(({ stream, payload = '' }) => {
      expect(stream).toEqual(['direct']);
      return JSON.parse(payload) as ConversationJson;
    });
}

it('sends each participant of a direct post the conversation as that participant sees it', async () => {
  await post(app, 'alice', 'aloud @dave');
  const sockets = await Promise.all(['alice', 'bob', 'carol', 'dave'].map(listen));
  await post(app, 'alice', 'psst @bob @carol', { visibility: 'direct' });
  const [alice, bob, carol, dave] = await Promise.all(sockets.map(conversationsOf));
  expect(dave).toEqual([]);
  for (const [name, arrived] of Object.entries({ alice, bob, carol })) {
    expect(checkShape(ConversationShape, arrived![0])).toEqual([]);
    expect(arrived).toEqual(await ok((await app.world.as(name)).get('/api/v1/conversations')));
  }
  for (const socket of sockets) await socket.close();
});

it('sends no conversation to a viewer who does not get the post', async () => {
  await app.get(BlocksService).mute(app.world.id('bob'), app.world.id('alice'), {});
  await app.get(BlocksService).block(app.world.id('carol'), app.world.id('alice'), {});
  const sockets = await Promise.all(['bob', 'carol'].map(listen));
  await post(app, 'alice', 'psst @bob @carol', { visibility: 'direct' });
  expect(await Promise.all(sockets.map(conversationsOf))).toEqual([[], []]);
  for (const socket of sockets) await socket.close();
});

describe('other devices of a participant', () => {
  const whisper = (text: string, options: object = {}) =>
    post(app, 'alice', `@bob ${text}`, { visibility: 'direct', ...options });
  const mine = async (name = 'bob') => ok<ConversationJson[]>((await app.world.as(name)).get('/api/v1/conversations'));
  const act = async (path: string) => (await app.world.as('bob')).post(path).expect(200);

  it.each([
    ['is read', false, (id: string) => act(`/api/v1/conversations/${id}/read`)],
    ['is marked as unread', true, (id: string) => act(`/api/v1/conversations/${id}/unread`)],
    ['is read with all others', false, () => act('/api/v1/svc/conversations/read')],
  ])('receive a conversation once that %s, and other accounts do not', async (_how, unread, change) => {
    await whisper('one');
    const [{ id }] = (await mine()) as [ConversationJson];
    await act(`/api/v1/conversations/${id}/${unread ? 'read' : 'unread'}`);
    const [alice, bob] = await Promise.all(['alice', 'bob'].map(listen));
    await change(id);
    await change(id);
    const received = await conversationsOf(bob!);
    expect(checkShape(ConversationShape, received[0])).toEqual([]);
    expect(received).toEqual(await mine());
    expect(received).toMatchObject([{ id, unread }]);
    expect(await conversationsOf(alice!)).toEqual([]);
    await Promise.all([alice!.close(), bob!.close()]);
  });

  it('receive nothing when another account asks', async () => {
    await whisper('one');
    const [{ id }] = (await mine()) as [ConversationJson];
    const bob = await listen('bob');
    await (await app.world.as('carol')).post(`/api/v1/conversations/${id}/read`).expect(404);
    expect(await conversationsOf(bob)).toEqual([]);
    await bob.close();
  });

  it('receive the last post that a deletion leaves, unless it leaves none', async () => {
    const first = await whisper('one');
    const second = await whisper('two', { in_reply_to_id: first.id });
    const sockets = await Promise.all(['alice', 'bob', 'carol'].map(listen));
    await (await app.world.as('alice')).delete(`/api/v1/statuses/${second.id}`).expect(200);
    const [alice, bob, carol] = await Promise.all(sockets.map(conversationsOf));
    expect(carol).toEqual([]);
    for (const [name, received] of Object.entries({ alice, bob })) {
      expect(received).toEqual(await mine(name));
      expect(received).toMatchObject([{ last_status: { id: first.id } }]);
    }
    await (await app.world.as('alice')).delete(`/api/v1/statuses/${first.id}`).expect(200);
    expect(await Promise.all(sockets.map(conversationsOf))).toEqual([[], [], []]);
    for (const socket of sockets) await socket.close();
  });
});
