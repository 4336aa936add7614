import type { PlainStatusJson } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { connect, connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { ok, post, reblog } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';

const app = useApp({ people: ['alice', 'bob', 'carol', 'dave', 'erin'], listening: true });

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

it('sends an edit also to the streams that the post leaves by it', async () => {
  const { id } = await post(app, 'alice', 'a #tea', { media_ids: [(await upload(app, 'alice')).id] });
  await ok((await app.world.as('carol')).post('/api/v1/tags/tea/follow'));
  const carol = await connectAs(app, 'carol');
  const [left, stays] = [['user', 'hashtag', 'hashtag:local', 'public:media', 'public:local:media'], 'public'];
  for (const stream of [...left, stays]) await carol.subscribe(stream, { tag: 'tea' });
  const alice = await app.world.as('alice');
  const names = async () => (await arrived(carol)).map((frame) => (frame as [string, string[]])[1][0]);
  await ok(alice.put(`/api/v1/statuses/${id}`, { status: 'plain', media_ids: [] }));
  expect((await names()).sort()).toEqual([...left, stays].sort());
  await ok(alice.put(`/api/v1/statuses/${id}`, { status: 'as plain as before' }));
  expect(await names()).toEqual([stays]);
  await app.world.person('root', { admin: true });
  const root = await app.world.as('root', 'admin');
  await ok(root.put(`/api/v1/svc/admin/statuses/${id}`, { visibility: 'unlisted' }));
  expect(await names()).toEqual([stays]);
  await carol.close();
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

it('sends a deletion to the readers of a post that staff shows to fewer, and an edit to the others', async () => {
  await app.world.person('root', { admin: true });
  await app.world.follow('carol', 'dave');
  const { id } = await post(app, 'alice', 'a #tea for @erin');
  await reblog(app, 'dave', id);
  await app.drain();
  const open = ['public', 'hashtag', 'user'];
  const sockets = new Map<string, TestSocket>();
  for (const name of ['alice', 'bob', 'carol', 'erin']) {
    const socket = await connectAs(app, name);
    for (const stream of open) await socket.subscribe(stream, { tag: 'tea' });
    sockets.set(name, socket);
  }
  const visitor = await connect(app, { stream: 'public' });
  const root = await app.world.as('root', 'admin');
  await ok(root.put(`/api/v1/svc/admin/statuses/${id}`, { visibility: 'private' }));
  await sendMarker(app, [...sockets.keys()]);
  const framesOf = async (socket: TestSocket) =>
    (await socket.until(isMarker)).map(({ event, stream: [name], payload }) =>
      event === 'delete' ? [event, name, payload] : [event, name],
    );
  expect(await framesOf(visitor)).toEqual([['delete', 'public', id]]);
  const frames = new Map<string, unknown[]>();
  for (const [name, socket] of sockets) frames.set(name, (await framesOf(socket)).sort());
  const gone = ['hashtag', 'public', 'user'].map((stream) => ['delete', stream, id]);
  expect(Object.fromEntries(frames)).toEqual({
    alice: [['status.update', 'user']],
    bob: [['status.update', 'user']],
    carol: gone,
    erin: [],
  });
  for (const socket of [visitor, ...sockets.values()]) await socket.close();
});
