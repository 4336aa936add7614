import type { PlainStatusJson } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { ok, post } from '../support/fixtures/statuses.js';

const app = useApp({ people: ['alice', 'bob', 'carol'], listening: true });

beforeEach(() => app.world.follow('bob', 'alice'));

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
    ['status.update', ['user'], '<p>coffee</p>'],
    ['status.update', ['user'], '<p>known</p>'],
  ]);
  expect(await arrived(carol)).toEqual([['status.update', ['public'], '<p>coffee</p>']]);
  for (const socket of [bob, carol]) await socket.close();
});

it('sends a post again when the quoted author withdraws the consent', async () => {
  const quoted = await post(app, 'carol', 'tea');
  const quoting = await post(app, 'alice', 'see', { quote_id: quoted.id });
  const bob = await connectAs(app, 'bob', { stream: 'user' });
  const carol = await app.world.as('carol');
  await ok(carol.post(`/api/v1/statuses/${quoted.id}/quotes/${quoting.id}/revoke`));
  const { event, payload = '' } = await bob.next();
  expect(event).toBe('status.update');
  expect((JSON.parse(payload) as PlainStatusJson).svc).toMatchObject({ quote: null, quote_visible: false });
  await bob.close();
});
