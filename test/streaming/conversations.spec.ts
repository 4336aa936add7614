import { BlocksService } from '../../src/accounts/index.js';
import { type ConversationJson, ConversationShape } from '../../src/statuses/index.js';
import type { TestApp } from '../support/servers/app.js';
import { startListeningApp } from '../support/servers/listen.js';
import { checkShape } from '../support/shape.js';
import { connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { ok, post } from '../support/fixtures/statuses.js';

let app: TestApp;

beforeAll(async () => {
  app = await startListeningApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.reset();
  await app.world.persons('alice', 'bob', 'carol', 'dave');
});

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
