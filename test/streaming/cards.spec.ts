import { type StatusJson } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { connect, connectAs, type Frame, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { useWebHost, WEB_HOST_ADDRESS } from '../support/servers/web-host.js';

const web = useWebHost();
const app = useApp({ people: ['alice', 'bob'], env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS }, listening: true });

beforeAll(() => {
  web.page('/tea', '<title>Tea</title>');
  web.page('/coffee', '<title>Coffee</title>');
});
beforeEach(() => app.world.follow('bob', 'alice'));

/** A frame in short, with the title of the post's card. */
function summary({ event, stream, payload = '' }: Frame): unknown[] {
  const { id, card } = JSON.parse(payload) as StatusJson;
  return [event, stream[0], id, card?.title ?? null];
}

/** The frames that a socket gets while all jobs run. */
async function arrivedByJobs(socket: TestSocket): Promise<unknown[]> {
  await app.drain();
  await sendMarker(app, ['alice', 'bob']);
  return (await socket.until(isMarker)).map(summary);
}

it('sends a post again when the card of its link has been fetched', async () => {
  const bob = await connectAs(app, 'bob', { stream: 'user' });
  const visitor = await connect(app, { stream: 'public' });
  const first = await post(app, 'alice', `${web.origin}/tea`);
  expect(summary(await bob.next())).toEqual(['update', 'user', first.id, null]);
  expect(await arrivedByJobs(bob)).toEqual([['status.update', 'user', first.id, 'Tea']]);
  const secret = await post(app, 'alice', `${web.origin}/tea`, { visibility: 'private' });
  expect(summary(await bob.next())).toEqual(['update', 'user', secret.id, 'Tea']);
  expect(await arrivedByJobs(bob)).toEqual([]);
  expect(await arrivedByJobs(visitor)).toEqual([
    ['update', 'public', first.id, null],
    ['status.update', 'public', first.id, 'Tea'],
  ]);
  await Promise.all([bob, visitor].map((socket) => socket.close()));
});

it('sends an edited post again with its card, but not an old post', async () => {
  const old = await post(app, 'alice', `${web.origin}/coffee`);
  const edited = await post(app, 'alice', 'nothing');
  await app.drain();
  await app.sql(`update statuses set created_at = now() - interval '2 hours'`);
  await app.sql(`update cards set fetched_at = now() - interval '8 days', preview = null`);
  const bob = await connectAs(app, 'bob', { stream: 'user' });
  const alice = await app.world.as('alice');
  await ok(alice.put(`/api/v1/statuses/${edited.id}`, { status: `${web.origin}/coffee` }));
  expect(summary(await bob.next())).toEqual(['status.update', 'user', edited.id, null]);
  expect(await arrivedByJobs(bob)).toEqual([['status.update', 'user', edited.id, 'Coffee']]);
  expect((await ok<StatusJson>(alice.get(`/api/v1/statuses/${old.id}`))).card?.title).toBe('Coffee');
  await bob.close();
});
