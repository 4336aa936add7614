import type { TestApp } from '../support/servers/app.js';
import { startListeningApp } from '../support/servers/listen.js';
import { connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { ok, post } from '../support/fixtures/statuses.js';

let app: TestApp;

beforeAll(async () => {
  app = await startListeningApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.reset();
  await app.world.persons('alice', 'bob', 'carol');
  await app.world.follow('bob', 'alice');
});

async function arrived(socket: TestSocket): Promise<unknown[]> {
  await sendMarker(app, ['alice', 'bob', 'carol']);
  const frames = await socket.until(isMarker);
  return frames.map(({ event, stream, payload = '' }) => [
    event,
    stream,
    (JSON.parse(payload) as { content: string }).content,
  ]);
}

it('sends an edit to the sessions that got the post', async () => {
  const open = await post(app, 'alice', 'tea');
  const secret = await post(app, 'alice', 'secret', { visibility: 'private' });
  const alice = await app.world.as('alice');
  const bob = await connectAs(app, 'bob', { stream: 'user' });
  const carol = await connectAs(app, 'carol', { stream: 'public' });
  await ok(alice.put(`/api/v1/statuses/${open.id}`, { status: 'coffee' }));
  await ok(alice.put(`/api/v1/statuses/${secret.id}`, { status: 'known' }));
  expect(await arrived(bob)).toEqual([
    ['status.update', ['user'], 'coffee'],
    ['status.update', ['user'], 'known'],
  ]);
  expect(await arrived(carol)).toEqual([['status.update', ['public'], 'coffee']]);
  for (const socket of [bob, carol]) await socket.close();
});
